export { type TaskSchedulerOptions, taskSchedulerServer } from './bundled/task-scheduler.ts';
export { type WebSearchOptions, webSearchServer } from './bundled/web-search.ts';
export type { McpServerEntry } from './config/config-schema.ts';
export { readServer, readServers, type ServersFile } from './config/read-servers.ts';
export type { McpServerConfig, McpTimeouts } from './config/server-config.ts';
export { DEFAULT_MCP_TIMEOUTS } from './config/server-config.ts';
export { createInProcessServer } from './in-process/create-in-process-server.ts';
export {
  defineMcpServer,
  defineMcpTool,
  type InProcessCall,
  type InProcessTool,
  type McpServerDefinition,
} from './in-process/define-mcp-server.ts';
export { createOrphanGuard } from './line/orphan-guard.ts';
export { createMcpServers, type McpPorts, type McpServerInfo, type McpServers } from './mcp-servers.ts';
export { type ServedHttp, type ServeHttpOptions, serveHouseOnHttp } from './serve/serve-http.ts';
export type { ServeOptions } from './serve/serve-options.ts';
export { type ServedDoor, type ServeStdioOptions, serveHouseOnStdio } from './serve/serve-stdio.ts';
export type * from './serve/served-house.ts';
