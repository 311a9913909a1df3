import { type Span, unitSpan } from './line-text.ts';

/** One line, numbered from 1. */
export interface FoundLine {
  readonly line: number;
  readonly text: string;
  /** Its first match; absent on a line that is only near one. */
  readonly match?: Span;
}

/** What ripgrep's JSON says, as far as it is used here. Matches that span or touch lines come together. */
export type RipgrepMessage =
  | { readonly kind: 'lines'; readonly path: string; readonly isMatch: boolean; readonly lines: Iterable<FoundLine> }
  | { readonly kind: 'end'; readonly path: string; readonly binaryAt: number | undefined };

type Arbitrary = { readonly text?: string; readonly bytes?: string };

const LF = 0x0a;

interface ByteSpan {
  readonly start: number;
  readonly end: number;
}

interface Raw {
  readonly type: string;
  readonly data: {
    readonly path?: Arbitrary;
    readonly lines?: Arbitrary;
    readonly line_number?: number | null;
    readonly submatches?: readonly ByteSpan[];
    readonly binary_offset?: number | null;
  };
}

/** Undefined for what is not needed. Text that is not UTF-8 comes as base64 and is read with U+FFFD where it breaks. */
export function readMessage(item: string): RipgrepMessage | undefined {
  const { type, data } = JSON.parse(item) as Raw;
  const path = bytesOf(data.path).toString('utf8');
  if (type === 'end') return { kind: 'end', path, binaryAt: data.binary_offset ?? undefined };
  if (type !== 'match' && type !== 'context') return undefined;
  const matches = type === 'match' ? (data.submatches ?? []) : undefined;
  const lines = linesOf(bytesOf(data.lines), data.line_number ?? 0, matches);
  return { kind: 'lines', path, isMatch: type === 'match', lines };
}

/** Read one at a time: a match can span more lines than anybody asked for. */
function* linesOf(bytes: Buffer, first: number, matches: readonly ByteSpan[] | undefined): Generator<FoundLine> {
  let from = 0;
  for (let start = 0, line = first; start < bytes.length || line === first; line++) {
    const feed = bytes.indexOf(LF, start);
    const end = feed < 0 ? bytes.length : feed;
    const piece = bytes.subarray(start, end);
    const text = piece.toString('utf8');
    while ((matches?.[from]?.end ?? end) < start) from++;
    const match = matches?.[from];
    yield {
      line,
      text: feed < 0 ? text : text.replace(/\r$/, ''),
      ...(matches
        ? { match: match ? unitSpan(piece, Math.max(0, match.start - start), match.end - start) : { start: 0, end: 0 } }
        : {}),
    };
    start = end + 1;
  }
}

/** The path of a match whose message is known by its beginning only. */
export function matchPath(head: string): string | undefined {
  const [, path] = /^\{"type":"match","data":\{"path":\{"text":("(?:[^"\\]|\\.)*")/.exec(head) ?? [];
  return path === undefined ? undefined : (JSON.parse(path) as string);
}

function bytesOf(value: Arbitrary | undefined): Buffer {
  if (value?.bytes !== undefined) return Buffer.from(value.bytes, 'base64');
  return Buffer.from(value?.text ?? '');
}
