export { type TaskSchedulerOptions, taskSchedulerServer } from './bundled/task-scheduler.ts';
export { type WebSearchOptions, webSearchServer } from './bundled/web-search.ts';
export { removeServer, writeServer } from './config/edit-servers.ts';
export { type NamedServer, readServers } from './config/read-servers.ts';
export type { ServerEntry } from './config/server-config.ts';
export { createMcp, type Mcp, type McpOptions, type ServerInfo, type ServerState } from './create-mcp.ts';
export {
  defineMcpServer,
  defineMcpTool,
  type InProcessCall,
  type InProcessTool,
  type McpServerDefinition,
} from './in-process/define-mcp-server.ts';
export { createInProcessServer } from './in-process/open-in-process.ts';
export { readPins } from './pins.ts';
export { serveHouseOnHttp, serveHouseOnStdio } from './serve/serve-house.ts';
export type { ServedHttp, ServeHttpOptions } from './serve/serve-http.ts';
export type { ServeOptions } from './serve/serve-options.ts';
export type { ServedDoor, ServeStdioOptions } from './serve/serve-stdio.ts';
export type * from './serve/served-house.ts';
export type { ProcessHost } from './stdio/server-process.ts';
