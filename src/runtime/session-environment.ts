import { type Masker, type Sandbox, ToolwrightError } from '../core/index.ts';
import { createMasker } from '../executor/index.ts';
import type { Env } from './env.ts';
import { VARIABLE_NAME } from './sandbox-schema.ts';
import { secretValues } from './secrets.ts';
import type { Settings } from './settings.ts';

/** Variables of one session's commands beside the small environment that all get, and who masks their secrets. */
export interface SessionEnvironment {
  readonly variables: Readonly<Record<string, string>>;
  readonly masker: Masker;
}

/** `NAME`, a variable of our own that is passed on, or `NAME=value`; ToolwrightError `invalid_request` for all else. */
export function parseVariable(entry: string): { readonly name: string; readonly value?: string } {
  const [, name = '', value] = /^([^=]*)(?:=([\s\S]*))?$/.exec(entry) ?? [];
  // A value may be a secret: it is never told.
  if (!VARIABLE_NAME.test(name)) {
    throw new ToolwrightError('invalid_request', `${JSON.stringify(name)} cannot be the name of a variable`, {
      hint: 'Write NAME or NAME=value, the name of letters, digits and _, not beginning with a digit.',
    });
  }
  if (value?.includes('\0')) {
    throw new ToolwrightError('invalid_request', `the value of the variable ${name} holds a NUL`);
  }
  return value === undefined ? { name } : { name, value };
}

export interface EnvironmentHost {
  readonly env: Env;
  readonly settings: Pick<Settings, 'sandbox' | 'secrets'>;
  readonly masker: Masker;
}

/**
 * What the settings name and, over it, what the session's own entries say. A name that is not set here is not
 * passed. Values that only the session has are secrets by the same rule as those of the process.
 */
export function sessionEnvironment(
  { env, settings, masker }: EnvironmentHost,
  entries: readonly string[] = [],
): SessionEnvironment {
  const variables: Record<string, string> = {};
  const own: Record<string, string> = {};
  for (const { name, value } of [...(settings.sandbox.env ?? []), ...entries].map(parseVariable)) {
    const passed = value ?? env[name];
    if (passed !== undefined) variables[name] = passed;
    if (value !== undefined) own[name] = value;
  }
  const secrets = secretValues(own, settings.secrets);
  if (secrets.length === 0) return { variables, masker };
  return { variables, masker: createMasker({ values: [...secretValues(env, settings.secrets), ...secrets] }) };
}

/** The sandbox whose commands have these variables, too; what a start itself sets wins. */
export function withVariables(sandbox: Sandbox, variables: Readonly<Record<string, string>>): Sandbox {
  if (Object.keys(variables).length === 0) return sandbox;
  return {
    ...sandbox,
    start: (command, options) => sandbox.start(command, { ...options, env: { ...variables, ...options?.env } }),
  };
}
