import type { Requirements } from '../requirements.ts';

/** Id -> behaviour. Ids in capitals are those of the reported failure families. */
export const requirements: Requirements = {
  'SKILL-01': 'A front matter that is not quite YAML costs no skill its text, and is told with its line.',
  'SKILL-02': 'Byte order marks, CRLF and odd dashes change nothing in what is read.',
  'SKILL-04': 'A skill is found by its name and by its folder, and an unsafe name never becomes a path.',
  'SKILL-05': 'Linked skill folders load; links that lead nowhere, out or in a circle are told.',
  'SKILL-08': 'Lists and texts of skills of any size stay bounded, say so, and can be read on.',
  'skills/standard': 'Validation agrees with the Agent Skills standard, rule by rule and with the line.',
  'skills/older-form': 'Skills without front matter, with headings and a skill.yaml, load.',
  'skills/bad-input': 'What cannot be read is a diagnostic, never a crash, and nothing is deleted.',
  'skills/catalog': 'Of many roots the higher one stands, what it hides is told, and changes on disk are seen.',
  'skills/trust': 'Skills of a project are listed and not used until somebody trusts it.',
  'skills/view': 'A session has the skills of its list and no others.',
  'skills/prompt': 'The system prompt lists skills with whole descriptions, in a stable order, within a budget.',
  'skills/live': 'What is edited during a session appears at the next turn.',
  'skills/load': 'Loading gives the text with its files, once, within the budget of what is active.',
  'skills/project': 'Copies in the sandbox follow their skill, keep what was edited there, and go away at the end.',
  'skills/grants': 'A skill pre-approves and narrows; it never widens what a session may use.',
  'skills/start': 'A person starts a skill by its name, and their words are put in as they are.',
  'skills/tool': 'A skill can be a tool of its own.',
  'skills/add': 'A skill is installed whole or not at all, and later changes to it are told.',
  'skills/cli': 'The command line lists, shows, checks and installs skills.',
  'skills/examples': 'The skills that come along are sound, and their scripts run.',
};
