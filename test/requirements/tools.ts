import type { Requirements } from '../requirements.ts';

/** Id -> behaviour. Ids in capitals are those of the reported failure families. */
export const requirements: Requirements = {
  'process/streams': 'What a process writes comes out per stream, byte for byte.',
  'process/exit': 'A process has ended when it exits and its own output is read, whoever still holds the pipe.',
  'process/kill': 'Ending a process ends all that came from it.',
  'process/back-pressure': 'Output is read no faster than it is taken.',
  'process/start-errors': 'What cannot start says why and what to do.',
  'process/nothing-left': 'A process leaves no descriptor, file or zombie behind.',
  'SHELL-13': 'No secret of the host reaches a command.',
};
