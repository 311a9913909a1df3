/** Groups that must not outlive this process; its exit is one event, so this is one set. */
const groups = new Set<number>();

/** Kills the process group when this process exits before it was told not to; gives the way to tell. */
export function endAtExit(group: number): () => void {
  if (groups.size === 0) process.on('exit', killAll);
  groups.add(group);
  return () => {
    groups.delete(group);
    if (groups.size === 0) process.off('exit', killAll);
  };
}

function killAll(): void {
  for (const group of groups) {
    try {
      process.kill(-group, 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
}
