/** One line of an allow or deny list: a name, an alias, or `prefix*`. */
export interface NameList {
  has(name: string): boolean;
  /** The list holds that very name, or an alias of it; a pattern does not count. */
  names(name: string): boolean;
  /** Lines that match none of these names, each once. */
  unmatched(known: readonly string[]): readonly string[];
}

/** Reads a list of names; blank lines are passed over. `canonical` makes an alias its tool's name. */
export function createNameList(lines: readonly string[], canonical: (name: string) => string | undefined): NameList {
  const exact = new Map<string, string>();
  const prefixes: string[] = [];
  for (const line of lines.map((text) => text.trim())) {
    if (line.endsWith('*')) prefixes.push(line.slice(0, -1));
    else if (line !== '') exact.set(canonical(line) ?? line, line);
  }
  return {
    has: (name) => exact.has(name) || prefixes.some((prefix) => name.startsWith(prefix)),
    names: (name) => exact.has(name),
    unmatched(known) {
      const there = new Set(known);
      const unknownNames = [...exact].flatMap(([name, line]) => (there.has(name) ? [] : [line]));
      const unknownPrefixes = prefixes.filter((prefix) => !known.some((name) => name.startsWith(prefix)));
      return [...unknownNames, ...new Set(unknownPrefixes.map((prefix) => `${prefix}*`))];
    },
  };
}
