export { fileError, missing, requireFile, stale } from './file-error.ts';
export { sortEntries } from './file-stat.ts';
export { createGuard } from './guard.ts';
export { findIsolation } from './local/isolation.ts';
export { DEFAULT_LIMITS, type LocalLimits, type Mount } from './local/local-options.ts';
export { createLocalSandbox } from './local/local-sandbox.ts';
export { createPassthroughSandbox, type PassthroughOptions } from './passthrough/passthrough-sandbox.ts';
export { commandEnvironment } from './process/command-environment.ts';
export { endStrays } from './process/end-strays.ts';
export { TASK_VARIABLE } from './process/process-table.ts';
export { createProcessTree } from './process/process-tree.ts';
export { createRemoteSandbox } from './remote/create-remote-sandbox.ts';
export { serveSandbox } from './remote/serve-sandbox.ts';

export { createRoots, type RootsOptions } from './roots.ts';
export { isWithin } from './within.ts';
