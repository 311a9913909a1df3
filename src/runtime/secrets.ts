import type { Env } from './env.ts';

/** The shell's working folder is called PWD and is no password. */
const FOLDER_NAME = /^(OLD)?PWD$/;

const SECRET_NAME =
  /(^|[_-])(api_?key|access_?key|private_?key|key|token|secret|password|passwd|pwd|credentials?|auth)([_-]|$)/i;

/** A shorter value is a word that stands in ordinary text too, so masking it would only spoil output. */
const SHORTEST_SECRET = 6;

/** Values of the variables whose names say that they are secret, and of those that the settings list. */
export function secretValues(env: Env, listed: readonly string[] = []): string[] {
  const values = Object.entries(env).flatMap(([name, value]) =>
    (SECRET_NAME.test(name) || listed.includes(name)) &&
    !FOLDER_NAME.test(name) &&
    value !== undefined &&
    value.length >= SHORTEST_SECRET
      ? [value]
      : [],
  );
  return [...new Set(values)];
}
