import { expect } from 'vitest';
import { verifies } from '../verifies.ts';
import { fencesOf, programOf, readPage, runProgram } from './docs-pages.ts';

verifies('docs/readme', 'the library example is short, runs as it stands and prints what the page says', async () => {
  const code = programOf(await fencesOf('README.md'));
  expect(code.trim().split('\n').length).toBeLessThan(20);
  const { stdout, stderr } = await runProgram(code);
  expect(stderr).toBe('');
  expect(stdout.trim()).toBe('42');
});

verifies('docs/readme', 'one sentence, then two commands that each stand alone', async () => {
  const [title, sentence, ...rest] = (await readPage('README.md')).split('\n\n');
  expect(title).toBe('# Toolwright');
  expect(sentence?.match(/\.(\s|$)/g)).toHaveLength(1);
  const commands = rest[0]?.split('\n').filter((line) => line.startsWith('npm ci && '));
  expect(commands?.map((line) => line.replace(/\s*#.*/, ''))).toEqual(['npm ci && npm start', 'npm ci && npm test']);
});
