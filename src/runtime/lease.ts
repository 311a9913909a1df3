import { type Clock, type Timer, ToolwrightError } from '../core/index.ts';
import type { SessionStore } from '../store/index.ts';

const LEASE_MS = 15_000;
const RENEW_MS = 5_000;

/** The right to write one session, renewed for as long as somebody holds it. */
export interface Lease {
  /** Throws ToolwrightError `busy` while another owner has it. */
  hold(): Promise<void>;
  /** The last holder's release gives it back: by `giveBack`, where something else is written with it. */
  release(giveBack?: () => Promise<void>): Promise<void>;
}

export interface LeaseOptions {
  readonly sessionId: string;
  readonly owner: string;
  readonly store: SessionStore;
  readonly clock: Clock;
  /** The lease ran out or was taken: nothing may be written any more. */
  readonly onLost: (error: ToolwrightError) => void;
}

export function createLease({ sessionId, owner, store, clock, onLost }: LeaseOptions): Lease {
  let holders = 0;
  let timer: Timer | undefined;

  const take = () => {
    const now = clock.now();
    return store.lease(sessionId, owner, now + LEASE_MS, now);
  };
  const lost = () => {
    timer = undefined;
    onLost(
      new ToolwrightError('conflict', `session ${sessionId} is now run by another process`, {
        hint: 'Look at the session with `sessions show`, then continue it in one place only.',
      }),
    );
  };
  const renewLater = () => {
    timer = clock.after(RENEW_MS, () => {
      take().then(
        (held) => {
          if (holders === 0) return;
          if (held) renewLater();
          else lost();
        },
        () => {
          if (holders > 0) lost();
        },
      );
    });
  };

  return {
    async hold() {
      if (holders === 0 && !(await take())) {
        throw new ToolwrightError('busy', `session ${sessionId} is already being run`, {
          hint: 'Wait until that run has ended. A lease left by a killed process expires within 20 seconds.',
          retryable: true,
        });
      }
      holders++;
      if (holders === 1) renewLater();
    },
    async release(giveBack = () => store.releaseLease(sessionId, owner)) {
      if (holders === 0) return;
      holders--;
      if (holders > 0) return;
      if (timer !== undefined) clock.clear(timer);
      timer = undefined;
      await giveBack();
    },
  };
}
