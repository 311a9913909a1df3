import { type Model, type ModelEvent, type ModelRequest, messageOf, onAbort } from '../core/index.ts';

type End = Extract<ModelEvent, { type: 'model_end' }>;

/**
 * Hands on a reply's events and gives its end, which always comes: a stream that throws or just stops
 * ends with an error, and one that does not listen to its signal is left. Rejects only with what
 * `onEvent` threw.
 */
export async function readStream(
  model: Model,
  request: ModelRequest,
  signal: AbortSignal,
  onEvent: (event: Exclude<ModelEvent, End>) => void | Promise<void>,
): Promise<End> {
  const broken = (message: string, retryable: boolean): End => ({
    type: 'model_end',
    reason: 'error',
    fault: { message, retryable },
  });
  let events: AsyncIterator<ModelEvent>;
  try {
    events = model.stream(request, { signal })[Symbol.asyncIterator]();
  } catch (error) {
    return broken(messageOf(error), false);
  }
  let leave: (() => void) | undefined;
  const off = onAbort(signal, () => leave?.());
  try {
    for (;;) {
      const step = await new Promise<IteratorResult<ModelEvent> | 'left' | Error>((resolve) => {
        leave = () => resolve('left');
        events.next().then(resolve, (error) => resolve(new Error(messageOf(error))));
        if (signal.aborted) leave();
      });
      if (step === 'left') {
        void events.return?.()?.catch(() => {});
        return { type: 'model_end', reason: 'aborted' };
      }
      if (step instanceof Error) return broken(step.message, true);
      if (step.done) return broken('the reply ended without a finish reason', true);
      if (step.value.type === 'model_end') return step.value;
      const pause = onEvent(step.value);
      if (pause) await pause;
    }
  } catch (error) {
    void events.return?.()?.catch(() => {});
    throw error;
  } finally {
    off();
  }
}
