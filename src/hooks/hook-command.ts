import { isObject } from '../core/index.ts';

/** What happens in a session that commands can be told of; named as in Claude Code. */
export const HOOK_EVENTS = [
  'PreToolUse',
  'PostToolUse',
  'SessionStart',
  'UserPromptSubmit',
  'PreCompact',
  'SubagentStop',
  'Stop',
] as const;
export type HookEvent = (typeof HOOK_EVENTS)[number];

/** One command of the settings. */
export interface HookCommand {
  readonly event: HookEvent;
  readonly matcher?: string;
  readonly command: string;
  readonly timeoutMs: number;
  readonly onFailure: 'deny' | 'continue';
}

/** How a command ended; `error` when it could not be started. */
export interface CommandEnd {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly timedOut: boolean;
  /** It said more than is read. */
  readonly overflowed: boolean;
  readonly error?: string;
}

/** Runs a command of the settings on the host; ends it and all it started when its time is over. Never rejects. */
export type RunCommand = (
  command: string,
  options: { readonly input: string; readonly timeoutMs: number; readonly signal?: AbortSignal },
) => Promise<CommandEnd>;

/** What a command said, or why it counts as having said nothing. */
export type CommandWord =
  | { readonly failure: string }
  | {
      readonly block?: string;
      readonly ask?: string;
      readonly allow?: string;
      readonly input?: { readonly value: unknown };
      readonly output?: unknown;
      readonly context?: string;
      /** The whole run is to end. */
      readonly stop?: string;
      /** For the person. */
      readonly message?: string;
    };

/** Text on stdout is context for the model where there is no call to judge. */
const TEXT_IS_CONTEXT: ReadonlySet<HookEvent> = new Set(['SessionStart', 'UserPromptSubmit']);

/**
 * Reads a command's end as Claude Code does: exit 2 blocks with stderr as the reason, exit 0 is read as JSON,
 * anything else is a failure that blocks nothing by itself.
 */
export function readCommandEnd(event: HookEvent, end: CommandEnd): CommandWord {
  if (end.error !== undefined) return { failure: `it could not be started: ${end.error}` };
  if (end.timedOut) return { failure: 'it did not end in time and was ended' };
  if (end.code === 2) return { block: end.stderr.trim().slice(0, 10_000) || 'it exited with 2 and gave no reason' };
  if (end.code !== 0) {
    const why = end.stderr.trim().slice(0, 500);
    return { failure: `it ended with ${end.code === null ? 'a signal' : `exit code ${end.code}`}${why && `: ${why}`}` };
  }
  if (end.overflowed) return { failure: 'it said more than 10 MB' };
  const text = end.stdout.trim();
  if (text === '') return {};
  if (!text.startsWith('{')) {
    return TEXT_IS_CONTEXT.has(event) ? { context: text } : { failure: 'what it said on stdout is no JSON object' };
  }
  try {
    return readAnswer(JSON.parse(text) as Record<string, unknown>);
  } catch {
    return { failure: 'what it said on stdout is not valid JSON' };
  }
}

function readAnswer(said: Record<string, unknown>): CommandWord {
  const specific = isObject(said['hookSpecificOutput']) ? said['hookSpecificOutput'] : {};
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
  const reason = text(specific['permissionDecisionReason']) ?? text(said['reason']) ?? 'the hook gave no reason';
  const decision = specific['permissionDecision'] ?? said['permissionDecision'];
  if (decision !== undefined && !['allow', 'deny', 'ask'].includes(String(decision))) {
    return { failure: `its permissionDecision is ${JSON.stringify(decision)}, not allow, deny or ask` };
  }
  const isBlocked = decision === 'deny' || said['decision'] === 'block';
  const isStopped = said['continue'] === false;
  const stop = isStopped ? (text(said['stopReason']) ?? 'a hook ended the run') : undefined;
  const block = isBlocked ? reason : stop;
  const input = specific['updatedInput'] ?? said['updatedInput'];
  const output = specific['updatedToolOutput'] ?? said['updatedToolOutput'];
  const context = text(specific['additionalContext']) ?? text(said['additionalContext']);
  const message = text(said['systemMessage']);
  return {
    ...(block !== undefined && { block }),
    ...(decision === 'ask' && { ask: reason }),
    ...((decision === 'allow' || said['decision'] === 'approve') && { allow: reason }),
    ...(input !== undefined && { input: { value: input } }),
    ...(output !== undefined && { output }),
    ...(context !== undefined && { context }),
    ...(stop !== undefined && { stop }),
    ...(message !== undefined && { message }),
  };
}
