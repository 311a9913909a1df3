import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect } from 'vitest';
import { type LocalWorld, openLocalWorld, whyNoLocal } from '../local-world.ts';
import { verifies } from '../verifies.ts';

type Options = Parameters<typeof openLocalWorld>[0];

/** An attempt that must come to nothing; told by what was left outside, not by the command's word alone. */
function attempt(
  what: string,
  body: (world: LocalWorld) => Promise<void>,
  options: Options = {},
  prepare?: (root: string) => Promise<void>,
): void {
  if (whyNoLocal !== undefined) return;
  verifies('local/escape', what, async () => {
    const world = await openLocalWorld(options, prepare);
    try {
      await body(world);
    } finally {
      await world.dispose();
    }
  });
}

/** Runs a command of which each line prints LEAK when it gets through; the last line shows that all were tried. */
async function nothingLeaks(world: LocalWorld, ...lines: string[]): Promise<string> {
  const { said } = await world.run(`${lines.join('\n')}\necho tried`);
  expect(said).toMatch(/tried\n$/);
  expect(said).not.toContain('LEAK');
  return said;
}

attempt('write beside the workspace', async (world) => {
  await nothingLeaks(world, `echo x > ${world.outside}/a && echo LEAK`, `echo x > ${world.root}/../b`);
  expect(existsSync(join(world.outside, 'a'))).toBe(false);
  expect(existsSync(join(world.root, '../b'))).toBe(false);
});
attempt('write into a read-only folder', async (world) => {
  await nothingLeaks(world, `echo x > ${world.readOnly}/a && echo LEAK`, `touch ${world.readOnly} && echo LEAK`);
  expect(existsSync(join(world.readOnly, 'a'))).toBe(false);
});
attempt('write programs and settings of the system', async (world) => {
  await nothingLeaks(
    world,
    'echo x > /usr/bin/tw-escape && echo LEAK',
    'echo x >> /etc/passwd && echo LEAK',
    'mkdir /tw-escape && echo LEAK',
  );
  expect(existsSync('/usr/bin/tw-escape') || existsSync('/tw-escape')).toBe(false);
});
attempt('read what lies beside the workspace', async (world) => {
  await writeFile(join(world.outside, 'secret'), 'LEAK');
  await nothingLeaks(world, `cat ${world.outside}/secret`, `ls ${world.outside} && echo LEAK`);
});
attempt('read secrets of the system', async (world) => {
  await nothingLeaks(
    world,
    ...['shadow', 'gshadow', 'sudoers', 'ssh', 'ssl/private', 'machine-id'].map(
      (name) => `ls /etc/${name} && echo LEAK`,
    ),
    'ls /root /home /var /run/systemd /boot /sys 2>/dev/null | grep . && echo LEAK',
  );
});
const CHECKOUT = resolve(import.meta.dirname, '../..');
attempt('read the home of the person', async (world) => {
  await nothingLeaks(
    world,
    `ls -A ${homedir()} && echo LEAK`,
    `ls ${homedir()}/.ssh && echo LEAK`,
    // What is there: the workspace, and the way to the search program of a checkout that lies there, too.
    `ls -A ~ | grep -vE '^(tw-local|${CHECKOUT.slice(tmpdir().length + 1).split('/', 1)[0]}$)' && echo LEAK`,
  );
});
if (whyNoLocal === undefined) {
  verifies('local/escape', 'read our own home inside of a workspace', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tw-home-'));
    const home = join(folder, 'work/.home');
    await mkdir(home, { recursive: true });
    await writeFile(join(home, 'toolwright.db'), 'LEAK');
    const cwd = join(folder, 'work');
    const world = await openLocalWorld({
      roots: [{ path: cwd, access: 'write', label: 'workspace' }],
      cwd,
      hidden: [home],
    });
    try {
      await nothingLeaks(world, 'cat .home/*', 'ls -A .home | grep . && echo LEAK', '(echo x > .home/a) && echo LEAK');
      expect(await readFile(join(home, 'toolwright.db'), 'utf8')).toBe('LEAK');
    } finally {
      await world.dispose();
      await rm(folder, { recursive: true });
    }
  });
}
attempt('see processes of the host and their environment', async (world) => {
  const said = await nothingLeaks(
    world,
    `[ -e /proc/${process.pid}/environ ] && tr '\\0' '\\n' < /proc/${process.pid}/environ | grep -q TOOLWRIGHT_ESCAPE && echo LEAK`,
    'echo "count $(ls /proc | grep -c "^[0-9]")"',
    'cat /proc/1/environ | grep -a HOST_SECRET && echo LEAK',
  );
  expect(Number(/count (\d+)/.exec(said)?.[1])).toBeLessThan(10);
});
attempt('kill processes of the host', async (world) => {
  const victim = spawn('sleep', ['60'], { stdio: 'ignore' });
  try {
    await nothingLeaks(world, `kill -9 ${victim.pid} && echo LEAK`, 'kill -9 -1');
    expect(victim.exitCode ?? victim.signalCode).toBeNull();
  } finally {
    victim.kill('SIGKILL');
  }
});
attempt('trace the process that keeps it', async (world) => {
  await nothingLeaks(
    world,
    'head -c 1 /proc/1/mem && echo LEAK',
    'echo x > /proc/1/mem && echo LEAK',
    'ls /proc/1/root/home && echo LEAK',
  );
});
attempt('climb out by /proc', async (world) => {
  await writeFile(join(world.outside, 'secret'), 'LEAK');
  await nothingLeaks(
    world,
    `for at in /proc/[0-9]*/root /proc/[0-9]*/cwd /proc/self/fd/*; do cat $at${world.outside}/secret $at/../outside/secret; done 2>/dev/null`,
  );
});
attempt('reach TCP of the host', async (world) => {
  const server = createServer((line) => line.end('LEAK'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  try {
    await nothingLeaks(
      world,
      `exec 3<>/dev/tcp/127.0.0.1/${port} && cat <&3`,
      `exec 3<>/dev/tcp/localhost/${port} && cat <&3`,
    );
  } finally {
    server.close();
  }
});
attempt('reach any network: addresses, metadata, UDP, names', async (world) => {
  await nothingLeaks(
    world,
    '(exec 3<>/dev/tcp/169.254.169.254/80) && echo LEAK',
    '(exec 3<>/dev/tcp/1.1.1.1/443) && echo LEAK',
    '(echo x > /dev/udp/1.1.1.1/53) && echo LEAK',
    'getent hosts example.org && echo LEAK',
    '[ "$(ls /proc/self/net/dev_snmp6 2>/dev/null | grep -v lo)" ] && echo LEAK',
    'grep -v -E "lo:|face|Inter" /proc/net/dev && echo LEAK',
  );
});
attempt('reach sockets of the host: docker, D-Bus, X11', async (world) => {
  await nothingLeaks(
    world,
    ...['/var/run/docker.sock', '/run/docker.sock', '/run/dbus', '/run/user', '/tmp/.X11-unix', '/run/containerd'].map(
      (path) => `[ -e ${path} ] && echo LEAK`,
    ),
  );
});
attempt('reach an abstract socket of the host', async (world) => {
  const name = `tw-escape-${process.pid}`;
  const server = createServer((line) => line.end('LEAK'));
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(`\0${name}`, resolve));
  try {
    await nothingLeaks(world, `grep ${name} /proc/net/unix && echo LEAK`);
  } finally {
    server.close();
  }
});
attempt('follow a link out', async (world) => {
  await writeFile(join(world.outside, 'secret'), 'LEAK');
  await symlink(world.outside, join(world.root, 'out'));
  await nothingLeaks(
    world,
    'cat out/secret',
    'echo x > out/made && echo LEAK',
    'ln -s /etc/shadow s; cat s && echo LEAK',
  );
  await expect(world.sandbox.read(join(world.root, 's'))).rejects.toThrow();
  await expect(world.sandbox.read(join(world.root, 'out/secret'))).rejects.toThrow();
  expect(existsSync(join(world.outside, 'made'))).toBe(false);
});
attempt('make a hard link to a file of the host', async (world) => {
  await writeFile(join(world.outside, 'secret'), 'LEAK');
  await nothingLeaks(
    world,
    `ln ${world.outside}/secret h; cat h`,
    `ln ${world.readOnly}/a h2 && echo LEAK`,
    'ln /etc/passwd p && echo LEAK',
  );
});
attempt('mount, remount or unmount', async (world) => {
  await nothingLeaks(
    world,
    'mount -t tmpfs x /mnt && echo LEAK',
    `mount -o remount,rw ${world.readOnly} && echo LEAK`,
    'mount --bind /usr . && echo LEAK',
    'umount /tmp && echo LEAK',
    `umount -l ${world.root} && echo LEAK`,
  );
});
attempt('make user namespaces for new rights', async (world) => {
  await nothingLeaks(
    world,
    'unshare -U true && echo LEAK',
    'unshare -Ur mount -t tmpfs x /tmp && echo LEAK',
    'unshare -m true && echo LEAK',
    'nsenter -t 1 -m true && echo LEAK',
    'chroot / true && echo LEAK',
  );
});
attempt('gain rights by set-id programs and capabilities', async (world) => {
  const said = await nothingLeaks(
    world,
    'cp /usr/bin/id ./id; chmod u+s ./id; [ "$(./id -u)" = 0 ] && echo LEAK',
    'su -c true </dev/null && echo LEAK',
    'chown 0:0 ./id && echo LEAK',
    'grep -E "CapEff|CapBnd|NoNewPrivs" /proc/self/status',
  );
  expect(said).toMatch(/CapEff:\s0+\n/);
  expect(said).toMatch(/CapBnd:\s0+\n/);
  expect(said).toMatch(/NoNewPrivs:\s1/);
});
attempt('make and use device nodes', async (world) => {
  await nothingLeaks(
    world,
    'mknod d b 8 0 && echo LEAK',
    'mknod m c 1 1 && echo LEAK',
    'ls /dev/sda /dev/vda /dev/mem /dev/kvm /dev/fuse 2>/dev/null | grep . && echo LEAK',
    'touch /dev/x && echo LEAK',
  );
});
attempt('type into the terminal', async (world) => {
  await nothingLeaks(
    world,
    '(: < /dev/tty) && echo LEAK',
    `python3 -c 'import fcntl,termios; fcntl.ioctl(0, termios.TIOCSTI, b"x"); print("LEAK")' 2>/dev/null`,
  );
});
attempt('change the kernel', async (world) => {
  await nothingLeaks(
    world,
    // What stands there is written back, so that nothing changes if it can be.
    'for at in kernel/panic kernel/core_pattern vm/swappiness net/ipv4/ip_forward; do v=$(cat /proc/sys/$at); (echo "$v" > /proc/sys/$at) && echo LEAK; done',
    '(: >> /proc/sysrq-trigger) && echo LEAK',
    '(echo 1 > /proc/self/oom_score_adj; echo -1000 > /proc/self/oom_score_adj) && echo LEAK',
    'dmesg 2>/dev/null | grep . && echo LEAK',
  );
});
attempt('leave by control groups', async (world) => {
  await nothingLeaks(
    world,
    '[ -e /sys/fs/cgroup ] && echo LEAK',
    'mount -t cgroup2 x /mnt && echo LEAK',
    'mkdir -p /sys/x && echo LEAK',
  );
});
attempt('fill the memory by /tmp and /dev/shm', async (world) => {
  const { said } = await world.run(
    'for at in /tmp /dev/shm; do head -c 700M /dev/zero > $at/big; stat -c %s $at/big; rm $at/big; done',
  );
  const sizes = [...said.matchAll(/^(\d+)$/gm)].map(([size]) => Number(size));
  expect(sizes).toHaveLength(2);
  for (const size of sizes) expect(size).toBeLessThanOrEqual(512 * 1024 * 1024);
});
attempt(
  'take all memory',
  async (world) => {
    const { code, said } = await world.run(
      'head -c 400M /dev/zero | tail -c 300M | wc -c; x=$(head -c 300M /dev/zero | tr "\\0" x); echo "LEAK ${#x}"',
    );
    expect(said).not.toContain('LEAK 3');
    expect(code).not.toBe(0);
  },
  { limits: { memoryMb: 128 } },
);
attempt(
  'start processes without end',
  async (world) => {
    const { said } = await world.run('for i in $(seq 1 200); do sleep 30 & done; echo "jobs $(jobs -r | wc -l)"');
    const jobs = Number(/jobs (\d+)/.exec(said)?.[1] ?? 0);
    expect(said).toMatch(/fork|Resource/);
    expect(jobs).toBeLessThan(40);
  },
  { limits: { processes: 40 } },
);
attempt(
  'run beyond the limits of time',
  async (world) => {
    const began = Date.now();
    await world.run('trap "" TERM; while :; do :; done');
    expect(Date.now() - began).toBeLessThan(20_000);
  },
  { limits: { wallMs: 500 } },
);
attempt(
  'use the processor without end',
  async (world) => {
    const { code } = await world.run('while :; do :; done');
    expect(code).toBe(137);
  },
  { limits: { cpuSeconds: 1 } },
);
attempt('leave a process behind', async (world) => {
  const { said } = await world.run('(setsid env -i sleep 54321 &) ; nohup sleep 54321 >/dev/null 2>&1 & echo up');
  expect(said).toContain('up');
  const left = await new Promise<string>((resolve) => {
    let text = '';
    const ps = spawn('ps', ['ax', '-o', 'args']);
    ps.stdout.on('data', (bytes) => {
      text += bytes;
    });
    ps.once('close', () => resolve(text));
  });
  expect(left).not.toContain('sleep 54321');
});
attempt(
  'change what is run outside later',
  async (world) => {
    await nothingLeaks(
      world,
      ...['toolwright.json', '.mcp.json', '.env', '.git/config', '.git/hooks/pre-commit'].flatMap((file) => [
        `(echo x >> ${file}) && echo LEAK`,
        `rm -f ${file} && [ ! -e ${file} ] && echo LEAK`,
        `(echo x > new; mv -f new ${file}) && echo LEAK`,
      ]),
      'mv .git .moved && echo LEAK',
      '(echo x > .git/hooks/new) && echo LEAK',
      '(echo ok > .git/index) || echo LEAK',
    );
    expect(await readFile(join(world.root, 'toolwright.json'), 'utf8')).toBe('{}');
  },
  {},
  async (root) => {
    await mkdir(join(root, '.git/hooks'), { recursive: true });
    for (const file of ['toolwright.json', '.mcp.json', '.env', '.git/config', '.git/hooks/pre-commit']) {
      await writeFile(join(root, file), '{}');
    }
  },
);
attempt(
  'show a file of the host by a link at a protected name',
  async (world) => {
    await nothingLeaks(world, 'cat .env && echo LEAK', 'cat .git/config && echo LEAK');
  },
  {},
  async (root) => {
    await symlink('/etc/shadow', join(root, '.env'));
    await symlink('/etc', join(root, '.git'));
  },
);

if (whyNoLocal === undefined && process.getuid?.() === 0) {
  verifies('local/nothing-left', 'no control group and no socket of a proxy outlasts a sandbox', async () => {
    const world = await openLocalWorld({ network: ['example.org'] });
    const group = ['/sys/fs/cgroup/pids', '/sys/fs/cgroup'].map((at) => `${at}/toolwright-${world.sandbox.id}`);
    const sockets = () => readdirSync(tmpdir()).filter((name) => name.startsWith('toolwright-net-'));
    const before = sockets();
    let made: string[] = [];
    try {
      const { said } = await world.run('sleep 60 & echo $HTTP_PROXY');
      expect(said).toContain('http://127.0.0.1:');
      expect(group.some((path) => existsSync(path))).toBe(true);
      made = sockets().filter((name) => !before.includes(name));
      expect(made).not.toEqual([]);
    } finally {
      await world.dispose();
    }
    expect(group.some((path) => existsSync(path))).toBe(false);
    // Tests beside this one may have made others.
    expect(made.filter((name) => sockets().includes(name)).length).toBeLessThan(made.length);
  });
}
