export { createRuntime, type Runtime, type RuntimeOptions } from './create-runtime.ts';
export { ENV_VARIABLES, type Env, type EnvVariable, hostEnv } from './env.ts';
export type { SandboxFactory } from './open-session.ts';
export { ripgrepPath } from './passthrough.ts';
export type { Run, RunResult } from './run.ts';
export type { CallOptions, Session } from './session.ts';
export type { AgentMode, SessionOptions } from './session-options.ts';
export type { Settings } from './settings.ts';
