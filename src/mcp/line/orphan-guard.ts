import { type ChildProcess, spawn } from 'node:child_process';

/**
 * A shell that outlives us by a moment: it reads from a pipe of ours which groups there are, and when the pipe ends
 * without its having been told that all is well, it ends those groups (TERM, two seconds, KILL).
 */
const SCRIPT = `trap '' INT TERM HUP
groups=
while read -r sign group; do
  case $sign in
    +) groups="$groups $group" ;;
    -) rest=; for one in $groups; do [ "$one" = "$group" ] || rest="$rest $one"; done; groups=$rest ;;
  esac
done
[ -n "$groups" ] || exit 0
for one in $groups; do kill -s TERM -- "-$one" 2>/dev/null; done
sleep 2
for one in $groups; do kill -s KILL -- "-$one" 2>/dev/null; done`;

export interface OrphanGuard {
  /** Ends the group of that process when this process has died without a word. */
  guard(pid: number): { release(): void };
  close(): void;
}

/** One watcher for all servers of a runtime, started with the first of them. Without a shell there is none. */
export function createOrphanGuard(): OrphanGuard {
  let watcher: ChildProcess | undefined;
  let broken = false;
  const start = (): ChildProcess => {
    const child = spawn('sh', ['-c', SCRIPT], {
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
      env: { PATH: '/usr/bin:/bin' },
    });
    child.on('error', () => {
      broken = true;
    });
    child.stdin?.on('error', () => {});
    child.unref();
    (child.stdin as unknown as { unref?: () => void }).unref?.();
    return child;
  };
  return {
    guard(pid) {
      if (process.platform === 'win32' || broken) return { release() {} };
      watcher ??= start();
      const { stdin } = watcher;
      stdin?.write(`+ ${pid}\n`);
      return { release: () => void stdin?.write(`- ${pid}\n`) };
    },
    close() {
      watcher?.stdin?.end();
      watcher = undefined;
    },
  };
}
