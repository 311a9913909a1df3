export { type ClaimTable, createClaimTable } from './claim-table.ts';
export { createReadState } from './create-read-state.ts';
export { createExecutor, type ExecutorOptions } from './executor.ts';
export { DEFAULT_LIMITS, type ExecutorLimits } from './limits.ts';
export { maskJson } from './mask-json.ts';
export { createMasker } from './mask-secrets.ts';
export { plainJson } from './plain-json.ts';
export { type ProgressChannel, type ProgressContext, provideProgressContext } from './progress-context.ts';
export { createCallHistory } from './repeats.ts';
