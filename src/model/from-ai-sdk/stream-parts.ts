import type { LanguageModelV3CallOptions, LanguageModelV3StreamPart } from '@ai-sdk/provider';
import { type Clock, type ModelEvent, type ModelFault, onAbort, type Timer } from '../../core/index.ts';
import { createEventQueue } from '../event-queue.ts';
import { finishReason, finishUsage } from './finish-part.ts';
import { createPartReader } from './part-reader.ts';
import { sdkFault } from './sdk-fault.ts';

/** What both versions of the interface have in common, as far as it is used here. */
export interface AiSdkModel {
  readonly provider: string;
  readonly modelId: string;
  doStream(options: unknown): PromiseLike<{ stream: ReadableStream<LanguageModelV3StreamPart> }>;
}

export interface StreamPartsOptions {
  readonly model: AiSdkModel;
  readonly callOptions: LanguageModelV3CallOptions;
  readonly adapter: string;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly idleTimeoutMs: number;
}

type End = Extract<ModelEvent, { type: 'model_end' }>;
type Reader = ReadableStreamDefaultReader<LanguageModelV3StreamPart>;

const DRAIN_MS = 1_000;
const LOST: ModelFault = {
  message: "the provider's adapter could not tell which call some arguments belong to, and dropped them",
  retryable: true,
};
const CUT: ModelFault = { message: 'the stream was cut: it ended without a finish reason', retryable: true };

/** Sends the request when the first event is asked for, and gives the reply's events; never throws. */
export function streamParts(options: StreamPartsOptions): AsyncIterable<ModelEvent> {
  const { model, signal, clock } = options;
  const parts = createPartReader();
  // Of this request alone, so that nothing is left on the caller's signal.
  const abort = new AbortController();
  let reader: Reader | undefined;
  let unlisten = () => {};
  let timer: Timer | undefined;
  let lastPartAt = 0;
  let ended = false;
  let room: { readonly opens: Promise<void>; open(): void } | undefined;

  const queue = createEventQueue<ModelEvent>({
    start() {
      unlisten = onAbort(signal, () => finish({ type: 'model_end', reason: 'aborted' }));
      if (!ended) void run();
    },
    pause() {
      let open = () => {};
      const opens = new Promise<void>((resolve) => {
        open = resolve;
      });
      room = { opens, open };
    },
    resume() {
      room?.open();
      room = undefined;
    },
    cancel: () => release('destroy'),
  });
  const disarm = () => {
    if (timer) clock.clear(timer);
    timer = undefined;
  };
  const destroy = () => {
    disarm();
    // Both: some adapters split their stream, and a cancel of one half does not reach the request.
    reader?.cancel().catch(() => {});
    abort.abort();
  };
  const release = (how: 'destroy' | 'drain') => {
    ended = true;
    unlisten();
    disarm();
    room?.open();
    if (how === 'destroy') destroy();
    else timer = clock.after(DRAIN_MS, destroy);
  };
  const finish = (end: End, how: 'destroy' | 'drain' = 'destroy') => {
    if (ended) return;
    release(how);
    queue.push(parts.take());
    queue.end(end);
  };
  const kept = (well: boolean) => {
    const value = parts.kept(well);
    return value === undefined ? {} : { provider: { adapter: options.adapter, value } };
  };
  const fail = (fault: ModelFault, extra: Partial<End> = {}) =>
    finish({ type: 'model_end', reason: 'error', fault, ...extra, ...kept(false) });
  // One timer that is set again at most once per idle period, not one per part.
  const watch = () => {
    // While the consumer holds the stream up, the silence is not the model's.
    if (room) lastPartAt = clock.now();
    const left = lastPartAt + options.idleTimeoutMs - clock.now();
    if (left > 0) timer = clock.after(left, watch);
    else fail({ message: `the model sent nothing for ${options.idleTimeoutMs} ms`, retryable: true });
  };

  const read = (part: LanguageModelV3StreamPart) => {
    if (part.type === 'error') return fail(sdkFault(part.error, clock.now()));
    if (part.type === 'finish') return readFinish(part);
    if (parts.holdsEnds && goesOn(part)) parts.trustEnds();
    parts.read(part);
  };
  const readFinish = (part: Extract<LanguageModelV3StreamPart, { type: 'finish' }>) => {
    const reason = finishReason(part);
    const usage = finishUsage(part);
    const extra = usage ? { usage } : {};
    if (reason === undefined) return fail(CUT, extra);
    if (reason === 'content-filter') {
      return fail({ message: "the provider's content filter stopped the reply", retryable: false }, extra);
    }
    if (reason === 'length') return finish({ type: 'model_end', reason, ...extra, ...kept(true) });
    if (reason === 'tool_calls' && !parts.hasCalls && !parts.hasText) {
      return fail({ message: 'the provider said that it calls tools, but sent no call', retryable: true }, extra);
    }
    if (parts.lostArguments) return fail(LOST, extra);
    parts.settle();
    finish({ type: 'model_end', reason: parts.hasCalls ? 'tool_calls' : 'stop', ...extra, ...kept(true) }, 'drain');
  };

  const run = async () => {
    try {
      lastPartAt = clock.now();
      watch();
      const { stream } = await model.doStream({ ...options.callOptions, abortSignal: abort.signal });
      if (ended) return void stream.cancel().catch(() => {});
      reader = stream.getReader();
      await pump(reader);
    } catch (error) {
      fail(sdkFault(error, clock.now()));
    } finally {
      disarm();
    }
  };
  const pump = async (from: Reader) => {
    for (;;) {
      const next = from.read();
      if (!ended && parts.holdsEnds) await trustIfOpen(next);
      const { done, value } = await next;
      if (done) break;
      // What comes after a good end is read only so that the connection can be used again.
      if (ended) continue;
      lastPartAt = clock.now();
      read(value);
      if (ended) continue;
      queue.push(parts.take());
      if (room) {
        await room.opens;
        lastPartAt = clock.now();
      }
    }
    if (!ended) fail(CUT);
  };
  /** Ends that an adapter makes up when its stream closes are followed at once by its finish or error part. */
  const trustIfOpen = async (next: Promise<unknown>) => {
    let waiting = true;
    const settled = () => {
      waiting = false;
    };
    next.then(settled, settled);
    await new Promise<void>((resolve) => setImmediate(resolve));
    if (!waiting || ended) return;
    parts.trustEnds();
    queue.push(parts.take());
  };
  return queue;
}

/** True for a part that cannot come from the closing of a stream. */
function goesOn(part: LanguageModelV3StreamPart): boolean {
  return (
    part.type === 'text-start' ||
    part.type === 'text-delta' ||
    part.type === 'reasoning-start' ||
    part.type === 'reasoning-delta' ||
    part.type === 'tool-input-start'
  );
}
