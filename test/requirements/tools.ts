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
  'GLOB-01': 'Names that hold pattern signs are found by pattern, by exact path and as the base of a search.',
  'GLOB-02': 'Ignored files are left out of both searches alike, and found when they are named.',
  'GLOB-04': 'Links, loops and closed folders neither stop nor multiply a listing.',
  'GREP-01': 'Nothing that a model writes is taken for an option of the search program.',
  'GREP-02': 'Long lines and many matches stay bounded, with the match visible.',
  'GREP-05': 'No pattern can hang a search.',
  'search/glob': 'Glob patterns mean what their description says, in linear time.',
  'search/grep': 'Searches find what they should, in every kind of file.',
  'search/lists': 'Lists are in a stable order and say when they were cut.',
  'search/roots': 'Searches stay inside of the roots.',
};
