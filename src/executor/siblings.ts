import type { Claim } from '../core/index.ts';
import type { Entry } from './entry.ts';
import { siblingAborted, siblingEnded } from './faults.ts';
import type { Passed } from './judge.ts';

/** What a tool's failure does to the other calls of its turn, arrived or still to come. */
export interface Siblings {
  /** Ends those that the failed call takes with it. Only for a tool that asks for it. */
  abortFor(failed: Entry, passed: Passed): void;
  /** The failed call that this one depends on. */
  failedBefore(passed: Passed): string | undefined;
}

export function createSiblings(entries: readonly Entry[]): Siblings {
  const failures: { readonly name: string; readonly writes: readonly Claim[] | 'all' }[] = [];

  const failedBefore = ({ facts }: Passed) =>
    failures.find(({ writes }) => writes === 'all' || (facts.declared && overlap(writes, facts.claims)))?.name;

  return {
    failedBefore,
    abortFor(failed, passed) {
      const { abortsSiblings } = passed.call.traits;
      if (abortsSiblings === false) return;
      const writes = passed.facts.declared ? passed.facts.claims.filter((claim) => claim.mode === 'write') : [];
      failures.push({ name: failed.name, writes: abortsSiblings === 'all' ? 'all' : writes });
      for (const entry of entries) {
        if (entry === failed || entry.answered || !entry.passed) continue;
        if (entry.interrupt) {
          const cause = failedBefore(entry.passed);
          if (cause) entry.interrupt(siblingAborted(entry.name, cause));
        } else if (abortsSiblings === 'all' && entry.passed.call.traits.interrupt === 'cancel') {
          entry.run?.stop(siblingEnded(entry.name, failed.name));
        }
      }
    },
  };
}

/** Two sets of claims touch: a key of one is a key of the other or its ancestor. */
function overlap(a: readonly Claim[], b: readonly Claim[]): boolean {
  return a.some((x) => b.some((y) => isSameOrAbove(x.key, y.key) || isSameOrAbove(y.key, x.key)));
}

function isSameOrAbove(above: string, below: string): boolean {
  return above === '' || below === above || below.startsWith(above.endsWith('/') ? above : `${above}/`);
}
