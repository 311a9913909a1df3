import type { Requirements } from '../requirements.ts';

/** Id -> behaviour: the house as an MCP server. */
export const requirements: Requirements = {
  'mcp/serve': 'An MCP client of either era gets the tools of a view over stdio and HTTP, under the same policy.',
  'mcp/serve-ask': "What needs a permission is asked of the client's person, or denied with a reason.",
  'mcp/serve-http': 'By HTTP only who shows the token is answered; odd requests are refused and leave nothing behind.',
  'mcp/serve-conformance':
    'As a server the house passes the official conformance suite, but for what it declares absent.',
  'mcp/web-search':
    'The bundled search server asks the configured service, bounded in time and size, and no other host.',
  'mcp/task-scheduler':
    'The bundled scheduler wakes sessions at their time, once for each time, however many share it.',
};
