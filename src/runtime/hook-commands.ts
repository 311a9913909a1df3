import { createCommandMatcher, HOOK_EVENTS, type HookCommand } from '../hooks/index.ts';
import type { ConfigFile } from './config.ts';

/** A hook's time when it does not say, as Claude Code has it; a prompt waits for its hooks. */
const TIMEOUT_MS = 600_000;
const PROMPT_TIMEOUT_MS = 30_000;

/** The commands that may be used, the home's first, and a warning for each that may not. */
export function hookCommands(files: {
  readonly home: ConfigFile | undefined;
  readonly project: ConfigFile | undefined;
  readonly trusted: boolean;
}): { commands: readonly HookCommand[]; warnings: readonly string[] } {
  const home = commandsOf(files.home);
  const project = commandsOf(files.project);
  if (files.trusted) return { commands: [...home, ...project], warnings: [] };
  const warnings = project.map(
    ({ event, command }) =>
      `${files.project?.path}: the ${event} hook \`${command}\` is not used, for the project is not trusted (--trust-project)`,
  );
  return { commands: home, warnings };
}

function commandsOf(file: ConfigFile | undefined): HookCommand[] {
  return HOOK_EVENTS.flatMap((event) =>
    (file?.config.hooks?.[event] ?? []).flatMap(({ matcher, hooks }) => {
      // A matcher that cannot be read is told now, and not by a hook that never fits.
      createCommandMatcher(matcher);
      return hooks.map(({ command, timeout, onFailure }): HookCommand => {
        const standard = event === 'UserPromptSubmit' ? PROMPT_TIMEOUT_MS : TIMEOUT_MS;
        return {
          event,
          command,
          ...(matcher === undefined ? {} : { matcher }),
          timeoutMs: timeout === undefined ? standard : timeout * 1_000,
          onFailure: onFailure ?? 'continue',
        };
      });
    }),
  );
}
