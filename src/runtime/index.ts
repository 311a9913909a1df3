export type {
  AgentEvent,
  Ask,
  AskQuestion,
  Content,
  Hook,
  Message,
  Model,
  PermissionMode,
  Tool,
  ToolContext,
  ToolOutput,
  ToolResult,
} from '../core/index.ts';
export { defineTool, isToolwrightError, ToolwrightError } from '../core/index.ts';
export { type Mcp, removeServer, type ServerEntry, type ServerInfo, writeServer } from '../mcp/index.ts';
export { parseRule } from '../policy/index.ts';
export type { AgentMode, Registry, View } from '../registry/index.ts';
export { findIsolation } from '../sandbox/index.ts';
export type { Skill, SkillDiagnostic, SkillEntry, SkillView, ValidatedSkill } from '../skills/index.ts';
export type {
  AskRecord,
  AskResolution,
  AuditVerdict,
  HouseStore,
  KeptAuditRow,
  SessionRecord,
  Store,
  TaskRecord,
} from '../store/index.ts';
export { createMemoryStore, makeFolder } from '../store/index.ts';
export type { AskHandler, AskReply } from './ask-wait.ts';
export type { AskDecision, AskReceipt, Asks } from './asks.ts';
export { createRuntime, type Runtime, type RuntimeOptions } from './create-runtime.ts';
export { ENV_VARIABLES, type Env, type EnvVariable, hostEnv } from './env.ts';
export type { CallExplanation } from './explain-call.ts';
export { localSandbox } from './local-sandbox.ts';
export { mcpConfigPath } from './mcp-servers.ts';
export type { AgentMetrics, Metrics, ModelMetrics, Price, ToolMetrics } from './metrics.ts';
export type { SandboxFactory } from './open-session.ts';
export { packageVersion } from './package-version.ts';
export { ripgrepPath } from './passthrough.ts';
export { prometheusText } from './prometheus-text.ts';
export { type RemoteSandboxSettings, remoteSandbox } from './remote-sandbox.ts';
export type { PolicyChange, PolicyReplay } from './replay-policy.ts';
export type { Run, RunResult } from './run.ts';

export type { SandboxSettings } from './sandbox-schema.ts';
export { type ServeMcpOptions, serveMcpOnHttp, serveMcpOnStdio } from './serve-mcp.ts';
export { isLoopback, type SandboxKind, serveSandbox } from './serve-sandbox.ts';

export type { CallOptions, Session } from './session.ts';
export { parseVariable } from './session-environment.ts';
export type { SessionOptions } from './session-options.ts';
export type { Settings } from './settings.ts';
export type { RuntimeSkills } from './skills.ts';
export type { Tasks } from './tasks.ts';
export type { PresetName } from './tool-sources.ts';
