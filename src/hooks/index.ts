export { type CommandHookOptions, createCommandHooks, type EventVerdict, runEventHooks } from './command-hooks.ts';
export { type CommandEnd, HOOK_EVENTS, type HookCommand, type HookEvent, type RunCommand } from './hook-command.ts';
export { createHookRunner, type HookRunnerOptions } from './hook-runner.ts';
export { createCommandMatcher } from './match-command.ts';
