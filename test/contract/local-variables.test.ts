import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type LocalWorld, openLocalWorld, whyNoLocal } from '../local-world.ts';
import { verifies } from '../verifies.ts';

/** A command with variables that the call chose. */
async function withVariables(world: LocalWorld, command: string | readonly string[], env: Record<string, string>) {
  let said = '';
  const child = await world.sandbox.start(command, {
    env,
    onOutput: (bytes) => {
      said += Buffer.from(bytes).toString();
    },
  });
  return { code: (await child.wait()).code, said };
}

if (whyNoLocal === undefined) {
  verifies('local/escape', 'variables that a call sets reach its command and no program of the host', async () => {
    const world = await openLocalWorld();
    const { root, outside } = world;
    try {
      const bin = join(root, 'bin');
      await mkdir(bin);
      for (const name of ['env', 'mkfifo', 'bwrap', 'bash', 'prlimit', 'sh']) {
        const path = join(bin, name);
        await writeFile(path, `#!/bin/sh\necho ${name} > ${outside}/${name}\nexec /usr/bin/${name} "$@"\n`);
        await chmod(path, 0o755);
      }
      await writeFile(join(root, 'rc'), `echo sourced > ${outside}/rc\n`);
      const env = {
        PATH: `${bin}:/usr/bin:/bin`,
        LD_DEBUG: 'files',
        LD_DEBUG_OUTPUT: join(outside, 'loader'),
        BASH_ENV: join(root, 'rc'),
        'BASH_FUNC_shift%%': `() { echo function > ${outside}/function; }`,
        TMPDIR: outside,
        MODE: 'a "b" $c\nd',
        name: 'x',
      };
      const { code, said } = await withVariables(world, '/usr/bin/env; echo "[$MODE]$name"', env);
      expect(code).toBe(0);
      expect(said).toContain('[a "b" $c\nd]x');
      expect(said).toContain(`PATH=${env.PATH}`);
      expect(said).not.toContain('TOOLWRIGHT_LATE_MODE');
      const direct = await withVariables(world, ['/usr/bin/printenv', 'MODE', 'EMPTY'], { MODE: 'y', EMPTY: '' });
      expect(direct).toEqual({ code: 0, said: 'y\n\n' });
      expect(await readdir(outside)).toEqual([]);
    } finally {
      await world.dispose();
    }
  });
}
