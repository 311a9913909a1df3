import { createVirtualClock, type VirtualClock } from '../virtual-clock.ts';
import { askCases } from './store/ask-cases.ts';
import { auditCases } from './store/audit-cases.ts';
import type { OpenedStore } from './store/bench.ts';
import { lifetimeCases } from './store/lifetime-cases.ts';
import { sessionCases } from './store/session-cases.ts';
import { taskCases } from './store/task-cases.ts';

/** Opens an empty store whose leases are judged by the clock. */
export type OpenStore = (clock: VirtualClock) => Promise<OpenedStore>;

/** Registers one test with the runner in use, such as vitest's `test`. */
export type RegisterTest = (title: string, body: () => Promise<void>) => void;

const CASES = { ...sessionCases, ...lifetimeCases, ...askCases, ...auditCases, ...taskCases };

/** Everything that a driver of the Store port must do, as tests on a fresh store each. */
export function storeContract(name: string, open: OpenStore, test: RegisterTest): void {
  for (const [title, run] of Object.entries(CASES)) {
    test(`${name}: ${title}`, async () => {
      const clock = createVirtualClock();
      const opened = await open(clock);
      try {
        await run({ ...opened, sessions: opened.store.sessions, clock });
      } finally {
        await opened.store.close();
        await opened.cleanup();
      }
    });
  }
}
