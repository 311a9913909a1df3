export { runLoop } from './loop.ts';
export type { LoopEnd, LoopOptions, Reply, Transcript } from './loop-options.ts';
