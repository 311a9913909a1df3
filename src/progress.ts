import { AsyncLocalStorage } from 'node:async_hooks';
import type { ProgressStream } from './core/index.ts';
import { type ProgressChannel, provideProgressContext } from './executor/index.ts';

const current = new AsyncLocalStorage<ProgressChannel>();
provideProgressContext({ run: (channel, work) => current.run(channel, work) });

/**
 * Shows text on the screen of the call below whose `run` this is, wherever that is in the code. A silent
 * no-op anywhere else and after the call has settled. Never kept, never shown to the model.
 */
export function emitToolProgress(text: string, stream: ProgressStream = 'stdout'): void {
  current.getStore()?.push(text, stream);
}

/** Says that no more progress will come from the current call; the executor says it anyway when the call settles. */
export function emitToolProgressClosed(): void {
  current.getStore()?.close();
}
