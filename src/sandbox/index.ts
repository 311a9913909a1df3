export { createPassthroughSandbox, type PassthroughOptions } from './passthrough/passthrough-sandbox.ts';
export { createRoots, type RootsOptions } from './roots.ts';
