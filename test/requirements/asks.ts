import type { Requirements } from '../requirements.ts';

/** Questions to the person: permissions, a tool's own questions. */
export const requirements: Requirements = {
  'ASK-01': 'A late, second or misdirected answer is refused with its own word and never answers another question.',
  'ask/processes':
    'Whoever answers, refuses or lets an ask expire, from whichever process and in whichever order: one final state.',
  'ask/elsewhere': 'An answer given in another terminal reaches the process that waits.',
  'ask/rules': 'A yes may stand for the session or always: with a suggested rule and for what that rule covers.',
  'ask/kept': 'An always is written to the settings whole or not at all; everything else in the file stays.',
  'ask/turn': 'All asks of a turn go out at once; only what waits for a yes waits.',
  'ask/restart':
    'After a crash a call whose ask is open waits on; a yes lets it run once, a new message supersedes it.',
  'ask/tools':
    'ask_user and questionnaire put questions to the person; no answer is told as such, and no default is ever taken.',
  'ask/withdrawn': 'A question at a terminal that was answered elsewhere is withdrawn there.',
  'ask/cli': 'asks list shows what waits, asks answer answers it and tells what became of the answer.',
};
