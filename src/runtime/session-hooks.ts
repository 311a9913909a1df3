import type { Hook, SessionInfo } from '../core/index.ts';
import {
  type CommandHookOptions,
  createCommandHooks,
  type EventVerdict,
  type HookCommand,
  runEventHooks,
} from '../hooks/index.ts';

/** A session's command hooks. */
export interface SessionHooks {
  /** Before and after calls. */
  readonly calls: readonly Hook[];
  /** Once a process and session. */
  start(signal: AbortSignal): Promise<EventVerdict>;
  prompt(prompt: string, signal: AbortSignal): Promise<EventVerdict>;
  /** `again`: the run goes on only because a hook did not let it end. */
  stop(again: boolean, signal: AbortSignal): Promise<EventVerdict>;
}

const NOTHING: EventVerdict = { context: [], failures: [] };

export function createSessionHooks(
  commands: readonly HookCommand[],
  session: SessionInfo,
  isNew: boolean,
  options: CommandHookOptions,
): SessionHooks {
  let started = false;
  return {
    calls: createCommandHooks(commands, options),
    async start(signal) {
      if (started) return NOTHING;
      started = true;
      const source = isNew ? 'startup' : 'resume';
      return runEventHooks(commands, 'SessionStart', { session, fields: { source }, subject: source, signal }, options);
    },
    prompt: (prompt, signal) =>
      runEventHooks(commands, 'UserPromptSubmit', { session, fields: { prompt }, signal }, options),
    stop: (again, signal) =>
      runEventHooks(commands, 'Stop', { session, fields: { stop_hook_active: again }, signal }, options),
  };
}
