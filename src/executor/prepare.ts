import {
  type CallError,
  type Clock,
  callError,
  DEFAULT_TRAITS,
  isObject,
  type JsonObject,
  type RawToolCall,
  type ReadShell,
  TOOL_NAME,
  type Tool,
  type ToolSet,
  type ToolTraits,
  toCallError,
  traitsFor,
} from '../core/index.ts';
import { describeIssues, nearNames, parseArguments, parseInput, projectSchema, toJsonSchema } from '../schema/index.ts';
import type { ExecutorLimits } from './limits.ts';
import { within } from './within.ts';

/** What preparing and judging take beside the session. */
export interface JudgeParts {
  readonly clock: Clock;
  readonly limits: ExecutorLimits;
  readonly readShell?: ReadShell | undefined;
}

/** A call that may go on to be judged. */
export interface RunnableCall {
  readonly name: string;
  readonly tool: Tool;
  readonly input: unknown;
  readonly traits: ToolTraits;
  /** Told in the result: what was mended on the way. */
  readonly notes: readonly string[];
}

/** A call that ends here; `input` is what could be read of it. */
export interface FaultyCall {
  readonly name: string;
  readonly input: unknown;
  readonly fault: CallError;
}

/** The name as it may stand in a transcript, whatever the model sent. */
function legalName(raw: unknown): string {
  const text = typeof raw === 'string' ? raw.trim() : '';
  if (TOOL_NAME.test(text)) return text;
  return text.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || 'unnamed_tool';
}

/** The name that a call is known by: the canonical one, or what can be read of the one that was written. */
export function nameOf(raw: RawToolCall, tools: Pick<ToolSet, 'canonical'>): string {
  return tools.canonical(writtenName(raw)) ?? legalName(raw.name);
}

const writtenName = (raw: RawToolCall) => (typeof raw.name === 'string' ? raw.name.trim() : '');

/** Names, arguments and input of a call, checked in that order; the first fault is the call's answer. */
export async function prepareCall(
  raw: RawToolCall,
  tools: ToolSet & { offers(name: string): boolean; isGone?(name: string): boolean },
  parts: JudgeParts,
): Promise<RunnableCall | FaultyCall> {
  const written = writtenName(raw);
  const name = nameOf(raw, tools);
  const parsed = parseArguments(raw.arguments, { finished: raw.finished !== false });
  const seen = parsed.ok ? parsed.value : raw.arguments;
  const tool = tools.get(written);
  if (tools.isGone?.(name)) return { name, input: seen, fault: goneTool(name) };
  if (!tool) return { name, input: seen, fault: unknownTool(written, tools) };
  if (!tools.offers(name)) return { name, input: seen, fault: notOffered(name) };
  if (!parsed.ok) return { name, input: seen, fault: parsed.error };
  if (raw.finished === false) return { name, input: seen, fault: cutOff(name) };
  const input = renameKeys(parsed.value, tool, written);
  const prepared = await parseFor(name, tool, input, parts);
  if ('fault' in prepared) return prepared;
  if (parsed.repaired && !prepared.traits.readOnly) return { name, input, fault: noGuess(name, parsed.note) };
  return { ...prepared, notes: parsed.note ? [parsed.note] : [] };
}

/** Checks an input against its tool's schema: for the model's own and again for one that a hook changed. */
export async function parseFor(
  name: string,
  tool: Tool,
  input: unknown,
  { clock, limits }: JudgeParts,
): Promise<RunnableCall | FaultyCall> {
  try {
    const judged = parseInput(tool.input, unwrapInput(tool, input));
    const outcome =
      judged instanceof Promise ? await within(clock, limits.factsMs, `checking the input of ${name}`, judged) : judged;
    if (!outcome.ok) {
      const message = describeIssues(name, outcome.issues, toJsonSchema(tool.input));
      return {
        name,
        input,
        fault: callError('invalid_input', message, { hint: 'Correct these fields and call again.' }),
      };
    }
    const traits = traitsFor(tool, outcome.value, defaultTraits(limits));
    return { name, tool, input: outcome.value, traits, notes: [] };
  } catch (error) {
    return { name, input, fault: toCallError(error, 'internal') };
  }
}

/** The key under which providers are shown an input that is no object, for the tools that take such. */
const wrapKeys = new WeakMap<Tool, string | undefined>();

function unwrapInput(tool: Tool, input: unknown): unknown {
  if (!wrapKeys.has(tool)) {
    const { type } = toJsonSchema(tool.input);
    wrapKeys.set(tool, type === 'object' ? undefined : projectSchema(toJsonSchema(tool.input), 'openai').wrap?.key);
  }
  const key = wrapKeys.get(tool);
  return key !== undefined && isObject(input) && key in input ? input[key] : input;
}

function defaultTraits(limits: ExecutorLimits): ToolTraits {
  return { ...DEFAULT_TRAITS, timeoutMs: limits.toolTimeoutMs, maxOutputChars: limits.maxOutputChars };
}

/** An alias may name its keys differently; a key that is there under both names keeps the canonical one. */
function renameKeys(input: JsonObject, tool: Tool, written: string): JsonObject {
  const map = tool.aliases?.find((alias) => alias.name === written)?.input;
  if (!map) return input;
  const renamed: JsonObject = {};
  for (const [key, value] of Object.entries(input)) {
    const target = Object.hasOwn(map, key) ? (map[key] as string) : key;
    if (target === '') continue;
    if (target === key || !Object.hasOwn(input, target)) renamed[target] = value;
  }
  return renamed;
}

function noGuess(name: string, note = ''): CallError {
  const message = `The arguments of ${name} are not valid JSON, and this tool does not run on a guess. ${note}`.trim();
  return callError('invalid_json', message, { hint: 'Send the call again with strict JSON arguments.' });
}

function cutOff(name: string): CallError {
  return callError('invalid_json', `The reply ended before the call of ${name} was complete, so it was not run.`, {
    hint: 'Send the call again; make the arguments shorter if they are long.',
  });
}

function unknownTool(written: string, tools: ToolSet): CallError {
  const near = nearNames(written, tools.names());
  const said = written === '' ? 'The call names no tool.' : `There is no tool "${written.slice(0, 100)}".`;
  return callError('unknown_tool', near.length > 0 ? `${said} Near names: ${near.join(', ')}.` : said, {
    hint: 'Call one of the tools that were offered.',
  });
}

function goneTool(name: string): CallError {
  return callError('unavailable', `The tool ${name} is not there any more.`, {
    hint: 'Use another tool, or go on without it.',
    retryable: true,
  });
}

function notOffered(name: string): CallError {
  return callError('not_offered', `The tool ${name} is allowed in this session but was not offered in this request.`, {
    hint: `Call tool_expand_tools with {"tool_names": ["${name}"]} first, then call ${name}.`,
  });
}
