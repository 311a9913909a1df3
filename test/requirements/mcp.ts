import type { Requirements } from '../requirements.ts';

/** Id -> behaviour. Ids in capitals are those of the reported failure families. */
export const requirements: Requirements = {
  'MCP-01': 'Noise on a server’s stdout is logged and costs nothing: the handshake and the calls succeed.',
  'MCP-03':
    'A server that dies ends its calls at once, with its name, exit code and last words; it comes back by itself.',
  'MCP-04':
    'A server that starts slowly or never delays no other; a call without an answer times out and is cancelled.',
  'MCP-05': 'A server’s stderr is always read, and only its end is kept.',
  'MCP-06': 'A server sees its config’s variables and a short list of ours; a command that is missing is named.',
  'MCP-07': 'Nothing that a server started is left after close, after our exit, or after our death.',
  'MCP-08': 'All pages of a tool list are read, and a list that goes round or never ends is cut with a warning.',
  'MCP-09': 'Progress of unknown or finished calls, and huge or odd progress, harms nothing.',
  'MCP-11': 'A session that the server has ended is renewed once for all calls, and a call is repeated once.',
  'MCP-13': 'Every kind of content of a result is kept as what it is, and no result is empty.',
  'MCP-15': 'Errors of tools and of the protocol become results of their calls.',
  'MCP-16': 'Changed tool lists are read again, few times in a storm, and never lost.',
  'REG-03': 'Whatever schemas a server lists, each usable tool is offered and only the hopeless one is left out.',
  'mcp/config': 'A bad entry is named by file, line and key, costs only itself, and never shows a value.',
  'mcp/trust': 'Servers of a project that nobody trusts are listed and not started.',
  'mcp/chaos': 'Thirty ways to break the protocol each end in the right result; no sibling, session or exit suffers.',
  'mcp/reference': 'The reference servers work over stdio, Streamable HTTP and SSE: results, progress and cancel.',
  'mcp/conformance': 'The official client scenarios pass, but for those of the baseline, each with its reason.',
  'mcp/eras': 'Both protocols are spoken: the newer one where a server knows it, else the older handshake.',
  'mcp/traits':
    'Annotations count for trusted servers only; calls of a server stand in line unless it may run in parallel.',
  'mcp/pinned': 'A pinned tool whose definition changed is asked for again.',
  'mcp/asks': 'What a server asks reaches the person of the running call, or is declined.',
  'mcp/start': 'Servers connect side by side in the background; dead ones delay nobody.',
  'mcp/load': 'Thirty-two calls are in flight on one server.',
  'mcp/runtime': 'Servers are added, removed and read again at run time.',
  'mcp/cli': 'The command line lists, adds, removes and tests servers, as JSON too.',
  'mcp/oauth':
    'A server that asks who we are is answered by OAuth with PKCE; tokens stay in the home, for its owner only.',
};
