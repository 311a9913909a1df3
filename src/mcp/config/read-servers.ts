import { isAbsolute, resolve } from 'node:path';
import { isObject, ToolwrightError } from '../../core/index.ts';
import { type McpServerEntry, serverSchema } from './config-schema.ts';
import { expandVariables } from './expand-variables.ts';
import { lineOf } from './line-of.ts';
import { DEFAULT_MCP_TIMEOUTS, type McpEndpoint, type McpServerConfig } from './server-config.ts';

export interface ServersFile {
  /** For messages, and where relative folders start. */
  readonly file: string;
  readonly folder: string;
  /** The file as it was read, to name lines. */
  readonly text?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface ReadServers {
  readonly servers: readonly McpServerConfig[];
  /** What is wrong with single servers, each with file, line and key; the others stand. Never holds a value. */
  readonly problems: readonly string[];
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9 ._-]{0,63}$/;

/** Reads an `mcpServers` object. One broken server takes none of the others with it. */
export function readServers(value: unknown, source: ServersFile): ReadServers {
  const servers: McpServerConfig[] = [];
  const problems: string[] = [];
  const report = (path: readonly PropertyKey[], message: string) => {
    const line = source.text === undefined ? undefined : lineOf(source.text, ['mcpServers', ...path]);
    const place = line === undefined ? source.file : `${source.file}:${line}`;
    problems.push(`${place}: ${['mcpServers', ...path].map(String).join('.')}: ${message}`);
  };
  if (!isObject(value)) {
    report([], 'it must be an object, server names as its keys');
    return { servers, problems };
  }
  for (const [name, entry] of Object.entries(value)) {
    if (!NAME.test(name)) {
      report([name], 'a name has at most 64 letters, digits, blanks, dots, dashes and underscores');
      continue;
    }
    const parsed = serverSchema.safeParse(entry);
    if (!parsed.success) {
      for (const issue of parsed.error.issues.slice(0, 5)) report([name, ...issue.path], issue.message);
      continue;
    }
    if (parsed.data.disabled) continue;
    const before = problems.length;
    const config = toConfig(name, parsed.data, source, (path, message) => report([name, ...path], message));
    if (config !== undefined && problems.length === before) servers.push(config);
  }
  return { servers, problems };
}

/** One server from a program. Throws ToolwrightError `invalid_request` with what is wrong. */
export function readServer(name: string, entry: unknown, source: ServersFile): McpServerConfig {
  const { servers, problems } = readServers({ [name]: entry }, source);
  const [server] = servers;
  if (server !== undefined) return server;
  throw new ToolwrightError('invalid_request', problems.join('\n') || `the server ${name} is disabled`, {
    hint: 'Give a command with args, or a url.',
  });
}

type Report = (path: readonly string[], message: string) => void;

function toConfig(
  name: string,
  entry: McpServerEntry,
  source: ServersFile,
  report: Report,
): McpServerConfig | undefined {
  const expand = (text: string, path: readonly string[]): string => {
    const { text: expanded, missing } = expandVariables(text, source.env);
    for (const variable of missing) report(path, `the variable ${variable} is not set`);
    return expanded;
  };
  const expandAll = (texts: Readonly<Record<string, string>> | undefined, key: string) =>
    Object.fromEntries(Object.entries(texts ?? {}).map(([field, text]) => [field, expand(text, [key, field])]));
  const endpoint = toEndpoint(entry, { expand, expandAll, report, folder: source.folder });
  if (endpoint === undefined) return undefined;
  const call = entry.timeouts?.call ?? DEFAULT_MCP_TIMEOUTS.call;
  return {
    name,
    source: source.file,
    endpoint,
    trusted: entry.trusted ?? false,
    parallel: entry.parallel ?? false,
    pinned: entry.pinned ?? false,
    timeouts: {
      connect: entry.timeouts?.connect ?? DEFAULT_MCP_TIMEOUTS.connect,
      list: entry.timeouts?.list ?? DEFAULT_MCP_TIMEOUTS.list,
      call,
      idle: entry.timeouts?.idle ?? call,
    },
    toolTimeouts: entry.toolTimeouts ?? {},
  };
}

interface Expand {
  readonly expand: (text: string, path: readonly string[]) => string;
  readonly expandAll: (texts: Readonly<Record<string, string>> | undefined, key: string) => Record<string, string>;
  readonly report: Report;
  readonly folder: string;
}

function toEndpoint(entry: McpServerEntry, { expand, expandAll, report, folder }: Expand): McpEndpoint | undefined {
  const { type, command, url } = entry;
  if ((command === undefined) === (url === undefined)) {
    report([], command === undefined ? 'it needs a command or a url' : 'it has both a command and a url');
    return undefined;
  }
  if (command !== undefined) {
    if (type !== undefined && type !== 'stdio') report(['type'], `"${type}" goes with a url, not with a command`);
    const cwd = entry.cwd === undefined ? undefined : expand(entry.cwd, ['cwd']);
    return {
      kind: 'stdio',
      command: expand(command, ['command']),
      args: (entry.args ?? []).map((arg, index) => expand(arg, ['args', String(index)])),
      env: expandAll(entry.env, 'env'),
      ...(cwd === undefined ? {} : { cwd: isAbsolute(cwd) ? cwd : resolve(folder, cwd) }),
    };
  }
  if (type === 'stdio') report(['type'], '"stdio" goes with a command, not with a url');
  const address = expand(url ?? '', ['url']);
  if (!/^https?:\/\/[^/]/i.test(address) || !URL.canParse(address)) {
    report(['url'], 'it must be an http or https address');
    return undefined;
  }
  return {
    kind: type === 'sse' ? 'sse' : 'http',
    url: address,
    headers: expandAll(entry.headers, 'headers'),
    fallback: type === undefined,
    oauth: entry.oauth ?? true,
  };
}
