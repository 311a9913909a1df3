import type { Clock, Log, NewId } from '../../core/index.ts';
import type { ServedHouses } from './served-house.ts';

export interface ServeOptions {
  readonly houses: ServedHouses;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
}
