/** How long they mean to stay, seconds; whoever runs one puts another number in its place, by which to find it. */
export const LONG = '98231';

/** Commands that mean to stay, to hang or to flood. */
export const HOSTILE_COMMANDS: Readonly<Record<string, string>> = {
  background: `sleep ${LONG} &`,
  setsid: `setsid sleep ${LONG}`,
  'setsid in the background': `(setsid sleep ${LONG}) & echo done`,
  nohup: `nohup sleep ${LONG} & disown; echo done`,
  'double fork': `( ( sleep ${LONG} & ) & ); echo done`,
  daemon: `python3 -c "import os,time
if os.fork(): os._exit(0)
os.setsid()
if os.fork(): os._exit(0)
os.chdir('/'); time.sleep(${LONG})"`,
  'a chain of forks': `f() { [ $1 -gt 0 ] && { f $(($1-1)) & } ; sleep ${LONG}; }; f 8`,
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
  'here-document': `cat <<'EOF'\n$(sleep ${LONG}) \`sleep ${LONG}\` $$\nEOF`,
  'open here-document': 'cat <<EOF\nno end',
  'open quote': `echo "it's`,
  'cd trap': 'cd / && cd - && cd nowhere; pwd',
  'quoting trap': `echo '"'"'"'; sleep ${LONG} #'`,
  'deaf to TERM': `trap '' TERM; sleep ${LONG}`,
  'deaf to everything': `trap '' TERM INT HUP QUIT; while :; do sleep ${LONG}; done`,
  'stopped itself': 'kill -STOP $$; echo awake',
  'stopped child': `sleep ${LONG} & kill -STOP $!; wait`,
  'zombie maker': `python3 -c "import os,time
for i in range(20):
  if os.fork()==0: os._exit(0)
time.sleep(${LONG})"`,
  coproc: `coproc sleep ${LONG}; echo $COPROC_PID`,
  exec: `exec sleep ${LONG}`,
  'inherited descriptors': `exec 3>&1 4>&2; (sleep ${LONG} >&3 2>&4) & echo done`,
  'pipe held open': `sleep ${LONG} | cat | cat`,
  'process substitution': `cat <(sleep ${LONG}) >(sleep ${LONG})`,
  ulimit: `ulimit -f 0 -n 4; echo x > f; sleep ${LONG}`,
  'many arguments': `echo $(seq 1 100000) | wc -w; sleep ${LONG}`,
  'kills itself': 'kill -9 $$',
  'kills its group': 'kill -9 0',
  'busy loop': 'while :; do :; done',
  fifo: 'mkfifo p; cat p',
  'removes its folder': `mkdir d; cd d; rmdir ../d; pwd; sleep ${LONG}`,
  'closes its output': `exec >&- 2>&-; sleep ${LONG}`,
  'handles TERM': `trap 'exit 0' TERM; while :; do sleep 0.1; done`,
  'group of its own': `set -m; sleep ${LONG} & sleep ${LONG} & wait`,
  'another name': `exec -a harmless sleep ${LONG}`,
  'nohup and setsid': `nohup setsid sleep ${LONG} </dev/null >/dev/null 2>&1 & echo done`,
  'deaf and in a session of its own': `(trap '' TERM HUP INT; setsid sleep ${LONG}) & echo done`,
  'deaf program': `python3 -c "import signal,time
for s in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT): signal.signal(s, signal.SIG_IGN)
time.sleep(${LONG})"`,
  'storm of forks': `for i in $(seq 1 60); do sleep ${LONG} & done; wait`,
  timeout: `timeout 100 sleep ${LONG}`,
  'tail -f': 'echo a > f; tail -f f',
  'input of a program': 'python3 -c "print(input())"',
  'prompt on the terminal': 'exec 3<>/dev/tty && echo -n "Are you sure (yes/no)? " >&3 && read x <&3',
  'git clone': 'git clone -q http://127.0.0.1:1/x y',
  ssh: 'ssh -o ConnectTimeout=1 nobody@127.0.0.1 true',
  passwd: 'passwd',
  'wait for ever': `sleep ${LONG} & wait`,
  'writes after the end': '(for i in $(seq 1 200); do echo late; sleep 0.05; done) & echo done',
  'handler of the exit': `trap 'sleep ${LONG}' EXIT; echo done`,
  'two here-documents': 'cat <<A - <<B\none $(echo 1)\nA\ntwo\nB',
  'heredoc that is never closed in a substitution': 'x=$(cat <<EOF\nno end',
  'odd quotes': `printf '%s\\n' "a'b" 'c"d' $'e\\'f' \\'g`,
  'cd into a link loop': 'ln -s loop loop; cd loop; pwd',
  'cd with CDPATH': 'mkdir -p p/q; CDPATH=p; cd q && pwd',
  'binary on both': 'head -c 3000000 /dev/urandom | tee /dev/stderr',
  'NUL bytes': "printf 'a\\0b\\0c\\n'",
  'redrawn for ever': `while :; do printf '\\r%s' $RANDOM; done`,
  'escape sequences for ever': `while :; do printf '\\033[2J\\033[31m'; done`,
  'one endless line': `tr -dc x </dev/zero`,
};

/** What reaches this very process where nothing is between, and what leaves its group, its parents and its environment behind, so that nothing there tells whose it is. */
export const UNCAGED_COMMANDS: Readonly<Record<string, string>> = {
  'kills its parent': 'kill -9 $PPID; echo still here',
  'kills all that it may': 'kill -9 -1',
  'environment emptied': `exec env -i setsid sleep ${LONG}`,
  'out of sight': `(env -i setsid sleep ${LONG} >/dev/null 2>&1 &) & echo done`,
  'out of sight, twice forked': `python3 -c "import os,time
if os.fork(): os._exit(0)
os.setsid()
if os.fork(): os._exit(0)
os.execve('/bin/sleep', ['sleep', '${LONG}'], {})"`,
};
