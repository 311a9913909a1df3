export { createHookRunner, type HookRunnerOptions } from './hook-runner.ts';
