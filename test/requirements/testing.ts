import type { Requirements } from '../requirements.ts';

/** Id -> behaviour. Ids in capitals are those of the reported failure families. */
export const requirements: Requirements = {
  'docs/readme': 'What the README shows is what happens.',
};
