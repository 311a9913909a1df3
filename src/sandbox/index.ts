export { createPassthroughSandbox, type PassthroughOptions } from './passthrough/passthrough-sandbox.ts';
export { commandEnvironment } from './process/command-environment.ts';
export { createRoots, type RootsOptions } from './roots.ts';
