import { createHash } from 'node:crypto';
import {
  type AskPower,
  callError,
  canonicalJson,
  errorOutput,
  isObject,
  type Tool,
  type ToolOutput,
  type ToolPermission,
} from '../../core/index.ts';
import { checkOutput } from '../../schema/index.ts';
import type { McpServerConfig } from '../config/server-config.ts';
import type { RemoteTool } from '../line/list-tools.ts';
import type { SupervisedLine } from '../line/supervised-line.ts';
import { toOutput } from './to-output.ts';

/** Longer than the line's own limit, so that the line ends the call and says why. */
const REPORT_MS = 5_000;
const DESCRIPTION_CHARS = 8_000;

export interface ToToolOptions {
  readonly config: McpServerConfig;
  readonly line: Pick<SupervisedLine, 'call'>;
  /** The name under which models are offered it. */
  readonly exposed: string;
  /** Told while a call runs, so that a question of the server's finds the person. */
  readonly during: (ask: AskPower | undefined) => () => void;
  /** What the tool was when it was first seen, where that is held against it. */
  readonly changed: () => boolean;
}

/**
 * A server's tool as one of the house. Its own word about what it does counts only for a trusted server; without it
 * every call is one that may change something.
 */
export function toTool(remote: RemoteTool, options: ToToolOptions): Tool {
  const { config, line, exposed, during, changed } = options;
  const says = (hint: string) => config.trusted && remote.annotations[hint] === true;
  const readOnly = says('readOnlyHint');
  const isShared = readOnly || config.parallel;
  const longest = config.toolTimeouts[remote.name] ?? config.timeouts.call;
  const key = `mcp:${config.name}`;
  return {
    name: exposed,
    description: describe(remote, config.name),
    input: withType(remote.inputSchema),
    traits: { readOnly, concurrencySafe: isShared, interrupt: 'cancel', timeoutMs: longest + REPORT_MS },
    claims: () => [{ key, mode: isShared ? 'read' : 'write' }],
    permissions: () => (changed() ? [CHANGED] : []),
    async run(input, ctx): Promise<ToolOutput> {
      if (remote.needsTask) {
        return errorOutput(
          callError('unavailable', `${remote.name} can only run as a task of its server, which is not supported.`, {
            hint: 'Use another tool of it.',
          }),
        );
      }
      const leave = during(ctx.ask);
      try {
        const result = await line.call({
          tool: remote.name,
          input: isObject(input) ? input : {},
          readOnly,
          signal: ctx.signal,
          progress: (text) => ctx.progress(text, 'info'),
        });
        const { output, structured } = await toOutput(result, { callId: ctx.call.id, outputs: ctx.outputs });
        return output.error ? output : await judged(remote, output, structured);
      } finally {
        leave();
      }
    },
  };
}

const CHANGED: ToolPermission = {
  effect: 'ask',
  reason: 'the server says something else about this tool than when it was first seen',
};

/** A server must keep to its output schema; when it does not, what it gave is still shown, and told to be odd. */
async function judged(remote: RemoteTool, output: ToolOutput, structured: unknown): Promise<ToolOutput> {
  if (remote.outputSchema === undefined) return output;
  const checked = await checkOutput(remote.outputSchema, structured);
  if (checked.ok) return output;
  const note = `[the structured result breaks the tool's own output schema at ${checked.pointer || '/'}: ${checked.message}]`;
  const content =
    typeof output.content === 'string' ? [{ type: 'text' as const, text: output.content }] : output.content;
  return {
    ...output,
    content: [...content.filter((part) => part.type !== 'text' || part.text !== ''), { type: 'text', text: note }],
  };
}

function describe({ title, description, name }: RemoteTool, server: string): string {
  const text = description.trim() || title || name;
  const whole =
    title !== undefined && description.trim() !== '' && !text.startsWith(title) ? `${title}. ${text}` : text;
  return whole.length <= DESCRIPTION_CHARS
    ? whole
    : `${whole.slice(0, DESCRIPTION_CHARS)}… (cut; of the MCP server ${server})`;
}

/** A root without a type is an object: the protocol has no other. */
function withType(schema: RemoteTool['inputSchema']): RemoteTool['inputSchema'] {
  return 'type' in schema || '$ref' in schema || 'anyOf' in schema || 'oneOf' in schema || 'allOf' in schema
    ? schema
    : { type: 'object', ...schema };
}

/** What a tool says of itself, as one short text: changes when its description, schemas or annotations do. */
export function fingerprintOf({
  name,
  title,
  description,
  inputSchema,
  outputSchema,
  annotations,
}: RemoteTool): string {
  const text = canonicalJson([name, title ?? null, description, inputSchema, outputSchema ?? null, annotations]);
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
