import type { Requirements } from '../requirements.ts';

/** Id -> behaviour. Ids in capitals are those of the reported failure families. */
export const requirements: Requirements = {
  'HOOK-03': 'Hooks run in order on what the one before left; a block wins, every result passes the after hooks once.',
  'hooks/match': 'A hook is asked about the tools that its match names, by name, alias, prefix or test.',
  'hooks/verdict': 'Asks, allows and notes of all hooks are joined; the first reason stands.',
  'hooks/failure': 'A hook that throws, hangs or answers nonsense denies or is passed over, as it says.',
  'hooks/after':
    'After hooks see the result as changed before them; one that must pass a result withholds it when it fails.',
};
