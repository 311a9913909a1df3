import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { validateSkills } from '../../../src/skills/index.ts';
import { verifies } from '../../verifies.ts';
import { inFolder, put, skillText } from './skill-folder.ts';
import { standardSamples } from './standard-samples.ts';

verifies('skills/standard', 'sixty and more small folders are judged as the standard judges them', () =>
  inFolder(async (folder) => {
    expect(standardSamples.length).toBeGreaterThanOrEqual(60);
    for (const [index, sample] of standardSamples.entries()) {
      const dir = join(folder, String(index), sample.folder);
      const files = typeof sample.files === 'string' ? { 'SKILL.md': sample.files } : sample.files;
      for (const [path, content] of Object.entries(files)) await put(join(dir, path), content);
      const [skill, ...others] = await validateSkills(dir);
      expect(others).toEqual([]);
      const errors = (skill?.diagnostics ?? []).filter(({ severity }) => severity === 'error');
      const broken = errors.map(({ rule, line }) => (line === undefined ? rule : `${rule}:${line}`));
      expect({ index, broken: broken.sort() }).toEqual({ index, broken: [...sample.breaks].sort() });
      expect({ index, isValid: skill?.isValid }).toEqual({ index, isValid: sample.breaks.length === 0 });
      for (const { file } of errors) expect(file.startsWith(dir)).toBe(true);
    }
  }),
);

verifies('skills/standard', 'every breach of one file is told at once', () =>
  inFolder(async (folder) => {
    const file = `---\nname: A--B-\ndescription: ""\nlicense: 1\nmetadata: x\ncompatibility: ""\nallowed-tools: Bash(\n---\n`;
    await put(join(folder, 'other/SKILL.md'), file);
    const [skill] = await validateSkills(join(folder, 'other'));
    const errors = skill?.diagnostics.filter(({ severity }) => severity === 'error').map(({ rule }) => rule);
    expect(errors?.sort()).toEqual([
      'allowed-tools-parentheses',
      'compatibility-empty',
      'description-empty',
      'license-not-text',
      'metadata-not-a-map',
      'name-characters',
      'name-double-hyphen',
      'name-edge-hyphen',
      'name-folder',
    ]);
  }),
);

verifies('skills/standard', 'what is unwise is a warning and breaks nothing', () =>
  inFolder(async (folder) => {
    const body = `See [a](references/a.md), [b](../b.md), [c](https://example.org/c.md).\n${'line\n'.repeat(600)}`;
    await put(join(folder, 'a/SKILL.md'), skillText('a', 'd', body, 'colour: blue', 'allowed-tools: Read, Write'));
    await put(join(folder, 'a/scripts/x.sh'), 'echo\n');
    const [skill] = await validateSkills(join(folder, 'a'));
    expect(skill?.isValid).toBe(true);
    expect(skill?.diagnostics.map(({ rule, line }) => (line ? `${rule}:${line}` : rule)).sort()).toEqual([
      'allowed-tools-commas:5',
      'body-long:507',
      'field-unknown:4',
      'link-missing:7',
      'link-outside:7',
      'run-bit',
    ]);
  }),
);

verifies('skills/standard', 'a folder of skills is judged skill by skill', () =>
  inFolder(async (folder) => {
    await put(join(folder, 'a/SKILL.md'), skillText('a'));
    await put(join(folder, 'b/SKILL.md'), skillText('c'));
    await mkdir(join(folder, 'empty'));
    const skills = await validateSkills(folder);
    expect(skills.map(({ name, isValid }) => [name, isValid])).toEqual([
      ['a', true],
      ['c', false],
    ]);
    expect((await validateSkills(join(folder, 'none')))[0]?.diagnostics[0]?.rule).toBe('folder-unreadable');
  }),
);
