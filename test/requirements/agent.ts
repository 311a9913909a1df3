import type { Requirements } from '../requirements.ts';

/** Id -> behaviour. Ids in capitals are those of the reported failure families. */
export const requirements: Requirements = {
  'agent/early-dispatch': 'A call runs as soon as its arguments are complete, and not before.',
  'agent/cut': 'What the output limit cut off is answered and never run.',
  'agent/broken-stream': 'A broken reply loses nothing that ran and keeps nothing that is void.',
  'agent/mismatch': 'A difference between the arguments that ran and the final ones is told in the result.',
  'agent/ids': 'Call ids are unique over the whole session.',
  'agent/cancel': 'A cancelled run ends with every call answered and a valid transcript.',
  'agent/max-steps': 'A run takes no more steps than it was given.',
};
