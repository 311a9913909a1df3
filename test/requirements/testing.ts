import type { Requirements } from '../requirements.ts';

/** Id -> behaviour. Ids in capitals are those of the reported failure families. */
export const requirements: Requirements = {
  'docs/env': 'Every variable that is read is documented, and no other.',
  'docs/examples': 'Each example runs and checks itself.',
  'docs/fences': 'Every block of code in the pages is tried, or says why not; commands print what the page shows.',
  'docs/links': 'Links between the pages lead to what is there.',
  'docs/readme': 'What the README shows is what happens.',
};
