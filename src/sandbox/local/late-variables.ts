/** Before a name it makes one that means nothing to the loader, a shell or the search for programs. */
const PREFIX = 'TOOLWRIGHT_LATE_';
const RESTORE = [
  `for TOOLWRIGHT_LATE in "\${!${PREFIX}@}"`,
  `do export "\${TOOLWRIGHT_LATE#${PREFIX}}=\${!TOOLWRIGHT_LATE}"`,
  'unset "$TOOLWRIGHT_LATE"',
  'done 2>/dev/null',
  'exec "$@"',
].join('; ');

export interface LateVariables {
  /** The environment of what makes the cage: the sandbox's own, the variables under names that mean nothing. */
  readonly env: Readonly<Record<string, string>>;
  /** The command, begun inside, with the variables under their names. */
  enter(command: readonly string[]): readonly string[];
}

/**
 * Variables that a call chose, kept from the programs of the host that make its cage: PATH would choose them,
 * LD_PRELOAD would load a library of the workspace into them. They travel in the environment all the same, since
 * arguments can be read by every user of the machine. What no shell can call a variable keeps its odd name.
 */
export function lateVariables(
  own: Readonly<Record<string, string>>,
  chosen: Readonly<Record<string, string>> = {},
): LateVariables {
  const late = Object.entries(chosen).map(([name, value]) => [PREFIX + name, value] as const);
  return {
    env: { ...own, ...Object.fromEntries(late) },
    enter: (command) => (late.length === 0 ? command : ['bash', '-c', RESTORE, 'variables', ...command]),
  };
}
