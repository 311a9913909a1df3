import { isAbsolute, resolve } from 'node:path';
import { z } from 'zod';
import { ToolwrightError } from '../../core/index.ts';
import { nearNames } from '../../schema/index.ts';
import type { McpServerDefinition } from '../in-process/define-mcp-server.ts';
import { expandVariables, type Variables } from './expand-variables.ts';

const LONGEST_MS = 2_147_483_647;
const ms = z.int().positive().max(LONGEST_MS);
const texts = z.record(z.string(), z.string());

const entrySchema = z.object({
  type: z.enum(['stdio', 'http', 'streamable-http', 'sse']).optional(),
  command: z.string().optional(),
  args: z.array(z.string()).optional(),
  env: texts.optional(),
  cwd: z.string().optional(),
  url: z.string().optional(),
  headers: texts.optional(),
  oauth: z
    .strictObject({
      clientId: z.string().optional(),
      clientSecret: z.string().optional(),
      scope: z.string().optional(),
      port: z.int().positive().max(65_535).optional(),
    })
    .optional(),
  trusted: z.boolean().optional(),
  parallel: z.boolean().optional(),
  pinned: z.boolean().optional(),
  sampling: z.boolean().optional(),
  disabled: z.boolean().optional(),
  timeouts: z
    .strictObject({
      connect: ms.optional(),
      list: ms.optional(),
      call: ms.optional(),
      idle: ms.optional(),
      tools: z.record(z.string(), ms).optional(),
    })
    .optional(),
});

/** An entry of `mcpServers`, as people write it. */
export type ServerEntry = z.input<typeof entrySchema>;

export interface StdioTarget {
  readonly kind: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

export interface UrlTarget {
  readonly kind: 'http' | 'sse';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** No type was written: the older transport is tried where the newer one is not known. */
  readonly mayFallBack: boolean;
  readonly oauth: NonNullable<ServerEntry['oauth']>;
}

/** A server of this process, at the other end of a line in memory. */
export interface InProcessTarget {
  readonly kind: 'in-process';
  readonly server: McpServerDefinition;
}

export interface ServerTimeouts {
  readonly connect: number;
  readonly list: number;
  /** The longest that a call may take, whatever it tells meanwhile. */
  readonly call: number;
  /** The longest that a call may be silent; progress starts it anew. */
  readonly idle: number;
  readonly tools: Readonly<Record<string, number>>;
}

/** An entry read: variables filled in, defaults in place. */
export interface ServerConfig {
  readonly target: StdioTarget | UrlTarget | InProcessTarget;
  /** Its annotations count. */
  readonly trusted: boolean;
  /** Its calls may run side by side. */
  readonly parallel: boolean;
  /** A tool whose definition changed is asked for again. */
  readonly pinned: boolean;
  /** It may ask for replies of the model; each one is put to the person. */
  readonly sampling: boolean;
  readonly disabled: boolean;
  readonly timeouts: ServerTimeouts;
}

const DEFAULT_TIMEOUTS = { connect: 20_000, list: 60_000, call: 1_800_000 } as const;

/** What is wrong with an entry: `path` leads to the place in it. Never holds a value of the entry. */
export interface EntryFault {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Reads an entry; throws ToolwrightError `invalid_request` with the fault as its data. `folder` is where relative paths start. */
export function readServerConfig(entry: unknown, folder: string, variables: Variables): ServerConfig {
  const parsed = entrySchema.safeParse(entry);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const path = (issue?.path ?? []).map((step) => (typeof step === 'number' ? step : String(step)));
    throw fault(path, issue?.message ?? 'it cannot be read');
  }
  const { data } = parsed;
  const filled = (text: string, ...path: (string | number)[]) => {
    try {
      return expandVariables(text, variables);
    } catch (error) {
      throw fault(path, (error as Error).message, (error as ToolwrightError).hint);
    }
  };
  const fillAll = (values: Readonly<Record<string, string>> | undefined, key: string) =>
    Object.fromEntries(Object.entries(values ?? {}).map(([name, value]) => [name, filled(value, key, name)]));
  const { connect, list, call, idle, tools } = data.timeouts ?? {};
  const longest = call ?? DEFAULT_TIMEOUTS.call;
  return {
    target: readTarget(),
    trusted: data.trusted ?? false,
    parallel: data.parallel ?? false,
    pinned: data.pinned ?? false,
    sampling: data.sampling ?? false,
    disabled: data.disabled ?? false,
    timeouts: {
      connect: connect ?? DEFAULT_TIMEOUTS.connect,
      list: list ?? DEFAULT_TIMEOUTS.list,
      call: longest,
      idle: idle ?? longest,
      tools: tools ?? {},
    },
  };

  function readTarget(): StdioTarget | UrlTarget {
    const kind = data.type ?? (data.command !== undefined ? 'stdio' : data.url !== undefined ? undefined : 'none');
    if (kind === 'none') throw fault([], 'it has neither a "command" to start nor a "url" to call');
    if (kind === 'stdio') {
      if (data.command === undefined) throw fault(['type'], 'a server of the type stdio needs a "command"');
      const command = filled(data.command, 'command');
      if (command.trim() === '') throw fault(['command'], 'the command is empty');
      const cwd = filled(data.cwd ?? '.', 'cwd');
      return {
        kind: 'stdio',
        command,
        args: (data.args ?? []).map((arg, index) => filled(arg, 'args', index)),
        env: fillAll(data.env, 'env'),
        cwd: isAbsolute(cwd) ? cwd : resolve(folder, cwd),
      };
    }
    if (data.url === undefined) throw fault(['type'], `a server of the type ${kind} needs a "url"`);
    const url = readUrl(filled(data.url, 'url'));
    const shared = { url, headers: fillAll(data.headers, 'headers'), oauth: data.oauth ?? {} };
    for (const [name, value] of Object.entries(shared.headers)) {
      try {
        new Headers([[name, value]]);
      } catch {
        throw fault(['headers', name], 'no header can have this name and value');
      }
    }
    return { ...shared, kind: kind === 'sse' ? 'sse' : 'http', mayFallBack: kind === undefined };
  }

  function readUrl(text: string): URL {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
    throw fault(['url'], 'it is not an http or https address');
  }
}

/** Keys of an entry that mean nothing to us, with the one that was meant. */
export function unknownKeys(entry: object): { readonly key: string; readonly near?: string }[] {
  const known = Object.keys(entrySchema.shape);
  return Object.keys(entry)
    .filter((key) => !known.includes(key))
    .map((key) => {
      const near = nearNames(key, known, 1)[0];
      return near === undefined ? { key } : { key, near };
    });
}

function fault(path: EntryFault['path'], message: string, hint?: string): ToolwrightError {
  const place = path.length === 0 ? '' : `${path.join('.')}: `;
  const data: EntryFault = { path, message };
  return new ToolwrightError('invalid_request', `${place}${message}`, {
    data,
    ...(hint === undefined ? {} : { hint }),
  });
}
