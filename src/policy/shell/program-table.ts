/** How a program's words may run another one. Options are given as they are written, apart by blanks. */
export interface ProgramSpec {
  /** What its operands are, behind the first `skip`: the words of a command, or text for a shell. */
  readonly runs?: 'words' | 'text';
  readonly skip?: number;
  /** It does nothing beside running its command. */
  readonly passive?: true;
  /** Operands `NAME=value` before the command. */
  readonly sets?: true;
  /** Options without and with a value. Those of a program that runs its operands must all stand here. */
  readonly flags?: string;
  readonly values?: string;
  /** Options whose value is text for a shell. */
  readonly text?: string;
  /** Options behind which the words of a command begin, up to `;` or `+`. */
  readonly command?: string;
  /** Options that make it run what is not read here. */
  readonly hides?: string;
  /** Options that make it write files. */
  readonly writes?: string;
  /** It takes its code from its input when it has no operand. */
  readonly input?: true;
  /** Its first operand is code: of sed, of awk, or of any kind. */
  readonly code?: 'sed' | 'awk' | 'any';
  /** By first operand; `hides` there is all of it, or a pattern of its words. */
  readonly sub?: Readonly<Record<string, ProgramSpec>>;
  /** Always runs what is not read here. */
  readonly opaque?: true;
  /** A word that fits makes it run what is not read here; of its first operand only. */
  readonly hidesWord?: RegExp;
  readonly hidesFirst?: RegExp;
  /** It is a shell: `-c` makes its first operand the text that it runs. */
  readonly shell?: true;
  /** Options whose value may only be attached to them, so that they end a row of letters. */
  readonly optional?: string;
  /** Options with a value that is code. */
  readonly codeOption?: string;
  /** Options that make it only tell about its command. */
  readonly query?: string;
}

const SHELL: ProgramSpec = {
  shell: true,
  passive: true,
  flags:
    '-a -b -c -e -f -h -i -k -l -m -n -p -r -s -t -u -v -x -B -C -E -H -P -T -D --login --posix --norc --noprofile --verbose --noediting --restricted --version --help',
  values: '-o -O +o +O',
  hides: '-s --rcfile --init-file --debugger',
  input: true,
};
const CODE: ProgramSpec = { input: true };
const PYTHON: ProgramSpec = {
  ...CODE,
  hides: '-c -i',
  values: '-m -W -X --check-hash-based-pycs',
  hidesWord: /^(?:timeit|code|pdb|trace|profile|cProfile|runpy)$/,
};
const EDITOR: ProgramSpec = {
  hides: '-c --cmd -S -s -u -U -i -w --eval -eval -f -l --load --funcall --batch',
  hidesWord: /^\+./,
};
/** What is known of programs, by name. */
export const PROGRAMS: Readonly<Record<string, ProgramSpec>> = {
  // They only run what stands behind them.
  time: {
    runs: 'words',
    passive: true,
    sets: true,
    flags: '-p -v -a -q --verbose --append --quiet --portability',
    values: '-f -o --format --output',
  },
  timeout: {
    runs: 'words',
    passive: true,
    skip: 1,
    flags: '-v -f -p --foreground --preserve-status --verbose',
    values: '-k -s --kill-after --signal',
  },
  nice: { runs: 'words', passive: true, flags: '-1 -2 -3 -4 -5 -6 -7 -8 -9 -0', values: '-n --adjustment' },
  nohup: { runs: 'words', passive: true },
  stdbuf: { runs: 'words', passive: true, values: '-i -o -e --input --output --error' },
  setsid: { runs: 'words', passive: true, flags: '-c -f -w --ctty --fork --wait' },
  ionice: { runs: 'words', passive: true, flags: '-t --ignore', values: '-c -n --class --classdata' },
  chrt: { runs: 'words', passive: true, skip: 1, flags: '-a -b -d -f -i -m -o -r -R -v', values: '-T -P -D' },
  taskset: { runs: 'words', passive: true, skip: 1, flags: '-a -c --all-tasks --cpu-list' },
  command: { runs: 'words', passive: true, flags: '-p', query: '-v -V' },
  builtin: { runs: 'words', passive: true },
  exec: { runs: 'words', passive: true, flags: '-c -l', values: '-a' },
  coproc: { runs: 'words', passive: true, sets: true },
  env: {
    runs: 'words',
    passive: true,
    sets: true,
    flags: '-i -0 -v - --ignore-environment --null --debug',
    values: '-u -C --unset --chdir',
    text: '-S --split-string',
    hides: '-S --split-string',
  },
  xargs: {
    runs: 'words',
    passive: true,
    optional: '-e -i -l --replace --eof',
    flags: '-0 -r -t -x -p -o --null --no-run-if-empty --verbose --exit --interactive --open-tty --show-limits',
    values:
      '-n -P -I -L -s -d -E -a -J -R -S --max-args --max-procs --max-lines --max-chars --delimiter --arg-file --process-slot-var',
  },
  // They run it as somebody else, somewhere else, or more than that.
  sudo: {
    runs: 'words',
    sets: true,
    flags:
      '-A -b -B -E -e -H -i -K -k -l -N -n -P -S -s -V -v --askpass --background --bell --preserve-env --set-home --login --non-interactive --preserve-groups --stdin --shell',
    values:
      '-C -D -g -h -p -R -r -T -t -U -u --close-from --chdir --group --host --prompt --chroot --role --command-timeout --type --other-user --user',
  },
  doas: { runs: 'words', flags: '-L -n -s', values: '-a -C -u' },
  pkexec: { runs: 'words', values: '--user' },
  su: { text: '-c --command --session-command', hides: '-s --shell', input: true, opaque: true },
  runuser: {
    runs: 'words',
    text: '-c --command --session-command',
    flags: '-f -l -m -p - --login',
    values: '-g -G -s -u -w',
  },
  sg: { runs: 'text', skip: 1 },
  chroot: { runs: 'words', skip: 1, flags: '--skip-chdir', values: '--userspec --groups' },
  unshare: {
    runs: 'words',
    flags:
      '-m -u -i -n -p -U -C -T -f -r -c --mount --uts --ipc --net --pid --user --cgroup --time --fork --map-root-user --map-current-user --mount-proc --keep-caps',
    values: '-R -w -S -G --root --wd --propagation --setgroups',
  },
  setpriv: {
    runs: 'words',
    flags: '--no-new-privs --clear-groups --keep-groups --init-groups --reset-env',
    values: '--reuid --regid --ruid --euid --groups --inh-caps --bounding-set --securebits',
  },
  strace: {
    runs: 'words',
    flags: '-c -C -d -f -F -h -i -k -n -q -r -t -T -v -V -w -x -y -z -Z -tt -ttt -ff -qq -yy',
    values: '-a -b -e -E -I -o -O -p -P -s -S -u -X',
  },
  ltrace: { runs: 'words', flags: '-c -C -f -i -L -r -S -t -T', values: '-a -e -l -n -o -p -s -u -x' },
  valgrind: { runs: 'words', flags: '-q -v --quiet --verbose' },
  fakeroot: { runs: 'words', values: '-l -s -i -b -f' },
  catchsegv: { runs: 'words' },
  unbuffer: { runs: 'words', flags: '-p' },
  caffeinate: { runs: 'words', flags: '-d -i -m -s -u', values: '-t -w' },
  entr: { runs: 'words', flags: '-a -c -d -n -p -r -s -x -z' },
  busybox: { runs: 'words', flags: '--list --install --help' },
  toybox: { runs: 'words', flags: '--list --help' },
  watch: {
    runs: 'text',
    flags:
      '-b -c -C -d -e -f -g -p -r -t -w -x --beep --color --differences --errexit --chgexit --precise --no-title --exec',
    values: '-n -q --interval --equexit',
  },
  flock: {
    runs: 'words',
    skip: 1,
    flags: '-e -x -F -n -o -s -u --close --exclusive --nb --nonblock --shared --unlock --verbose',
    values: '-E -w --conflict-exit-code --wait --timeout',
    text: '-c --command',
  },
  script: { text: '-c --command', flags: '-a -e -f -q -T', input: true, opaque: true },
  parallel: { runs: 'text', opaque: true },
  sem: { runs: 'text', opaque: true },
  ssh: {
    runs: 'text',
    skip: 1,
    flags: '-4 -6 -A -a -C -f -G -g -K -k -M -N -n -q -s -T -t -V -v -X -x -Y -y -tt -vv -vvv',
    values: '-B -b -c -D -E -e -I -i -J -L -l -m -O -p -Q -R -S -W -w',
    hides: '-o -F',
  },
  eval: { runs: 'text', passive: true },
  trap: { code: 'any' },
  source: { input: true },
  '.': { input: true },
  at: { opaque: true },
  batch: { opaque: true },
  crontab: { opaque: true },
  alias: { hidesWord: /=/ },
  enable: { hidesWord: /^-.*[fn]/ },
  hash: { hidesWord: /^-.*p/ },
  let: { opaque: true },
  mapfile: { hides: '-C' },
  readarray: { hides: '-C' },
  compgen: { hides: '-C -F -W' },
  complete: { hides: '-C -F -W' },
  // Shells and languages.
  sh: SHELL,
  bash: SHELL,
  dash: SHELL,
  ash: SHELL,
  zsh: SHELL,
  ksh: SHELL,
  mksh: SHELL,
  rbash: SHELL,
  fish: { ...CODE, hides: '-c -C --command --init-command' },
  csh: { ...CODE, hides: '-c -s' },
  tcsh: { ...CODE, hides: '-c -s' },
  pwsh: { ...CODE, hides: '-c -Command -EncodedCommand -e -ec' },
  python: PYTHON,
  pypy: PYTHON,
  ipython: { opaque: true },
  perl: { ...CODE, hides: '-e -E -n -p -i -d -M -m' },
  ruby: { ...CODE, hides: '-e -n -p' },
  node: {
    ...CODE,
    hides: '-e -p -i -pe --eval --print --interactive',
    values: '-r -C --require --import --loader --conditions',
  },
  deno: { ...CODE, sub: { eval: { opaque: true }, repl: { opaque: true } } },
  bun: { ...CODE, hides: '-e -p --eval --print' },
  php: { ...CODE, hides: '-r -R -B -E -a -d' },
  lua: { ...CODE, hides: '-e -i -l' },
  luajit: { ...CODE, hides: '-e -i -l' },
  tclsh: CODE,
  expect: { ...CODE, hides: '-c' },
  guile: { ...CODE, hides: '-c -e' },
  Rscript: { ...CODE, hides: '-e' },
  R: { ...CODE, hides: '-e' },
  osascript: { ...CODE, hides: '-e' },
  ghc: { hides: '-e' },
  julia: { ...CODE, hides: '-e -E' },
  groovy: { ...CODE, hides: '-e' },
  awk: { code: 'awk', values: '-v -F', hides: '-f -E -e -i -l -o -d -p --file --exec --source --include --load' },
  sed: { code: 'sed', codeOption: '-e --expression', optional: '-i --in-place', hides: '-f --file' },
  ed: { opaque: true },
  ex: { opaque: true },
  vi: EDITOR,
  vim: EDITOR,
  nvim: EDITOR,
  view: EDITOR,
  vimdiff: EDITOR,
  emacs: EDITOR,
  less: { hidesWord: /^\+./ },
  more: { hidesWord: /^\+./ },
  man: { hides: '-P -H -X --pager --html' },
  gdb: { opaque: true },
  // Others with an option for a command.
  find: { command: '-exec -execdir -ok -okdir', writes: '-delete -fprint -fprint0 -fprintf -fls' },
  fd: { command: '-x -X --exec --exec-batch' },
  fdfind: { command: '-x -X --exec --exec-batch' },
  tar: {
    text: '--to-command --use-compress-program --rsh-command --info-script --new-volume-script -I -F',
    hides: '--checkpoint-action --rmt-command',
    hidesFirst: /^[A-Za-z]*[IF][A-Za-z]*$/,
  },
  git: {
    values: '-C --git-dir --work-tree --namespace --super-prefix --attr-source',
    flags:
      '-p -P --paginate --no-pager --bare --no-replace-objects --literal-pathspecs --no-optional-locks --version --help --html-path --man-path --info-path',
    hides: '-c --config-env --exec-path',
    sub: {
      rebase: { text: '-x --exec', hides: '-i --interactive --edit-todo' },
      bisect: { sub: { run: { runs: 'words' }, replay: { opaque: true } } },
      submodule: { sub: { foreach: { runs: 'text', flags: '--recursive --quiet -q' } } },
      'filter-branch': { opaque: true },
      difftool: { hides: '-x -t --extcmd --tool' },
      mergetool: { hides: '-t --tool' },
      grep: { hides: '-O --open-files-in-pager' },
      archive: { hides: '--exec --remote' },
      fetch: { hides: '--upload-pack' },
      pull: { hides: '--upload-pack' },
      push: { hides: '--receive-pack --exec' },
      clone: { hides: '-u -c --upload-pack --config --template' },
      'ls-remote': { hides: '--upload-pack --exec' },
      init: { hides: '--template' },
      config: {
        hidesWord:
          /^(?:alias|credential|filter|diff|merge|mergetool|difftool|include|includeif|pager|protocol|url|browser|man|guitool)\.|^(?:core\.(?:pager|editor|sshcommand|fsmonitor|hookspath|askpass|gitproxy|attributesfile|worktree)|sequence\.editor|gpg\.|interactive\.|sendemail\.|uploadpack\.|remote\..*\.(?:uploadpack|receivepack|vcs)|submodule\.)/i,
      },
    },
    hidesWord: /^(?:ext|fd)::/,
  },
  rsync: { text: '-e --rsh --rsync-path' },
  scp: { hides: '-S -o -F' },
  sftp: { hides: '-S -o -F -b' },
  sort: { text: '--compress-program', writes: '-o --output' },
  split: { text: '--filter' },
  rg: { text: '--pre --hostname-bin' },
  ag: { text: '--pager' },
  bat: { text: '--pager' },
  batcat: { text: '--pager' },
  zip: { hides: '-T -TT --unzip-command' },
  tcpdump: { text: '-z' },
  gcc: { hides: '-wrapper' },
  cc: { hides: '-wrapper' },
  'g++': { hides: '-wrapper' },
  make: {
    hides: '--eval',
    hidesWord: /^(?:-f|--file=|--makefile=)?(?:-|\/dev\/stdin|\/dev\/fd\/\d+)$|^(?:SHELL|MAKE|\.SHELLFLAGS)\s*:?=/,
  },
  socat: { hidesWord: /^(?:exec|system|shell):/i },
  nc: { text: '-c', hides: '-e --exec --sh-exec' },
  ncat: { hides: '-c -e --exec --sh-exec --lua-exec' },
  sqlite3: { hidesWord: /^\s*\.|\n\s*\.|^-(?:-)?(?:cmd|init)$|edit\(|load_extension/ },
  psql: { hides: '-f --file', hidesWord: /\\[!go|]|program/i },
  mysql: { hidesWord: /\\!|system|^-.*pager|source/i },
  tmux: { opaque: true },
  screen: { opaque: true },
  xterm: { command: '-e' },
  'gnome-terminal': { opaque: true },
  npx: { runs: 'words', flags: '-y --yes --no --no-install -q --quiet', values: '-p --package', text: '-c --call' },
  npm: {
    sub: {
      exec: { runs: 'words', flags: '-y --yes --no', values: '-p --package', text: '-c --call' },
      x: { runs: 'words', flags: '-y --yes --no', values: '-p --package', text: '-c --call' },
    },
    hides: '--script-shell --node-options',
  },
  pnpm: { sub: { exec: { runs: 'words', flags: '-r', text: '-c' }, dlx: { runs: 'words' } } },
  yarn: { sub: { exec: { runs: 'words' }, dlx: { runs: 'words' } } },
  poetry: { sub: { run: { runs: 'words' } } },
  pipenv: { sub: { run: { runs: 'words' } } },
  uv: {
    sub: {
      run: {
        runs: 'words',
        flags: '--no-project --isolated --frozen -q',
        values: '--with --python -p --env-file --extra --group',
      },
    },
  },
  'systemd-run': { opaque: true },
  'start-stop-daemon': { opaque: true },
  daemonize: { runs: 'words', values: '-a -c -e -o -p -l -u -E' },
  wget: { hides: '--use-askpass --execute -e' },
  apt: { hides: '-o -c' },
  'apt-get': { hides: '-o -c' },
  ip: { sub: { netns: { sub: { exec: { runs: 'words', skip: 1 } } } } },
  cmake: {
    hides: '-P',
    sub: {
      '-E': {
        sub: {
          env: { runs: 'words', sets: true, values: '--unset' },
          time: { runs: 'words' },
          chdir: { runs: 'words', skip: 1 },
        },
      },
    },
  },
};
