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
  'MCP-01': 'What a server prints beside the protocol is passed over, and its answers are found among it.',
  'MCP-03': 'A server that dies ends what was pending with its reason, harms nobody else, and comes back.',
  'MCP-04': 'A server or call that never answers delays nobody and ends at its limit; late answers are dropped.',
  'MCP-06': 'A server gets its own variables and a short list; a command that is not there is told by its name.',
  'MCP-07': 'No process of a server outlives its line or its host.',
  'MCP-08': 'Lists are read to their end, and lists without end are ended.',
  'MCP-09': 'Progress finds its call while it runs and is dropped in every other case.',
  'MCP-13': 'Whatever a result holds is shown, or named and kept; nothing is empty.',
  'MCP-15': 'Errors of tools and of the protocol are results that say which.',
  'MCP-16': 'Changes of a list reach the session, with few readings for many notes.',
  'mcp/pins': 'A pinned tool whose word has changed is told and asked for again.',
  'mcp/reference': "The reference servers' tools work over every transport, with progress and cancel.",
};
