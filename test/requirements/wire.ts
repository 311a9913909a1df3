import type { Requirements } from '../requirements.ts';

/** Id -> behaviour. Ids in capitals are those of the reported failure families. */
export const requirements: Requirements = {
  'wire/shape': 'Every kind of event crosses the wire in snake case, of the shape that its schema describes.',
  'wire/round-trip': 'What was read back from the wire equals what was sent.',
  'wire/lines': 'An encoded event is one line of JSON, whatever its texts and data hold.',
  'timeline/fold':
    'Events become the items that a screen shows: messages, thinking, calls, errors and run ends, in order.',
  'timeline/replay': 'The kept events of ended runs give the same items as the live view did.',
  'timeline/order': 'Progress and results may come before their call; a discarded turn leaves nothing.',
  'timeline/bounds': 'Live output of a call is held up to a limit, without bytes shown twice and with gaps told.',
};
