import { chmod, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { inFolder, put, skillText } from '../../test/unit/skills/skill-folder.ts';
import { verifies } from '../../test/verifies.ts';
import { type Root, randomId, type Sandbox, systemClock } from '../core/index.ts';
import { createPassthroughSandbox, createRoots } from '../sandbox/index.ts';
import { createMemorySandbox } from '../testing/index.ts';
import { lockFolder } from './lock-folder.ts';
import { createProjection, type Projection } from './project-skills.ts';
import { findSkill, readSkill } from './read-skill.ts';
import type { Skill } from './skill.ts';

interface Place {
  readonly host: string;
  readonly inside: string;
  readonly sandbox: Sandbox;
  readonly roots: readonly Root[];
  readonly projection: Projection;
  skill(): Promise<Skill>;
}

/** A skill on the host, and a passthrough sandbox with a folder for its copies. */
async function inPlace(body: (place: Place) => Promise<void>): Promise<void> {
  await inFolder(async (folder) => {
    const [host, inside] = [join(folder, 'host/greet'), join(folder, 'inside')];
    await put(join(host, 'SKILL.md'), skillText('greet'));
    await put(join(inside, 'keep'), '');
    const roots: Root[] = [{ path: inside, access: 'write', label: 'skill' }];
    const sandbox = createPassthroughSandbox({
      roots,
      cwd: inside,
      clock: systemClock,
      newId: randomId,
      env: { PATH: process.env['PATH'] ?? '' },
    });
    const projection = createProjection(sandbox, inside);
    const skill = async () => {
      const found = await findSkill(host);
      const read = found && (await readSkill(found));
      if (!read?.skill) throw new Error('no skill');
      return read.skill;
    };
    try {
      await body({ host, inside, sandbox, roots, projection, skill });
    } finally {
      await sandbox.dispose();
    }
  });
}

const run = async (sandbox: Sandbox, command: string): Promise<string> => {
  let output = '';
  const child = await sandbox.start(command, {
    onOutput: (bytes) => {
      output += Buffer.from(bytes).toString();
    },
  });
  await child.wait();
  return output;
};

verifies('skills/project', 'files keep their bytes and run bits; a script without one gets it, and that is told', () =>
  inPlace(async ({ host, sandbox, projection, skill }) => {
    await put(join(host, 'scripts/ok.sh'), '#!/bin/sh\necho "ok $1"\n', 0o755);
    await put(join(host, 'scripts/bare.sh'), '#!/bin/sh\necho bare\n', 0o644);
    await put(join(host, 'assets/data.bin'), Buffer.from([0, 1, 255]));
    const { folder, files, notes } = await projection.bring(await skill());
    expect(files).toEqual(['SKILL.md', 'assets/data.bin', 'scripts/bare.sh', 'scripts/ok.sh']);
    expect(notes).toEqual(['scripts/bare.sh: it had no run bit; its copy has']);
    expect(await run(sandbox, `${folder}/scripts/ok.sh a; ${folder}/scripts/bare.sh`)).toBe('ok a\nbare\n');
    expect(await readFile(join(folder, 'assets/data.bin'))).toEqual(Buffer.from([0, 1, 255]));
    expect((await stat(join(host, 'scripts/bare.sh'))).mode & 0o111).toBe(0);
  }),
);

verifies(
  'skills/project',
  'links inside become what they lead to; links out, nowhere or in a circle are left out',
  () =>
    inPlace(async ({ host, inside, projection, skill }) => {
      await put(join(host, '../secret.txt'), 'secret');
      await put(join(host, 'docs/a.md'), 'A');
      await symlink('docs/a.md', join(host, 'inner.md'));
      await symlink('docs', join(host, 'more'));
      await symlink('../secret.txt', join(host, 'out.txt'));
      await symlink('/etc', join(host, 'etc'));
      await symlink('nowhere', join(host, 'dangling'));
      await symlink('..', join(host, 'docs/up'));
      const { folder, files, notes } = await projection.bring(await skill());
      expect(files).toEqual(['SKILL.md', 'docs/a.md', 'inner.md', 'more/a.md']);
      expect(notes).toEqual([
        'dangling: a link that leads nowhere',
        'docs/up: a link that leads in a circle',
        "etc: a link that leads out of the skill's folder",
        'more/up: a link that leads in a circle',
        "out.txt: a link that leads out of the skill's folder",
      ]);
      expect(await readFile(join(folder, 'inner.md'), 'utf8')).toBe('A');
      await expect(readlink(join(folder, 'inner.md'))).rejects.toThrow();
      expect(folder.startsWith(inside)).toBe(true);
    }),
);

verifies(
  'skills/project',
  'what changes on the host is copied again, unless the copy was edited, and then that is told',
  () =>
    inPlace(async ({ host, projection, skill }) => {
      for (const name of ['plain', 'edited', 'gone', 'gone-edited']) await put(join(host, name), 'one');
      const { folder } = await projection.bring(await skill());
      await writeFile(join(folder, 'edited'), 'mine');
      await writeFile(join(folder, 'gone-edited'), 'mine');
      for (const name of ['plain', 'edited']) await writeFile(join(host, name), 'two, and longer');
      for (const name of ['gone', 'gone-edited']) await rm(join(host, name));
      await put(join(host, 'new'), 'new');
      const again = await projection.bring(await skill());
      expect(again.files).toEqual(['SKILL.md', 'edited', 'gone-edited', 'new', 'plain']);
      expect(again.notes).toEqual([
        'edited: the copy here was edited, so the newer one of the skill was not copied over it',
        'gone-edited: it is gone from the skill; the copy here was edited and is kept',
      ]);
      const text = (name: string) => readFile(join(folder, name), 'utf8');
      expect([await text('plain'), await text('edited'), await text('new')]).toEqual([
        'two, and longer',
        'mine',
        'new',
      ]);
      await chmod(join(host, 'plain'), 0o755);
      expect((await projection.bring(await skill())).notes).toHaveLength(2);
    }),
);

verifies('skills/project', 'all copies go away at the end, with what was put beside them; nothing else does', () =>
  inPlace(async ({ host, inside, projection, skill }) => {
    await put(join(host, 'a/b/c.txt'), 'c');
    const { folder } = await projection.bring(await skill());
    await put(join(folder, 'left/over.txt'), 'x');
    await symlink(host, join(folder, 'link'));
    await projection.clean();
    await expect(stat(folder)).rejects.toThrow();
    expect(await readFile(join(host, 'a/b/c.txt'), 'utf8')).toBe('c');
    expect((await stat(join(inside, 'keep'))).isFile()).toBe(true);
    expect(projection.brought()).toEqual([]);
  }),
);

verifies('skills/project', 'a name that is no file name, and files beyond all bounds, stay inside', () =>
  inPlace(async ({ host, inside, projection, skill }) => {
    await put(join(host, 'big.bin'), Buffer.alloc(11 * 1_048_576));
    const odd = { ...(await skill()), name: '../../Odd Näme' };
    expect(projection.folderOf(odd)).toMatch(new RegExp(`^${inside}/Odd-Na-me-[0-9a-f]{8}$`));
    const { files, notes } = await projection.bring(odd);
    expect(files).toEqual(['SKILL.md']);
    expect(notes).toEqual([`big.bin: too big to be copied (${11 * 1_048_576} bytes)`]);
    expect(projection.folderOf({ ...odd, name: 'A' })).not.toBe(projection.folderOf({ ...odd, name: 'a' }));
    expect(projection.folderOf({ ...odd, name: '技能' })).toMatch(/\/[0-9a-f]{8}$/);
  }),
);

verifies(
  'skills/project',
  'it works through the port alone: in memory, and where files are written without run bits',
  () =>
    inPlace(async ({ host, inside, sandbox, skill }) => {
      await put(join(host, 'run.sh'), '#!/bin/sh\necho ran\n', 0o755);
      const memory = createMemorySandbox({ roots: [{ path: '/skills', access: 'write', label: 'skill' }] });
      const inMemory = createProjection(memory, '/skills');
      expect((await inMemory.bring(await skill())).folder).toBe('/skills/greet');
      expect((await memory.stat('/skills/greet/run.sh'))?.mode).toBe(0o755);
      await inMemory.clean();
      expect(await memory.list('/skills')).toEqual([]);

      const modeless: Sandbox = { ...sandbox, write: (path, bytes) => sandbox.write(path, bytes) };
      const { folder, notes } = await createProjection(modeless, inside).bring(await skill());
      expect([notes, await run(sandbox, `${folder}/run.sh`)]).toEqual([[], 'ran\n']);
      const still: Sandbox = { ...memory, write: (path, bytes) => memory.write(path, bytes) };
      const told = (await createProjection(still, '/skills').bring(await skill())).notes;
      expect(told).toEqual(['run.sh: no run bit can be set here; run it with its interpreter']);
    }),
);

verifies('skills/project', 'tools see the copies and cannot change them, by whatever path', () =>
  inPlace(async ({ inside, sandbox, roots, projection, skill }) => {
    const { folder } = await projection.bring(await skill());
    const work = join(inside, '../work');
    await put(join(work, 'a.txt'), 'a');
    await symlink(inside, join(work, 'link'));
    const all: Root[] = [...roots, { path: work, access: 'write', label: 'workspace' }];
    const whole = createPassthroughSandbox({ roots: all, cwd: work, clock: systemClock, newId: randomId });
    const place = lockFolder(
      { sandbox: whole, roots: createRoots({ cwd: work, roots: all, realPath: whole.realPath }) },
      inside,
    );
    const file = join(folder, 'SKILL.md');
    expect((await place.roots.resolve(file, 'read')).root).toMatchObject({ access: 'read', label: 'skill' });
    expect(place.roots.list.map(({ access, label }) => `${label} ${access}`)).toEqual([
      'workspace write',
      'skill read',
    ]);
    for (const path of [file, 'link/greet/SKILL.md', join(folder, 'new.txt')]) {
      await expect(place.roots.resolve(path, 'write')).rejects.toMatchObject({ code: 'denied' });
    }
    for (const path of [file, join(work, 'link/greet/x'), join(folder, 'new/er.txt')]) {
      await expect(place.sandbox.write(path, Buffer.from('x'))).rejects.toMatchObject({ code: 'denied' });
      await expect(place.sandbox.remove(path)).rejects.toMatchObject({ code: 'denied' });
    }
    await place.sandbox.write(join(work, 'a.txt'), Buffer.from('b'));
    expect(await readFile(join(work, 'a.txt'), 'utf8')).toBe('b');
    expect(Buffer.from(await place.sandbox.read(file)).toString()).toContain('name: greet');
    await whole.dispose();
    expect(await sandbox.stat(join(folder, 'new.txt'))).toBeUndefined();
  }),
);
