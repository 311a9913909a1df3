export type {
  AgentEvent,
  AskAnswer,
  AskPermission,
  AskRequest,
  Content,
  Hook,
  Message,
  Model,
  PermissionMode,
  SessionRecord,
  Store,
  Tool,
  ToolContext,
  ToolOutput,
  ToolResult,
} from '../core/index.ts';
export { defineTool, isToolwrightError, ToolwrightError } from '../core/index.ts';
export { type Mcp, removeServer, type ServerEntry, type ServerInfo, writeServer } from '../mcp/index.ts';
export { parseRule } from '../policy/index.ts';
export type { AgentMode, Registry, View } from '../registry/index.ts';
export { createMemoryStore, makeFolder } from '../store/index.ts';
export { createRuntime, type Runtime, type RuntimeOptions } from './create-runtime.ts';
export { ENV_VARIABLES, type Env, type EnvVariable, hostEnv } from './env.ts';
export { mcpConfigPath } from './mcp-servers.ts';
export type { SandboxFactory } from './open-session.ts';
export { ripgrepPath } from './passthrough.ts';
export { type RemoteSandboxSettings, remoteSandbox } from './remote-sandbox.ts';
export type { Run, RunResult } from './run.ts';
export { isLoopback, type SandboxKind, serveSandbox } from './serve-sandbox.ts';
export type { CallOptions, Session } from './session.ts';
export type { SessionOptions } from './session-options.ts';
export type { Settings } from './settings.ts';
export type { PresetName } from './tool-sources.ts';
