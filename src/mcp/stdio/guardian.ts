import { type ChildProcess, spawn } from 'node:child_process';

/**
 * Ends the process groups that are still listed when its stdin closes, which the system does when our
 * process is gone, however it went.
 */
const SCRIPT = `g=
while read -r line; do
  case $line in
    +*) g="$g \${line#+}" ;;
    -*) n=; for p in $g; do [ "$p" = "\${line#-}" ] || n="$n $p"; done; g=$n ;;
  esac
done
[ -n "$g" ] || exit 0
sleep 0.5
for p in $g; do kill -s TERM -- "-$p" 2>/dev/null; done
sleep 1
for p in $g; do kill -s KILL -- "-$p" 2>/dev/null; done
exit 0`;

/** Knows the groups of all servers that we started, so that none outlives us. */
export interface Guardian {
  watch(group: number): void;
  forget(group: number): void;
  close(): void;
}

/** One small shell for all servers, started with the first of them. */
export function createGuardian(path: string): Guardian {
  let shell: ChildProcess | undefined;
  const groups = new Set<number>();
  const tell = (line: string) => void shell?.stdin?.write(`${line}\n`);
  const start = () => {
    const child = spawn('/bin/sh', ['-c', SCRIPT], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      env: { PATH: path },
      cwd: '/',
    });
    child.on('error', () => {});
    child.stdin.on('error', () => {});
    child.once('exit', () => {
      if (shell === child) shell = undefined;
    });
    child.unref();
    (child.stdin as typeof child.stdin & { unref?: () => void }).unref?.();
    shell = child;
    for (const group of groups) tell(`+${group}`);
  };
  return {
    watch(group) {
      groups.add(group);
      if (shell === undefined) start();
      else tell(`+${group}`);
    },
    forget(group) {
      groups.delete(group);
      tell(`-${group}`);
    },
    close() {
      shell?.stdin?.end();
      shell = undefined;
    },
  };
}
