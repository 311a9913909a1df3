import type { Requirements } from '../requirements.ts';

/** Id -> behaviour. Ids in capitals are those of the reported failure families. */
export const requirements: Requirements = {
  'HOOK-03': 'Hooks run in order on what the one before left; a block wins, every result passes the after hooks once.',
  'HOOK-01':
    'A command hook that exits with 2 blocks; one that fails is told and passed over, or blocks when it must agree.',
  'hooks/commands':
    'Commands of the settings see and change calls and results, with a small environment and for trusted projects only.',
  'hooks/events':
    'Commands are told of the start, of each message and of the end of a run, and may add to it or refuse it.',
  'hooks/match': 'A hook is asked about the tools that its match names, by name, alias, prefix or test.',
  'hooks/verdict': 'Asks, allows and notes of all hooks are joined; the first reason stands.',
  'hooks/failure': 'A hook that throws, hangs or answers nonsense denies or is passed over, as it says.',
  'hooks/after':
    'After hooks see the result as changed before them; one that must pass a result withholds it when it fails.',
};
