import {
  type AfterOutcome,
  type BeforeOutcome,
  type Content,
  type Hook,
  type HookCall,
  isToolOutput,
  type SessionInfo,
  type ToolOutput,
  type ToolResult,
  ToolwrightError,
} from '../core/index.ts';
import { type CommandWord, type HookCommand, type HookEvent, type RunCommand, readCommandEnd } from './hook-command.ts';
import { createCommandMatcher } from './match-command.ts';

export interface CommandHookOptions {
  readonly run: RunCommand;
  readonly cwd: string;
  readonly permissionMode: string;
  /** A tool's canonical name and its aliases. */
  readonly namesOf: (name: string) => readonly string[];
  /** Told to the person. */
  readonly tell: (message: string) => void;
  /** A hook wants the run to end. */
  readonly stop: (reason: string) => void;
}

/** The joined word of all commands of one event. */
export interface EventVerdict {
  readonly block?: { readonly hook: string; readonly reason: string };
  readonly stop?: string;
  /** For the model. */
  readonly context: readonly string[];
  readonly failures: readonly string[];
}

/** The rest of the grace is the command's own end; the hook's own limit stands behind it. */
const GRACE_MS = 5_000;

const LATE_MS = 2_000;

const hookLabel = ({ event, command }: HookCommand) => `${event}: ${command.slice(0, 80)}`;

/** The settings' commands for calls, as hooks like any other. */
export function createCommandHooks(commands: readonly HookCommand[], options: CommandHookOptions): Hook[] {
  return commands.flatMap((command): Hook[] => {
    if (command.event !== 'PreToolUse' && command.event !== 'PostToolUse') return [];
    const fits = createCommandMatcher(command.matcher);
    const base = {
      name: hookLabel(command),
      match: (name: string) => fits(options.namesOf(name)),
      onFailure: command.onFailure,
      timeoutMs: command.timeoutMs + GRACE_MS,
    };
    const say = async (call: HookCall, more: object) => {
      const fields = { tool_name: call.name, tool_input: call.input, tool_use_id: call.id, ...more };
      const word = await ask(command, call.session, fields, options, call.signal);
      if ('failure' in word) throw new ToolwrightError('failed', word.failure);
      return word;
    };
    if (command.event === 'PreToolUse') return [{ ...base, before: async (call) => toBefore(await say(call, {})) }];
    const after = async (call: HookCall, result: ToolResult) => {
      const { content, data, error } = result;
      const response = { content, is_error: error !== undefined, ...(data !== undefined && { metadata: data }) };
      return toAfter(await say(call, { tool_response: { ...response, ...(error && { error }) } }), result);
    };
    return [{ ...base, after }];
  });
}

/** Runs the commands of an event that is no call, in order; the first block ends it. */
export async function runEventHooks(
  commands: readonly HookCommand[],
  event: Exclude<HookEvent, 'PreToolUse' | 'PostToolUse'>,
  about: {
    readonly session: SessionInfo;
    readonly fields: Readonly<Record<string, unknown>>;
    /** What a matcher is held against: the source of a start, the trigger of a compaction, an agent's name. */
    readonly subject?: string;
    readonly signal?: AbortSignal;
  },
  options: CommandHookOptions,
): Promise<EventVerdict> {
  const context: string[] = [];
  const failures: string[] = [];
  for (const command of commands) {
    if (command.event !== event) continue;
    if (about.subject !== undefined && !createCommandMatcher(command.matcher)([about.subject])) continue;
    const hook = hookLabel(command);
    const word = await ask(command, about.session, about.fields, options, about.signal);
    if ('failure' in word) {
      failures.push(`${hook}: ${word.failure}`);
      options.tell(`the hook ${hook} failed: ${word.failure}`);
      if (command.onFailure === 'continue') continue;
      return { block: { hook, reason: `it has to agree and failed: ${word.failure}` }, context, failures };
    }
    if (word.context !== undefined) context.push(word.context);
    if (word.stop !== undefined) return { block: { hook, reason: word.stop }, stop: word.stop, context, failures };
    if (word.block !== undefined) return { block: { hook, reason: word.block }, context, failures };
  }
  return { context, failures };
}

async function ask(
  command: HookCommand,
  session: SessionInfo,
  fields: object,
  options: CommandHookOptions,
  signal?: AbortSignal,
): Promise<CommandWord> {
  const { agentName } = session;
  const child = { agent_id: agentName, agent_type: agentName, subagent_name: agentName };
  const input = JSON.stringify({
    session_id: session.id,
    // The conversation is kept in the database and not in a file.
    transcript_path: '',
    cwd: options.cwd,
    permission_mode: options.permissionMode,
    hook_event_name: command.event,
    agent_name: agentName,
    ...(agentName === 'main' ? {} : child),
    ...fields,
  });
  // In a cancelled run its results still pass the after hooks, which then have little time.
  const isLate = signal?.aborted === true;
  const timeoutMs = isLate ? Math.min(command.timeoutMs, LATE_MS) : command.timeoutMs;
  const end = await options.run(command.command, { input, timeoutMs, ...(signal && !isLate && { signal }) });
  const word = readCommandEnd(command.event, end);
  if ('message' in word && word.message !== undefined) options.tell(word.message);
  if ('stop' in word && word.stop !== undefined) options.stop(word.stop);
  return word;
}

type Said = Exclude<CommandWord, { readonly failure: string }>;

function toBefore({ block, ask: why, allow, input, context }: Said): BeforeOutcome {
  return {
    ...(block !== undefined && { block }),
    ...(why !== undefined && { ask: why }),
    ...(allow !== undefined && { allow }),
    ...(input !== undefined && { input: input.value }),
    ...(context !== undefined && { note: context }),
  };
}

/** The call has run: a block of an after hook is told to the model with the result. */
function toAfter({ block, output, context }: Said, result: ToolResult): AfterOutcome {
  const notes = [...(block === undefined ? [] : [block]), ...(context === undefined ? [] : [context])];
  return {
    ...(output !== undefined && { output: toOutput(output, result) }),
    ...(notes.length > 0 && { note: notes.join('\n') }),
  };
}

function toOutput(output: unknown, { data, error, stored }: ToolResult): ToolOutput {
  if (isToolOutput(output)) return output;
  const content: Content = typeof output === 'string' ? output : (JSON.stringify(output) ?? '');
  return { content, ...(data !== undefined && { data }), ...(error && { error }), ...(stored && { stored }) };
}
