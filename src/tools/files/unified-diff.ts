import { cutEnd } from '../../core/index.ts';

export interface FileDiff {
  /** Unified, with three lines around each change; at most 64 KB. */
  readonly diff?: string;
  readonly diffCut?: true;
  readonly added: number;
  readonly removed: number;
  /** First and last line of each changed place, as the new file counts them. */
  readonly changed: readonly (readonly [number, number])[];
}

const MOST_CHARS = 65_536;
const CONTEXT = 3;
/** A change as far apart as this is told as one block. */
const MOST_LINES = 20_000;
const LONGEST_MS = 500;

/** What changed between two texts. Only the lines between the first and the last difference are compared. */
export async function unifiedDiff(path: string, before: string, after: string): Promise<FileDiff> {
  const old = linesOf(before);
  const now = linesOf(after);
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < old.length - head && tail < now.length - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
  const removed = old.length - head - tail;
  const added = now.length - head - tail;
  const block: FileDiff = { added, removed, changed: [[head + 1, Math.max(head + 1, head + added)]] };
  if (removed + added > MOST_LINES) return block;

  const from = Math.max(0, head - CONTEXT);
  const tailKept = Math.max(0, tail - CONTEXT);
  const { structuredPatch, formatPatch } = await import('diff');
  const patch = structuredPatch(
    path,
    path,
    old.slice(from, old.length - tailKept).join(''),
    now.slice(from, now.length - tailKept).join(''),
    undefined,
    undefined,
    { context: CONTEXT, timeout: LONGEST_MS },
  );
  if (!patch) return block;
  const changed: [number, number][] = [];
  let plus = 0;
  let minus = 0;
  for (const hunk of patch.hunks) {
    hunk.oldStart += from;
    hunk.newStart += from;
    const place = changedPlace(hunk);
    changed.push([place.first, place.last]);
    plus += place.added;
    minus += place.removed;
  }
  const text = formatPatch(patch);
  return {
    diff: cutEnd(text, MOST_CHARS),
    ...(text.length > MOST_CHARS ? { diffCut: true as const } : {}),
    added: plus,
    removed: minus,
    changed,
  };
}

function changedPlace(hunk: { newStart: number; lines: readonly string[] }) {
  let line = hunk.newStart;
  let first = 0;
  let last = 0;
  let added = 0;
  let removed = 0;
  for (const text of hunk.lines) {
    if (text.startsWith('\\')) continue;
    if (text.startsWith('+') || text.startsWith('-')) {
      first ||= line;
      last = Math.max(first, text.startsWith('+') ? line : line - 1);
    }
    if (text.startsWith('+')) added++;
    if (text.startsWith('-')) removed++;
    else line++;
  }
  return { first, last, added, removed };
}

/** Lines with their endings, so that a missing final newline is a difference. */
function linesOf(text: string): string[] {
  const lines = text.split('\n');
  const last = lines.pop() as string;
  const whole = lines.map((line) => `${line}\n`);
  return last === '' ? whole : [...whole, last];
}

/** `line 3`, `lines 3-5, 9`: places for people and models. */
export function placesText(changed: FileDiff['changed'], most = 20): string {
  const parts = changed.slice(0, most).map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`));
  if (changed.length > most) parts.push(`… ${changed.length - most} more places`);
  const isOne = parts.length === 1 && !parts[0]?.includes('-');
  return `line${isOne ? '' : 's'} ${parts.join(', ')}`;
}
