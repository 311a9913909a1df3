import { createHash } from 'node:crypto';
import { type CallHistory, canonicalJson, type PastCall, sameStamp, type ToolContext } from '../core/index.ts';
import type { RunnableCall } from './prepare.ts';

const LONGEST_CYCLE = 5;
const REMEMBERED = 2 * LONGEST_CYCLE;

/** Equal for two calls that ask the same, whatever the order of their keys. */
export function signatureOf(name: string, input: unknown): string {
  return `${name} ${createHash('sha256')
    .update(canonicalJson(input) ?? '')
    .digest('base64')}`;
}

/** Parts of an output that differ between two equal runs: times, durations, random ids. */
const VOLATILE = new RegExp(
  [
    '\\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\\b',
    '\\b\\d{4}-\\d{2}-\\d{2}(?:[T ]\\d{2}:\\d{2}(?::\\d{2}(?:[.,]\\d{1,9})?)?(?:Z|[+-]\\d{2}:?\\d{2})?)?',
    '\\b\\d{1,2}:\\d{2}(?::\\d{2}(?:[.,]\\d{1,9})?)?\\b',
    '\\b\\d{1,12}(?:\\.\\d{1,9})? ?(?:ns|µs|us|ms|s|sec|secs|seconds?|min|minutes?)\\b',
  ].join('|'),
  'gi',
);

/** Equal for two outputs that say the same apart from times, durations and random ids. */
export function outcomeOf(text: string, failed: boolean): string {
  return createHash('sha256')
    .update(failed ? 'error ' : 'ok ')
    .update(text.replace(VOLATILE, '~'))
    .digest('base64');
}

/**
 * Finds a model that goes in circles: the same call a third time after two equal outcomes in a row,
 * or a cycle of two to five calls at its third round. Equal calls within one turn count once.
 */
export function createCallHistory(): CallHistory {
  let past: PastCall[] = [];
  return {
    repeated(signature, pending) {
      const line = [...past, ...distinct(pending)];
      for (let period = 1; period <= LONGEST_CYCLE; period++) {
        if (line.length < 2 * period) return undefined;
        const earlier = line[line.length - period] as PastCall;
        if (earlier.signature === signature && lastRoundsAreEqual(line, period)) return earlier;
      }
      return undefined;
    },
    record(turn) {
      past = [...past, ...distinct(turn)].slice(-REMEMBERED);
    },
  };
}

/**
 * A file that the call reads has changed since this agent last saw it, so asking again is no repeat.
 * Looked at only for a call that would be turned away.
 */
export async function isStale(
  call: RunnableCall,
  context: Pick<ToolContext, 'roots' | 'sandbox' | 'files'>,
): Promise<boolean> {
  for (const subject of call.tool.subjects?.(call.input) ?? []) {
    if (subject.kind !== 'path') continue;
    try {
      const { real } = await context.roots.resolve(subject.value, subject.access);
      const seen = context.files.seen(real);
      const now = await context.sandbox.stat(real);
      if (seen && now && !sameStamp(seen, now)) return true;
    } catch {
      return false;
    }
  }
  return false;
}

function lastRoundsAreEqual(line: readonly PastCall[], period: number): boolean {
  for (let i = 1; i <= period; i++) {
    const late = line[line.length - i];
    const early = line[line.length - period - i];
    if (late?.outcome === undefined) return false;
    if (late.signature !== early?.signature || late.outcome !== early.outcome) return false;
  }
  return true;
}

function distinct(calls: readonly PastCall[]): PastCall[] {
  const seen = new Set<string>();
  return calls.filter((call) => !seen.has(call.signature) && seen.add(call.signature));
}
