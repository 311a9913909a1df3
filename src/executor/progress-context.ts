import type { ProgressStream } from '../core/index.ts';

/** Where a call's progress goes. */
export interface ProgressChannel {
  push(text: string, stream?: ProgressStream): void;
  close(): void;
}

/** Runs code so that `emitToolProgress` finds the channel anywhere below it. */
export interface ProgressContext {
  run<Value>(channel: ProgressChannel, work: () => Value): Value;
}

const SLOT = Symbol.for('toolwright.progress');

/**
 * The async context, once somebody imported `toolwright/progress`; before that there is none, since
 * entering one makes every await of the process dearer. Found through a global symbol, so that a tool
 * that brings its own copy of the package reaches the executor that runs it.
 */
export function progressContext(): ProgressContext | undefined {
  return (globalThis as { [SLOT]?: ProgressContext })[SLOT];
}

export function provideProgressContext(context: ProgressContext): void {
  (globalThis as { [SLOT]?: ProgressContext })[SLOT] ??= context;
}
