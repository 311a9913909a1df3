import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect } from 'vitest';
import { findIsolation } from '../../src/sandbox/index.ts';
import { openLocalWorld, whyNoLocal } from '../local-world.ts';
import { verifies } from '../verifies.ts';
import { inWorld } from './runtime-world.ts';

const textOf = (result: { content: unknown }) => JSON.stringify(result.content);

verifies('local/missing', 'no bwrap in PATH names the package, and a session does not open', async () => {
  await expect(findIsolation({ PATH: '/nonexistent' }, 'linux')).rejects.toMatchObject({
    code: 'unavailable',
    hint: expect.stringContaining('bubblewrap'),
  });
  await expect(findIsolation({}, 'win32')).rejects.toMatchObject({ code: 'unavailable' });
  await inWorld(async (world) => {
    const runtime = await world.runtime({ sandbox: 'local', env: { ...world.env, PATH: '/nonexistent' } });
    await expect(runtime.session()).rejects.toMatchObject({ code: 'unavailable' });
  });
});

verifies('local/missing', 'what a kind cannot keep is an error', async () => {
  await inWorld(async (world) => {
    await writeFile(join(world.home, 'toolwright.json'), JSON.stringify({ sandbox: { network: 'off' } }));
    await expect((await world.runtime()).session()).rejects.toThrow(/kept by the kind local/);
    await writeFile(join(world.home, 'toolwright.json'), JSON.stringify({ sandbox: 'remote' }));
    await expect((await world.runtime()).session()).rejects.toThrow(/no address/);
  });
  await inWorld(async (world) => {
    await expect(world.runtime({ env: { ...world.env, TOOLWRIGHT_SANDBOX: 'docker' } })).rejects.toThrow(/no sandbox/);
  });
});

verifies('sandbox/settings', 'a project that is not trusted narrows and never widens', async () => {
  await inWorld(async (world) => {
    await mkdir(join(world.project, 'data'));
    await symlink('/etc', join(world.project, 'out'));
    const asked = {
      kind: 'local',
      network: 'on',
      mounts: [{ path: '/etc' }, { path: 'out' }, { path: 'data', access: 'read' }, { path: 'data', access: 'write' }],
      limits: { memoryMb: 64, processes: 100_000 },
    };
    await writeFile(join(world.project, 'toolwright.json'), JSON.stringify({ sandbox: asked }));
    await writeFile(join(world.home, 'toolwright.json'), JSON.stringify({ sandbox: { limits: { memoryMb: 128 } } }));
    const { settings, warnings } = await world.runtime();
    expect(settings.sandbox).toEqual({
      kind: 'local',
      mounts: [{ path: join(world.project, 'data'), access: 'read' }],
      limits: { memoryMb: 64 },
    });
    expect(warnings.filter((line) => line.includes('not trusted'))).toHaveLength(5);
    const trusted = await world.runtime({ trustProject: true });
    expect(trusted.settings.sandbox).toMatchObject({ network: 'on', limits: { processes: 100_000 } });
    expect(trusted.settings.sandbox.mounts).toHaveLength(4);
  });
  await inWorld(async (world) => {
    await writeFile(join(world.home, 'toolwright.json'), JSON.stringify({ sandbox: 'local' }));
    await writeFile(
      join(world.project, 'toolwright.json'),
      JSON.stringify({ sandbox: { kind: 'remote', url: 'http://127.0.0.1:1' } }),
    );
    expect((await world.runtime()).settings.sandbox).toEqual({ kind: 'local' });
    expect((await world.runtime({ sandbox: 'passthrough' })).settings.sandbox.kind).toBe('passthrough');
  });
});

if (whyNoLocal === undefined) {
  verifies('local/session', "a skill's script runs in it from a copy that commands cannot change", async () => {
    await inWorld(async (world) => {
      const folder = join(world.home, 'skills/count');
      await mkdir(join(folder, 'scripts'), { recursive: true });
      await writeFile(join(folder, 'SKILL.md'), '---\nname: count\ndescription: Counts.\n---\nRun scripts/count.sh.\n');
      await writeFile(join(folder, 'scripts/count.sh'), '#!/bin/sh\necho "counted $(ls | wc -l)"\n', { mode: 0o755 });
      await writeFile(join(world.home, 'toolwright.json'), JSON.stringify({ sandbox: 'local' }));
      const session = await (await world.runtime()).session({ mode: 'open' });
      const text = textOf(await session.call('load_skill', { name: 'count' }));
      const copy = /Folder of this skill: (\S+)/.exec(text)?.[1];
      const ran = textOf(await session.call('run_bash', { command: `${copy}/scripts/count.sh` }));
      expect(ran).toContain('counted');
      const change = { command: `echo evil > ${copy}/scripts/count.sh; cat ${copy}/scripts/count.sh` };
      expect(textOf(await session.call('run_bash', change))).toMatch(/Read-only[\s\S]*counted/);
      await session.close();
    });
  });

  verifies('local/session', 'a command, a read, a search, an edit and a write see one workspace', async () => {
    await inWorld(async (world) => {
      await writeFile(join(world.home, 'toolwright.json'), JSON.stringify({ sandbox: 'local' }));
      const session = await (await world.runtime()).session({ mode: 'open' });
      const call = async (name: string, input: unknown) => {
        const result = await session.call(name, input);
        expect(result.error, textOf(result)).toBeUndefined();
        return textOf(result);
      };
      await call('run_bash', { command: 'mkdir src && printf "one needle\\n" > src/a.txt' });
      expect(await call('read_file', { path: 'src/a.txt' })).toContain('one needle');
      expect(await call('grep_files', { pattern: 'needle' })).toContain('src/a.txt');
      expect(await call('glob_files', { pattern: '**/*.txt' })).toContain('src/a.txt');
      await call('file_edit', { path: 'src/a.txt', old_string: 'one', new_string: 'two' });
      expect(await call('run_bash', { command: 'cat src/a.txt' })).toContain('two needle');
      await call('file_write', { path: 'b.txt', content: 'written' });
      expect(await call('run_bash', { command: 'cat b.txt', cwd: '.' })).toContain('written');
      // Of the home only the way to the copies of skills is there.
      const home = textOf(await session.call('run_bash', { command: `ls -A ${world.home} 2>&1` }));
      expect(home).toMatch(/^"?sessions"?$|No such file/);
      await session.close();
    });
  });

  verifies('local/mounts', 'a mount has its place and its access for commands and for files', async () => {
    const host = await openLocalWorld();
    try {
      await writeFile(join(host.outside, 'a'), 'mounted');
      const mounts = [
        { path: host.outside, at: '/data/in', access: 'read' as const },
        { path: host.root, at: '/data/out', access: 'write' as const },
      ];
      const world = await openLocalWorld({ mounts });
      try {
        expect((await world.run('cat /data/in/a; echo x > /data/in/b; echo made > /data/out/c')).said).toMatch(
          /^mounted.*Read-only/s,
        );
        expect(await readFile(join(host.root, 'c'), 'utf8')).toBe('made\n');
        const { real, root } = await world.roots.resolve('/data/in/a', 'read');
        expect([real, root.path]).toEqual(['/data/in/a', '/data/in']);
        expect(Buffer.from(await world.sandbox.read(real)).toString()).toBe('mounted');
        await expect(world.sandbox.write('/data/in/b', Buffer.from('x'))).rejects.toThrow(/read-only/);
        await expect(world.roots.resolve('/data/in/b', 'write')).rejects.toThrow();
        await world.sandbox.write('/data/out/d', Buffer.from('by file'));
        expect((await world.run('cat d', { cwd: '/data/out' })).said).toBe('by file');
        await expect(world.roots.resolve(join(host.outside, '../x'), 'read')).rejects.toThrow();
      } finally {
        await world.dispose();
      }
    } finally {
      await host.dispose();
    }
  });

  verifies('local/network', 'a named address is reached by the proxy, all else by nothing', async () => {
    const server = createServer((request, answer) => answer.end(`host said ${request.url}`));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const world = await openLocalWorld({ network: [`127.0.0.1:${port}`, 'inside.example'] });
    try {
      const { said } = await world.run(
        [
          `curl -sS http://127.0.0.1:${port}/plain?a=1; echo`,
          `curl -sS -p http://127.0.0.1:${port}/tunnel; echo`,
          `curl -sS http://127.0.0.1:${port + 1}/; curl -sS -p http://169.254.169.254/ ; echo "ended $?"`,
          `curl -sS http://example.org/`,
          `curl -sS --noproxy '*' -m 2 http://127.0.0.1:${port}/raw || echo no raw`,
          `(exec 3<>/dev/tcp/1.1.1.1/80) || echo no address`,
          `getent hosts example.org || echo no names`,
        ].join('\n'),
      );
      expect(said).toContain('host said /plain?a=1');
      expect(said).toContain('host said /tunnel');
      expect(said).not.toContain('host said /raw');
      expect(said).toContain('ended 56');
      expect(said).toContain('example.org:80 is not in the network list');
      for (const end of ['no raw', 'no address', 'no names']) expect(said).toContain(end);
    } finally {
      await world.dispose();
      server.close();
    }
  });
}

if (whyNoLocal === undefined) {
  verifies('sandbox/tools', 'a stored output is searched where it is kept, which no command sees', () =>
    inWorld(async (world) => {
      const runtime = await world.runtime({ sandbox: 'local', model: 'manual' });
      const session = await runtime.session({ mode: 'open' });
      const { stored } = await session.call('run_bash', { command: 'seq 1 20000' });
      const found = await session.call('grep_files', { pattern: '^1999[89]$', path: stored?.path });
      expect(textOf(found)).toContain('19998:19998');
      expect(found.error).toBeUndefined();
      const seen = await session.call('run_bash', { command: `ls ${world.home}/outputs` });
      expect(seen.error).toBeDefined();
    }),
  );
}
