import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { inTempFolder } from '../testing/temp-folder.ts';
import { readProjectTrust } from './project-trust.ts';

verifies(
  'runtime/trust',
  "a project's yes is kept in the home, for that folder alone, and a broken file trusts nothing",
  () =>
    inTempFolder(async (home) => {
      const ask = (project: string, given?: boolean) =>
        readProjectTrust({ home, project, ...(given === undefined ? {} : { given }) });
      expect((await ask('/a')).trusted).toBe(false);
      expect((await ask('/a', true)).trusted).toBe(true);
      expect((await ask(home)).trusted).toBe(true);
      await (await ask('/a')).grant();
      await (await ask('/b')).grant();
      expect((await ask('/a')).trusted).toBe(true);
      expect((await ask('/a/inner')).trusted).toBe(false);
      expect(JSON.parse(await readFile(join(home, 'trust.json'), 'utf8'))).toEqual({ '/a': true, '/b': true });
      expect((await stat(join(home, 'trust.json'))).mode & 0o777).toBe(0o600);
      await writeFile(join(home, 'trust.json'), '{"/a": tr');
      expect((await ask('/a')).trusted).toBe(false);
    }),
);
