import { cutEnd, type Sandbox, type ToolContext, ToolwrightError } from '../../core/index.ts';

export interface RipgrepRun {
  /** Default: the session's sandbox. */
  readonly place?: Pick<Sandbox, 'start' | 'capabilities'>;
  /** Where it runs; a real path. */
  readonly cwd: string;
  readonly args: readonly string[];
  /** What ends an item: a line feed, or NUL for lists of paths; two take turns. */
  readonly separators: readonly ('\n' | '\0')[];
  /** Gets each item; false ends the search. */
  readonly onItem: (item: string) => boolean;
  /** Gets the beginning of an item that is too long to hold. */
  readonly onLong?: (head: string) => void;
}

export interface RipgrepEnd {
  /** 0 found, 1 nothing found, 2 trouble on the way; null when it was ended early. */
  readonly code: number | null;
  /** What it complained about, bounded. */
  readonly complaints: string;
  readonly endedEarly: boolean;
}

/** Of a longer item only the beginning is kept. */
const LONGEST_ITEM = 16 * 1_048_576;
const LONG_HEAD = 16_384;
const MOST_COMPLAINTS = 4_000;

/** Runs ripgrep and reads its output as it comes. */
export async function runRipgrep(ctx: ToolContext, run: RipgrepRun): Promise<RipgrepEnd> {
  const place = run.place ?? ctx.sandbox;
  const program = place.capabilities.ripgrep;
  if (program === undefined || !place.capabilities.processes) {
    throw new ToolwrightError('unavailable', 'Searching is not possible here: there is no ripgrep.', {
      hint: 'Read files with read_file instead; `toolwright doctor` says what is missing.',
    });
  }
  const stop = new AbortController();
  const onAbort = () => stop.abort(ctx.signal.reason);
  if (ctx.signal.aborted) throw ctx.signal.reason;
  ctx.signal.addEventListener('abort', onAbort, { once: true });
  const items = createItems(run.separators, (item, whole) => {
    if (stop.signal.aborted) return;
    if (!whole) run.onLong?.(item);
    else if (!run.onItem(item)) stop.abort(new ToolwrightError('cancelled', 'enough was found'));
  });
  let complaints = '';
  const decoder = new TextDecoder();
  try {
    const child = await place.start([program, '--no-config', ...run.args], {
      cwd: run.cwd,
      signal: stop.signal,
      onOutput: (bytes, stream) => {
        if (stream === 'stdout') items.push(bytes);
        else if (complaints.length < MOST_COMPLAINTS) complaints += decoder.decode(bytes, { stream: true });
      },
    });
    const exit = await child.wait();
    if (ctx.signal.aborted) throw ctx.signal.reason;
    if (!stop.signal.aborted) items.end();
    return { code: exit.code, complaints: cutEnd(complaints, MOST_COMPLAINTS), endedEarly: stop.signal.aborted };
  } finally {
    ctx.signal.removeEventListener('abort', onAbort);
  }
}

/** Cuts bytes into items. Each item's pieces are joined once, so that a long one costs no more than its length. */
function createItems(separators: readonly string[], onItem: (item: string, whole: boolean) => void) {
  const borders = separators.map((separator) => separator.charCodeAt(0));
  let turn = 0;
  let pieces: Uint8Array[] = [];
  let length = 0;
  const add = (piece: Uint8Array) => {
    const fitted = length <= LONGEST_ITEM;
    length += piece.length;
    if (length <= LONGEST_ITEM) pieces.push(Buffer.from(piece));
    else if (fitted) pieces = [Buffer.concat([...pieces, piece]).subarray(0, LONG_HEAD)];
  };
  const finish = () => {
    if (length > 0) onItem(Buffer.concat(pieces).toString('utf8'), length <= LONGEST_ITEM);
    pieces = [];
    length = 0;
    turn = (turn + 1) % borders.length;
  };
  return {
    push(bytes: Uint8Array) {
      let start = 0;
      for (;;) {
        const at = bytes.indexOf(borders[turn] as number, start);
        if (at < 0) break;
        add(bytes.subarray(start, at));
        finish();
        start = at + 1;
      }
      if (start < bytes.length) add(bytes.subarray(start));
    },
    end: finish,
  };
}

/** Complaints about folders and files that could not be read, as one note; undefined when there are none. */
export function unreadableNote(complaints: string): string | undefined {
  const lines = complaints.split('\n').filter((line) => /denied|os error|error matching/i.test(line));
  if (lines.length === 0) return undefined;
  const first = cutEnd((lines[0] as string).replace(/^rg: /, ''), 200);
  return `[${lines.length} ${lines.length === 1 ? 'place' : 'places'} could not be read, such as ${first}]`;
}
