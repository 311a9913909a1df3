import { createHash } from 'node:crypto';
import {
  callError,
  canonicalJson,
  cutEnd,
  errorOutput,
  isObject,
  isToolwrightError,
  type JsonSchema,
  messageOf,
  type Tool,
  type ToolContext,
  ToolwrightError,
  toCallError,
} from '../../core/index.ts';
import { requireUsable } from '../../schema/index.ts';
import type { ServerConfig } from '../config/server-config.ts';
import type { ListedTool } from '../line/list-tools.ts';
import { factsOf } from '../line/server-error.ts';
import type { ServerLine } from '../line/server-line.ts';
import { resultOutput } from './result-output.ts';

/** Folders of the person's own; copies of skills and the like are the house's affair. */
const WORK = new Set(['workspace', 'added']);

export interface ToToolOptions {
  readonly server: string;
  readonly config: ServerConfig;
  readonly line: () => ServerLine;
  readonly exposedName: (server: string, tool: string) => string;
  /** The tool is pinned and is no longer what was accepted; a call of it is asked for, and accepts it. */
  readonly isChanged: (tool: string, fingerprint: string) => boolean;
  readonly accept: (tool: string, fingerprint: string) => void;
}

export interface ServerTool {
  readonly listedName: string;
  /** Of all that a model or a person judges the tool by. */
  readonly fingerprint: string;
  readonly tool: Tool;
}

/** Beyond our own limit of a call, so that ours is the one that is told. */
const SLACK_MS = 5_000;
const MOST_DESCRIPTION = 16_000;
const PROGRESS_CHARS = 2_000;

/** A listed tool as one of the house; throws ToolwrightError saying why it cannot be used. */
export function toTool(listed: ListedTool, options: ToToolOptions): ServerTool {
  const { server, config } = options;
  const { name } = listed;
  if (typeof name !== 'string' || name.trim() === '') throw unusable('a tool without a name');
  if (isObject(listed['execution']) && listed['execution']['taskSupport'] === 'required') {
    throw unusable('it runs as a task only, which is not supported');
  }
  const input = readSchema(listed['inputSchema'] ?? { type: 'object' }, 'inputSchema');
  requireUsable(input);
  const outputSchema = readOutputSchema(listed['outputSchema']);
  const hints = config.trusted && isObject(listed['annotations']) ? listed['annotations'] : {};
  const readOnly = hints['readOnlyHint'] === true;
  const timeoutMs = config.timeouts.tools[name] ?? config.timeouts.call;
  const fingerprint = fingerprintOf(listed);
  const mode = readOnly || config.parallel ? 'read' : 'write';
  const isChanged = () => config.pinned && options.isChanged(name, fingerprint);
  const tool: Tool = {
    name: options.exposedName(server, name),
    description: describe(listed, server),
    input,
    traits: {
      readOnly,
      concurrencySafe: mode === 'read',
      interrupt: 'cancel',
      timeoutMs: timeoutMs + SLACK_MS,
    },
    claims: () => [{ key: `mcp:${server.replaceAll('/', '_')}`, mode }],
    permissions: () =>
      isChanged()
        ? [
            {
              effect: 'ask',
              reason: `the MCP server ${server} has changed the definition of ${name} since it was accepted`,
            },
          ]
        : [],
    async run(args, context: ToolContext) {
      if (isChanged()) options.accept(name, fingerprint);
      try {
        const result = await options.line().call({
          tool: name,
          arguments: args,
          inputSchema: input,
          signal: context.signal,
          readOnly,
          timeoutMs,
          running: {
            session: context.session,
            roots: context.roots.list.filter(({ label }) => WORK.has(label)).map(({ path }) => path),
            ...(context.ask === undefined ? {} : { ask: context.ask }),
          },
          onProgress: ({ progress, total, message }) => {
            const steps = total === undefined ? `${progress}` : `${progress}/${total}`;
            const text = message === undefined ? steps : `${steps} ${message}`;
            context.progress(`${cutEnd(text, PROGRESS_CHARS)}\n`, 'info');
          },
        });
        return await resultOutput(result, { server, tool: name, outputSchema, context });
      } catch (error) {
        if (context.signal.aborted) throw error;
        if (isToolwrightError(error)) return errorOutput(toCallError(error), { server, tool: name });
        return protocolError(error, server, name);
      }
    },
  };
  return { listedName: name, fingerprint, tool };
}

/** What a server answers in place of a result. */
function protocolError(error: unknown, server: string, tool: string) {
  const { code, message } = factsOf(error);
  const said = code === undefined ? message : `error ${code}: ${message}`;
  const call = callError('failed', `${tool} of the MCP server ${server} answered with ${said}`, {
    hint: code === -32_602 ? 'Correct the input and call again.' : 'Do something else, or try again later.',
  });
  return errorOutput(call, { server, tool, ...(code === undefined ? {} : { code }) });
}

function describe(listed: ListedTool, server: string): string {
  const annotations = isObject(listed['annotations']) ? listed['annotations'] : {};
  const texts = [listed['description'], listed['title'], annotations['title']];
  const text = texts.find((each): each is string => typeof each === 'string' && each.trim() !== '');
  return cutEnd(text ?? `The tool ${String(listed['name'])} of the MCP server ${server}.`, MOST_DESCRIPTION);
}

/** A schema may be `true` or `false`, which a tool's input is not. */
function readSchema(schema: unknown, key: string): JsonSchema {
  if (schema === true) return {};
  if (isObject(schema)) return schema;
  throw unusable(`its ${key} is no schema`);
}

function readOutputSchema(schema: unknown): JsonSchema | undefined {
  if (!isObject(schema)) return undefined;
  try {
    requireUsable(schema);
    return schema;
  } catch {
    return undefined;
  }
}

function unusable(why: string): ToolwrightError {
  return new ToolwrightError('invalid_request', why);
}

function fingerprintOf(listed: ListedTool): string {
  const { title, description, inputSchema, outputSchema, annotations } = listed;
  return createHash('sha256')
    .update(canonicalJson({ title, description, inputSchema, outputSchema, annotations }))
    .digest('hex');
}

/** Why a listed tool is not offered, with the place in its schema where that is known. */
export interface QuarantinedTool {
  readonly name: string;
  readonly reason: string;
  readonly pointer?: string;
}

export function quarantined(listed: ListedTool, error: unknown): QuarantinedTool {
  const name = typeof listed['name'] === 'string' ? listed['name'] : '';
  const data = isToolwrightError(error) ? error.data : undefined;
  const pointer = isObject(data) && typeof data['pointer'] === 'string' ? data['pointer'] : undefined;
  return { name, reason: messageOf(error), ...(pointer === undefined ? {} : { pointer }) };
}
