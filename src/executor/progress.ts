import { type Clock, type Emit, type Masker, type ProgressStream, type Timer, utf8Length } from '../core/index.ts';
import type { ExecutorLimits } from './limits.ts';
import type { ProgressChannel } from './progress-context.ts';

interface Stream {
  readonly name: ProgressStream;
  readonly mask: ReturnType<Masker['stream']> | undefined;
  text: string;
  bytes: number;
  offset: number;
  timer: Timer | undefined;
}

const STREAMS: ReadonlySet<string> = new Set<ProgressStream>(['stdout', 'stderr', 'info']);

const SILENT: ProgressChannel = { push() {}, close() {} };

/**
 * One call's progress. The first piece of a stream opens a window; at its end all pieces leave as one
 * event. Enough bytes leave at once. `close` flushes every stream and then says `closed`, once, last;
 * whatever comes after it is dropped.
 */
export function createProgress(
  callId: string,
  emit: Emit,
  clock: Clock,
  limits: Pick<ExecutorLimits, 'progressEnabled' | 'progressIntervalMs' | 'progressFlushBytes'>,
  masker?: Masker,
): ProgressChannel {
  if (!limits.progressEnabled) return SILENT;
  const streams = new Map<ProgressStream, Stream>();
  let closed = false;

  const send = (stream: Stream, text: string) => {
    if (text === '') return;
    emit({ type: 'tool_progress', callId, text, stream: stream.name, closed: false, offset: stream.offset });
    stream.offset += utf8Length(text);
  };
  const flush = (stream: Stream) => {
    if (stream.timer) clock.clear(stream.timer);
    stream.timer = undefined;
    const { text } = stream;
    stream.text = '';
    stream.bytes = 0;
    send(stream, stream.mask ? stream.mask.push(text) : text);
  };
  const open = (name: ProgressStream): Stream => {
    const stream = { name, mask: masker?.stream(), text: '', bytes: 0, offset: 0, timer: undefined };
    streams.set(name, stream);
    return stream;
  };

  return {
    push(text, wanted = 'stdout') {
      if (closed || typeof text !== 'string' || text === '') return;
      const name = STREAMS.has(wanted) ? wanted : 'stdout';
      const stream = streams.get(name) ?? open(name);
      stream.text += text;
      stream.bytes += utf8Length(text);
      if (stream.bytes >= limits.progressFlushBytes || limits.progressIntervalMs <= 0) flush(stream);
      else stream.timer ??= clock.after(limits.progressIntervalMs, () => flush(stream));
    },
    close() {
      if (closed) return;
      closed = true;
      for (const stream of streams.values()) {
        flush(stream);
        if (stream.mask) send(stream, stream.mask.end());
      }
      emit({ type: 'tool_progress', callId, text: '', stream: 'info', closed: true, offset: 0 });
    },
  };
}
