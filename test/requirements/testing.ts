import type { Requirements } from '../requirements.ts';

/** Id -> behaviour. Ids in capitals are those of the reported failure families. */
export const requirements: Requirements = {
  'docs/env': 'Every variable that is read is documented, and no other.',
  'docs/examples': 'Each example runs and checks itself.',
  'docs/readme': 'What the README shows is what happens.',
};
