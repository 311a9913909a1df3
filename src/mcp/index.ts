export { removeServer, writeServer } from './config/edit-servers.ts';
export { type NamedServer, readServers } from './config/read-servers.ts';
export type { ServerEntry } from './config/server-config.ts';
export { createMcp, type Mcp, type McpOptions, type ServerInfo, type ServerState } from './create-mcp.ts';
export { readPins } from './pins.ts';
export type { ProcessHost } from './stdio/server-process.ts';
