export { runLoop } from './loop.ts';
export type { LoopEnd, LoopOptions, Transcript } from './loop-options.ts';
