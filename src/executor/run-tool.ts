import {
  type CallError,
  type Clock,
  onAbort,
  type ProgressPiece,
  type Tool,
  type ToolContext,
  ToolwrightError,
} from '../core/index.ts';
import { thrownFault } from './faults.ts';
import { type ProgressChannel, progressContext } from './progress-context.ts';

/** How a run came out: a value, an error, or a value that came after it had been told to stop. */
export interface RunOutcome {
  readonly value?: unknown;
  readonly error?: CallError;
}

export interface ToolRun {
  /** The result is fixed. Never rejects. */
  readonly settled: Promise<RunOutcome>;
  /** The tool's own promise has ended. Never rejects. */
  readonly finished: Promise<void>;
  /** Aborts the tool's signal; after the grace time the run is settled without it. The first cause wins. */
  stop(cause: CallError): void;
  /** Settles at once, whatever the tool does. */
  force(cause: CallError): void;
}

export interface ToolRunOptions {
  readonly tool: Tool;
  readonly input: unknown;
  readonly context: (signal: AbortSignal) => ToolContext;
  readonly progress: ProgressChannel;
  /** The call is not readOnly. */
  readonly changes: boolean;
  readonly timeoutMs: number;
  readonly timeoutError: CallError;
  /** A `cancel` generator is not pulled any further once its signal is aborted. */
  readonly abandons: boolean;
  readonly clock: Clock;
  readonly graceMs: number;
}

export function runTool(options: ToolRunOptions): ToolRun {
  const { tool, input, progress, clock } = options;
  const controller = new AbortController();
  let cause: CallError | undefined;
  let settle: (outcome: RunOutcome) => void = () => {};
  const settled = new Promise<RunOutcome>((resolve) => {
    settle = resolve;
  });

  const end = (outcome: RunOutcome) => {
    clock.clear(timeout);
    if (grace) clock.clear(grace);
    progress.close();
    settle(outcome);
  };
  const stop = (error: CallError) => {
    if (cause) return;
    cause = error;
    controller.abort(new ToolwrightError(error.code, error.message));
    grace = clock.after(options.graceMs, () => end({ error }));
  };
  let grace: ReturnType<Clock['after']> | undefined;
  const timeout = clock.after(options.timeoutMs, () => stop(options.timeoutError));

  const work = invoke(tool, input, options, controller.signal);
  const finished = work.then(
    (value) => end(cause ? { value, error: cause } : { value }),
    (error) => end({ error: cause ?? thrownFault(error, options.changes) }),
  );
  return {
    settled,
    finished,
    stop,
    force(error) {
      cause ??= error;
      controller.abort(new ToolwrightError(error.code, error.message));
      end({ error: cause });
    },
  };
}

/** Calls `run` and, when it is a generator, pulls it to its end. */
async function invoke(tool: Tool, input: unknown, options: ToolRunOptions, signal: AbortSignal): Promise<unknown> {
  const around = progressContext();
  const enter = <Value>(work: () => Value): Value => (around ? around.run(options.progress, work) : work());
  const returned = enter(() => tool.run(input, options.context(signal)));
  return isGenerator(returned) ? drain(returned, options, signal, enter) : returned;
}

type Pieces = AsyncGenerator<ProgressPiece, unknown, void>;

function isGenerator(value: unknown): value is Pieces {
  return (
    typeof value === 'object' && value !== null && Symbol.asyncIterator in value && 'next' in value && 'return' in value
  );
}

/** How long a generator may keep the event loop before others get a turn. */
const SLICE_MS = 3;
const SLICE_PIECES = 64;
/** What a generator that was told to end may still yield, on its way through its `finally`. */
const LATE_PIECES = 64;

async function drain(
  pieces: Pieces,
  options: ToolRunOptions,
  signal: AbortSignal,
  enter: <Value>(work: () => Value) => Value,
): Promise<unknown> {
  const { progress } = options;
  const off = options.abandons ? onAbort(signal, () => leave(pieces)) : () => {};
  let late = 0;
  try {
    let began = performance.now();
    for (let count = 1; ; count++) {
      const step = await enter(() => pieces.next());
      if (step.done) {
        if (signal.aborted && options.abandons && step.value === undefined) throw signal.reason;
        return step.value;
      }
      if (signal.aborted && options.abandons && ++late > LATE_PIECES) throw signal.reason;
      const piece = step.value;
      if (typeof piece === 'string') progress.push(piece);
      else if (piece) progress.push(piece.text, piece.stream);
      if (count % SLICE_PIECES === 0 && performance.now() - began > SLICE_MS) {
        await new Promise<void>((resolve) => setImmediate(resolve));
        began = performance.now();
      }
    }
  } finally {
    off();
  }
}

/** A generator of other making may have a `return` that throws or gives no promise. */
function leave(pieces: Pieces): void {
  try {
    void Promise.resolve(pieces.return(undefined)).catch(() => {});
  } catch {}
}
