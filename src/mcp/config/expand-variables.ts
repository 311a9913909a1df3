import { ToolwrightError } from '../../core/index.ts';

/** Values of variables; undefined where there is none. */
export type Variables = Readonly<Record<string, string | undefined>>;

const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/** `${VAR}` and `${VAR:-default}` filled in. A variable that is not set and has no default is an error that names it. */
export function expandVariables(text: string, variables: Variables): string {
  return text.replace(VARIABLE, (_whole, name: string, fallback: string | undefined) => {
    const value = variables[name];
    if (value !== undefined && (value !== '' || fallback === undefined)) return value;
    if (fallback !== undefined) return fallback;
    throw new ToolwrightError('invalid_request', `the variable ${name} is not set`, {
      hint: `Set ${name}, or write \${${name}:-default}.`,
    });
  });
}
