import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { verifies } from '../../../test/verifies.ts';
import { commandEnvironment } from '../../sandbox/index.ts';
import { inTempFolder } from '../../testing/temp-folder.ts';
import { createToolRunner } from '../../testing/tool-runner.ts';
import { runBash } from '../index.ts';

const LIMIT_MS = 1_000;
/** From TERM to KILL for what is deaf to TERM, and what a machine under load adds. */
const MORE_MS = 8_000;

const COMMANDS: Readonly<Record<string, string>> = {
  background: 'sleep 999 &',
  setsid: 'setsid sleep 999',
  'setsid in the background': '(setsid sleep 999) & echo done',
  nohup: 'nohup sleep 999 & disown; echo done',
  'double fork': '( ( sleep 999 & ) & ); echo done',
  daemon: `python3 -c "import os,time
if os.fork(): os._exit(0)
os.setsid()
if os.fork(): os._exit(0)
os.chdir('/'); time.sleep(999)"`,
  'a chain of forks': 'f() { [ $1 -gt 0 ] && { f $(($1-1)) & } ; sleep 999; }; f 8',
  read: 'read x; echo got:$x',
  'read of the terminal': 'read x </dev/tty',
  cat: 'cat',
  sudo: 'sudo -k true; echo',
  'password prompt': `printf 'Password: '; read -s x; exit 1`,
  'git rebase -i':
    'git init -q r && cd r && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m a && git rebase -i --root',
  'git commit without a message':
    'git init -q s && cd s && touch f && git add f && git -c user.name=a -c user.email=a@b commit',
  editor: 'vi x',
  pager: 'seq 1 1000 | less',
  top: 'top',
  yes: 'yes',
  'yes to both': 'yes & yes >&2',
  'binary flood': 'cat /dev/urandom',
  'zero flood': 'cat /dev/zero',
  'very long line': `head -c 5000000 /dev/zero | tr '\\0' x`,
  'here-document': `cat <<'EOF'\n$(sleep 999) \`sleep 999\` $$\nEOF`,
  'open here-document': 'cat <<EOF\nno end',
  'open quote': `echo "it's`,
  'cd trap': 'cd / && cd - && cd nowhere; pwd',
  'quoting trap': `echo '"'"'"'; sleep 999 #'`,
  'deaf to TERM': `trap '' TERM; sleep 999`,
  'deaf to everything': `trap '' TERM INT HUP QUIT; while :; do sleep 999; done`,
  'stopped itself': 'kill -STOP $$; echo awake',
  'stopped child': 'sleep 999 & kill -STOP $!; wait',
  'zombie maker': `python3 -c "import os,time
for i in range(20):
  if os.fork()==0: os._exit(0)
time.sleep(999)"`,
  coproc: 'coproc sleep 999; echo $COPROC_PID',
  exec: 'exec sleep 999',
  'inherited descriptors': 'exec 3>&1 4>&2; (sleep 999 >&3 2>&4) & echo done',
  'pipe held open': 'sleep 999 | cat | cat',
  'process substitution': 'cat <(sleep 999) >(sleep 999)',
  ulimit: 'ulimit -f 0 -n 4; echo x > f; sleep 999',
  'many arguments': 'echo $(seq 1 100000) | wc -w; sleep 999',
  'kills itself': 'kill -9 $$',
  'kills its group': 'kill -9 0',
  'environment emptied': 'exec env -i setsid sleep 999',
  'busy loop': 'while :; do :; done',
  fifo: 'mkfifo p; cat p',
  'removes its folder': 'mkdir d; cd d; rmdir ../d; pwd; sleep 999',
  'closes its output': 'exec >&- 2>&-; sleep 999',
};

/** Processes that carry the mark, or run in the folder. */
function left(mark: string, root: string): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'latin1');
      const environment = readFileSync(`/proc/${pid}/environ`, 'latin1');
      return environment.includes(mark) || command.includes(root) ? [command] : [];
    } catch {
      return [];
    }
  });
}

const names = Object.keys(COMMANDS);
const PER_TEST = 8;
for (let first = 0; first < names.length; first += PER_TEST) {
  verifies(
    'tools/hostile',
    `commands ${first + 1} to ${Math.min(first + PER_TEST, names.length)} end within their time and leave nothing`,
    () =>
      inTempFolder(async (root) => {
        const mark = `HOSTILE_MARK=${root}`;
        const env = commandEnvironment(process.env, { HOSTILE_MARK: root });
        const tools = createToolRunner([runBash], { root, env });
        try {
          for (const name of names.slice(first, first + PER_TEST)) {
            const began = performance.now();
            const result = await tools.run('run_bash', { command: COMMANDS[name], timeout_ms: LIMIT_MS });
            expect([name, performance.now() - began < LIMIT_MS + MORE_MS]).toEqual([name, true]);
            expect([name, (result.data as { status: string }).status]).not.toEqual([name, 'running']);
            expect(result.text.length).toBeLessThan(4_200);
          }
        } finally {
          await tools.context.dispose();
        }
        expect(left(mark, root)).toEqual([]);
      }),
    120_000,
  );
}
