import type { Requirements } from '../requirements.ts';

/** Id -> behaviour. Ids in capitals are those of the reported failure families. */
export const requirements: Requirements = {};
