import type { HouseStore, SessionStore } from '../../../store/index.ts';
import type { VirtualClock } from '../../virtual-clock.ts';

export interface OpenedStore {
  readonly store: HouseStore;
  /** The same data opened again after `store.close()`; absent when nothing outlives the store. */
  readonly reopen?: () => Promise<HouseStore>;
  readonly cleanup: () => Promise<void>;
}

/** What one case of the contract works on. */
export interface Bench extends OpenedStore {
  readonly sessions: SessionStore;
  readonly clock: VirtualClock;
}

export type Cases = Readonly<Record<string, (bench: Bench) => Promise<void>>>;
