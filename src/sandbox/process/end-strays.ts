import type { Clock } from '../../core/index.ts';
import { createProcessTree } from './process-tree.ts';

/**
 * Ends what still carries a task's mark after the process that had started it is gone. Only the mark counts: numbers
 * of processes may since belong to somebody else.
 */
export function endStrays(id: string, clock: Clock): Promise<void> {
  return createProcessTree({ id, exited: Promise.resolve(), clock }).end();
}
