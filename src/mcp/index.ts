export { type TaskSchedulerOptions, taskSchedulerServer } from './bundled/task-scheduler.ts';
export { type WebSearchOptions, webSearchServer } from './bundled/web-search.ts';
export { createInProcessServer } from './in-process/create-in-process-server.ts';
export {
  defineMcpServer,
  defineMcpTool,
  type InProcessCall,
  type InProcessTool,
  type McpServerDefinition,
} from './in-process/define-mcp-server.ts';
export { type ServedHttp, type ServeHttpOptions, serveHouseOnHttp } from './serve/serve-http.ts';
export type { ServeOptions } from './serve/serve-options.ts';
export { type ServedDoor, type ServeStdioOptions, serveHouseOnStdio } from './serve/serve-stdio.ts';
export type * from './serve/served-house.ts';
