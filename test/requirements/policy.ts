import type { Requirements } from '../requirements.ts';

/** Id -> behaviour. Ids in capitals are those of the reported failure families. */
export const requirements: Requirements = {
  'PERM-01': 'A rule for a command prefix allows that command with its arguments and no compound of it.',
  'PERM-02': 'Nothing that the shell would run, redirect or set beside the allowed command is allowed with it.',
  'PERM-04': 'Deny stands before ask and ask before allow, in whatever order the rules are written.',
  'policy/parse': 'A rule is read, or refused with what is wrong with it.',
  'policy/mode':
    'Where no rule speaks, the mode decides: open allows, standard asks for what is not read-only, strict denies.',
  'policy/grant': 'A grant satisfies an ask from any layer for what it covers, and never a deny.',
  'policy/tool-layer': "A tool's own permissions count as rules; its deny is final.",
  'policy/paths': 'A path rule that forbids matches by written or real path; one that permits needs both.',
  'policy/hosts': 'A domain rule covers a host and what is below it, and nothing that only looks like it.',
  'policy/shell-deny': 'No shell line that runs a denied program is allowed, however it is written.',
  'policy/shell-verdicts': 'A table of shell lines and rules gives the right verdict for each line.',
  'policy/foreign': "Rules written for other agents' settings are understood as those agents mean them.",
  'policy/arguments': 'A rule may name a value of the input; it permits no command and no file by that.',
  'policy/scopes': 'Session, project and home rules are told apart, and each settings file roots its own paths.',
  'policy/suggest': 'Rules are suggested from narrow to wide, and none that opens up more than it says.',
  'policy/bare-deny': 'A tool that a rule denies whole is not shown to the model.',
  'policy/explain': 'Every rule is reported with why it fits or does not.',
  'policy/fast': 'A decision stays quick with thousands of rules and hostile patterns.',
};
