import type http from 'node:http';
import { type Clock, type ModelEvent, type ModelFault, onAbort, type Timer } from '../../core/index.ts';
import { createEventQueue } from '../event-queue.ts';
import { retryAfterMs, statusFault } from './error-fault.ts';
import { type Exchange, type ExchangeLimits, openExchange, type Target } from './exchange.ts';
import { createReplyReader } from './reply-reader.ts';
import { socketFault } from './socket-fault.ts';
import { createSseReader, type SseItem } from './sse-reader.ts';
import { createWholeBody, type WholeBody } from './whole-body.ts';

export interface ReplyOptions {
  readonly target: Target;
  readonly body: Buffer;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly limits: ExchangeLimits;
  readonly adapter: string;
  /** Never part of a message. */
  readonly secrets: readonly string[];
}

const MAX_LINE_CHARS = 16 * 1_024 * 1_024;
const MAX_ERROR_BYTES = 64 * 1_024;
/** How long usage and the end mark may take once the finish reason has come. */
const AFTER_FINISH_MS = 2_000;

const BRACE = 0x7b;
const LESS_THAN = 0x3c;

/** Sends the request when the first event is asked for, and gives the reply's events; never throws. */
export function streamReply(options: ReplyOptions): AsyncIterable<ModelEvent> {
  const { target, body, signal, clock, limits } = options;
  const reader = createReplyReader(options.adapter);
  let exchange: Exchange | undefined;
  let unlisten = () => {};
  let grace: Timer | undefined;
  let ended = false;
  let status = 0;
  /** Set when the answer is not a stream of events: an error, or a whole reply. */
  let whole: WholeBody | undefined;
  let sniffed = false;

  const queue = createEventQueue<ModelEvent>({
    start: () => {
      unlisten = onAbort(signal, () => finish({ type: 'model_end', reason: 'aborted' }, 'destroy'));
      if (!ended) exchange = openExchange(target, body, clock, limits, handlers);
    },
    pause: () => exchange?.pause(),
    resume: () => exchange?.resume(),
    cancel: () => release('destroy'),
  });
  const release = (how: 'destroy' | 'drain') => {
    ended = true;
    unlisten();
    if (grace) clock.clear(grace);
    exchange?.[how]();
  };
  const finish = (end: Extract<ModelEvent, { type: 'model_end' }>, how: 'destroy' | 'drain') => {
    if (ended) return;
    release(how);
    queue.push(reader.take());
    queue.end(
      end.fault ? { ...end, fault: { ...end.fault, message: masked(end.fault.message, options.secrets) } } : end,
    );
  };
  const settle = (how: 'destroy' | 'drain') => finish(reader.end(), how);
  /** A fault that the reader does not know of; what it has read so far is still told. */
  const failWith = (fault: ModelFault) => {
    const { usage, provider } = reader.end();
    const kept = { ...(usage ? { usage } : {}), ...(provider ? { provider } : {}) };
    finish({ type: 'model_end', reason: 'error', fault, ...kept }, 'destroy');
  };
  const take = (item: SseItem) => {
    if (ended) return;
    if (item.type === 'json') reader.read(item.value, item.event);
    if (item.type === 'done') settle('drain');
    else if (item.type === 'too_long') failWith({ message: 'the server sent a line of over 16 MB', retryable: false });
    else if (item.type === 'broken') failWith({ message: brokenMessage(item.text, item.event), retryable: true });
    else if (reader.fault) settle('destroy');
  };
  const sse = createSseReader(take, MAX_LINE_CHARS);

  const begin = (response: http.IncomingMessage) => {
    status = response.statusCode ?? 0;
    if (status >= 200 && status < 300) {
      if (/json/i.test(response.headers['content-type'] ?? '')) whole = createWholeBody(MAX_LINE_CHARS);
      return;
    }
    const { statusMessage = '', headers } = response;
    const wait = retryAfterMs(headers['retry-after'], clock.now());
    whole = createWholeBody(MAX_ERROR_BYTES, (text) => failWith(statusFault(status, statusMessage, text, wait)));
  };
  const wholeReply = (text: string) => {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return failWith({ message: `the server answered with broken JSON: ${text.slice(0, 200)}`, retryable: true });
    }
    reader.readWhole(value);
    settle('drain');
  };

  // One socket read can hold many chunks, and each comes on its own: their events are given together.
  let flushing = false;
  const flush = () => {
    flushing = false;
    if (!ended) queue.push(reader.take());
  };
  const handlers = {
    response: begin,
    chunk(bytes: Buffer) {
      if (!whole && !sniffed && bytes.length > 0) {
        sniffed = true;
        // Some servers ignore `stream` and do not say so in the content type; some proxies answer with a page.
        if (bytes[0] === BRACE) whole = createWholeBody(MAX_LINE_CHARS);
        else if (bytes[0] === LESS_THAN) whole = createWholeBody(MAX_ERROR_BYTES, notEvents);
      }
      if (whole) {
        if (whole.add(bytes)) return;
        if (whole.onEnd) whole.onEnd(whole.text());
        else failWith({ message: 'the server sent a reply of over 16 MB', retryable: false });
        return;
      }
      sse.push(bytes);
      if (ended) return;
      if (!flushing) queueMicrotask(flush);
      flushing = true;
      if (reader.finished && !grace) grace = clock.after(AFTER_FINISH_MS, () => settle('destroy'));
    },
    end() {
      if (whole) {
        if (whole.onEnd) whole.onEnd(whole.text());
        else wholeReply(whole.text());
        return;
      }
      sse.end();
      settle('drain');
    },
    fail(error: Error) {
      if (whole?.onEnd) return whole.onEnd(whole.text());
      if (status !== 0 && !whole) sse.end();
      if (reader.finished) settle('destroy');
      else failWith(socketFault(error, target.url, status !== 0));
    },
  };
  const notEvents = (text: string) =>
    failWith({ ...statusFault(status, 'answer that is not an event stream', text), retryable: false });
  return queue;
}

function brokenMessage(text: string, event: string): string {
  if (event === 'error') return text.slice(0, 500);
  return `the server sent broken JSON in the stream: ${text.slice(0, 200)}`;
}

function masked(message: string, secrets: readonly string[]): string {
  let text = message;
  for (const secret of secrets) text = text.replaceAll(secret, '[secret]');
  return text;
}
