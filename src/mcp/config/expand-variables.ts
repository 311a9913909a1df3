/** Names that a text needs and nobody has set. */
export interface Expanded {
  readonly text: string;
  readonly missing: readonly string[];
}

const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/** `${NAME}` and `${NAME:-default}`, once; what a value holds is not expanded again, and nothing else is a sign. */
export function expandVariables(text: string, env: Readonly<Record<string, string | undefined>>): Expanded {
  const missing: string[] = [];
  const expanded = text.replace(VARIABLE, (whole, name: string, fallback: string | undefined) => {
    const value = env[name] || fallback;
    if (value !== undefined) return value;
    missing.push(name);
    return whole;
  });
  return { text: expanded, missing };
}
