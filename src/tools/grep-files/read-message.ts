import { type Span, unitSpan } from './line-text.ts';

/** What ripgrep's JSON says, as far as it is used here. */
export type RipgrepMessage =
  | {
      readonly kind: 'line';
      readonly path: string;
      readonly line: number;
      readonly text: string;
      readonly match?: Span;
    }
  | { readonly kind: 'end'; readonly path: string; readonly binaryAt: number | undefined };

type Arbitrary = { readonly text?: string; readonly bytes?: string };

interface Raw {
  readonly type: string;
  readonly data: {
    readonly path?: Arbitrary;
    readonly lines?: Arbitrary;
    readonly line_number?: number | null;
    readonly submatches?: readonly { readonly start: number; readonly end: number }[];
    readonly binary_offset?: number | null;
  };
}

/** Undefined for what is not needed. Text that is not UTF-8 comes as base64 and is read with U+FFFD where it breaks. */
export function readMessage(item: string): RipgrepMessage | undefined {
  const { type, data } = JSON.parse(item) as Raw;
  const path = bytesOf(data.path).toString('utf8');
  if (type === 'end') return { kind: 'end', path, binaryAt: data.binary_offset ?? undefined };
  if (type !== 'match' && type !== 'context') return undefined;
  const bytes = bytesOf(data.lines);
  const text = bytes.toString('utf8').replace(/\r?\n$/, '');
  const first = data.submatches?.[0];
  return {
    kind: 'line',
    path,
    line: data.line_number ?? 0,
    text,
    ...(type === 'match' ? { match: first ? unitSpan(bytes, first.start, first.end) : { start: 0, end: 0 } } : {}),
  };
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
