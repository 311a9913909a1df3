import { withLineFeeds } from './normal-text.ts';

const MOST_LINES = 50_000;
const MOST_SHOWN = 3;
const LINE_CHARS = 200;
const NEAR_ENOUGH = 0.5;

interface Explanation {
  readonly message: string;
  readonly hint: string;
}

/** Why a text is not in a file, as precisely as can be told: what the model can mend its next call by. */
export function explainNoMatch(text: string, wanted: string, shown: string): Explanation {
  const old = withLineFeeds(wanted);
  return (
    finalNewline(text, old, shown) ??
    numbered(text, old) ??
    folded(text, old, shown) ?? {
      message: `old_string is not in ${shown}.${nearest(text, old)}`,
      hint: 'Read the place again with read_file and copy the text exactly, without the line numbers.',
    }
  );
}

function finalNewline(text: string, old: string, shown: string): Explanation | undefined {
  const bare = old.replace(/\n+$/, '');
  if (bare === old || bare === '' || !text.endsWith(bare)) return undefined;
  return {
    message: `old_string ends with a newline, but ${shown} has no newline at its end, and this text stands there.`,
    hint: 'Leave the final newline out of old_string, and out of new_string too unless the file shall get one.',
  };
}

/** The model copied the numbers that read_file shows. */
function numbered(text: string, old: string): Explanation | undefined {
  const lines = old.split('\n');
  const bare = lines.map((line) => line.replace(/^\s*\d+\t/, ''));
  if (bare.every((line, index) => line === lines[index]) || !text.includes(bare.join('\n'))) return undefined;
  return {
    message: 'old_string holds the line numbers that read_file shows; they are not part of the file.',
    hint: 'Leave each number and the tab after it out.',
  };
}

const fold = (line: string) =>
  line
    .normalize('NFKC')
    .replace(/[\u2018\u2019\u201a\u201b]/g, "'")
    .replace(/[\u201c\u201d\u201e\u201f]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/[\u200b-\u200d\u2060\ufeff]/g, '')
    .replace(/\s+/g, ' ')
    .trim();

/** The same lines but for blanks, quotes, dashes or the like: said, not taken for the same. */
function folded(text: string, old: string, shown: string): Explanation | undefined {
  const bare = old.replace(/^\n+|\n+$/g, '');
  const wanted = bare.split('\n').map(fold);
  const isPart = wanted.length === 1 && bare === old;
  const lines = text.split('\n', MOST_LINES);
  if (wanted.every((line) => line === '')) return undefined;
  const folds = lines.map(fold);
  const fits = (line: string, at: number) => {
    const there = folds[at];
    if (there === undefined) return false;
    return isPart ? there.includes(line) : there === line;
  };
  for (let start = 0; start < folds.length; start++) {
    if (!wanted.every((line, index) => fits(line, start + index))) continue;
    const found = lines.slice(start, start + Math.min(wanted.length, 20));
    return {
      message: `old_string is not in ${shown} exactly. These lines differ from it only in blanks, quotes, dashes or invisible characters:\n${show(found, start)}\n`,
      hint: 'Copy the text from these lines exactly as it is, indentation and quotes included.',
    };
  }
  return undefined;
}

/** The lines most like the longest line of what was wanted. */
function nearest(text: string, old: string): string {
  const [wanted = ''] = old
    .split('\n')
    .map((line) => line.trim().slice(0, LINE_CHARS))
    .sort((a, b) => b.length - a.length);
  if (wanted.length < 3) return '';
  const pairs = pairsOf(wanted);
  const lines = text.split('\n', MOST_LINES);
  const near = lines
    .map((line, at) => ({ at, score: likeness(pairs, wanted.length, line.trim().slice(0, LINE_CHARS)) }))
    .filter(({ score }) => score >= NEAR_ENOUGH)
    .sort((a, b) => b.score - a.score || a.at - b.at)
    .slice(0, MOST_SHOWN)
    .sort((a, b) => a.at - b.at);
  if (near.length === 0) return '';
  return ` The nearest lines are:\n${near.map(({ at }) => show([lines[at] as string], at)).join('\n')}\n`;
}

function pairsOf(text: string): Map<string, number> {
  const pairs = new Map<string, number>();
  for (let i = 0; i + 1 < text.length; i++) {
    const pair = text.slice(i, i + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  return pairs;
}

/** Shared pairs of letters, 0 to 1. */
function likeness(wanted: ReadonlyMap<string, number>, length: number, line: string): number {
  if (line.length < 2 || line.length * 3 < length || length * 3 < line.length) return 0;
  const left = new Map(wanted);
  let shared = 0;
  for (let i = 0; i + 1 < line.length; i++) {
    const pair = line.slice(i, i + 2);
    const count = left.get(pair) ?? 0;
    if (count === 0) continue;
    left.set(pair, count - 1);
    shared++;
  }
  return (2 * shared) / (length - 1 + (line.length - 1));
}

const show = (lines: readonly string[], start: number) =>
  lines
    .map((line, index) => `${start + index + 1}\t${line.length > LINE_CHARS ? `${line.slice(0, LINE_CHARS)}…` : line}`)
    .join('\n');
