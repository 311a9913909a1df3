export { createHookRunner, type HookRunnerOptions } from './create-hook-runner.ts';
