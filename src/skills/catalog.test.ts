import { mkdir, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { inFolder, put, skillText } from '../../test/unit/skills/skill-folder.ts';
import { verifies } from '../../test/verifies.ts';
import { systemClock } from '../core/index.ts';
import { createSkillCatalog, type SkillCatalog, type SkillCatalogOptions } from './catalog.ts';
import type { SkillRoot } from './skill-root.ts';

const root = (path: string, priority = 1, more: Partial<SkillRoot> = {}): SkillRoot => ({
  path,
  source: path.split('/').at(-1) ?? '',
  priority,
  isTrusted: true,
  ...more,
});

async function catalogOf(
  roots: readonly SkillRoot[],
  limits: SkillCatalogOptions['limits'] = {},
): Promise<SkillCatalog> {
  const catalog = createSkillCatalog({ roots, limits, clock: systemClock });
  await catalog.refresh();
  return catalog;
}

const told = (catalog: SkillCatalog) =>
  catalog.entries().map(({ name, status, diagnostics }) => [name, status, ...diagnostics.map(({ rule }) => rule)]);

verifies('skills/catalog', 'of one name that of the higher root stands, and the other is told', () =>
  inFolder(async (folder) => {
    await put(join(folder, 'home/a/SKILL.md'), skillText('a', 'of the home'));
    await put(join(folder, 'home/b/SKILL.md'), skillText('b'));
    await put(join(folder, 'project/deep/er/a/SKILL.md'), skillText('a', 'of the project'));
    const catalog = await catalogOf([root(join(folder, 'home'), 1), root(join(folder, 'project'), 2)]);
    expect(catalog.get('a')?.description).toBe('of the project');
    expect(catalog.sourceOf('a')).toBe('project');
    expect(catalog.skills().map(({ name }) => name)).toEqual(['a', 'b']);
    expect(told(catalog)).toEqual([
      ['a', 'ok'],
      ['a', 'shadowed', 'name-taken'],
      ['b', 'ok'],
    ]);
    expect(catalog.entries()[1]?.diagnostics[0]?.message).toContain(join(folder, 'project/deep/er/a/SKILL.md'));
  }),
);

verifies('skills/trust', 'what is not trusted is listed, not used, and shadows nothing, until it is', () =>
  inFolder(async (folder) => {
    await put(join(folder, 'home/a/SKILL.md'), skillText('a', 'of the home'));
    await put(join(folder, 'project/a/SKILL.md'), skillText('a', 'of the project'));
    const catalog = await catalogOf([
      root(join(folder, 'home'), 1),
      root(join(folder, 'project'), 2, { isTrusted: false }),
    ]);
    expect(told(catalog)).toEqual([
      ['a', 'untrusted'],
      ['a', 'ok'],
    ]);
    expect(catalog.get('a')?.description).toBe('of the home');
    catalog.trust('project');
    await catalog.refresh();
    expect(catalog.get('a')?.description).toBe('of the project');
    expect(told(catalog).map(([, status]) => status)).toEqual(['ok', 'shadowed']);
  }),
);

verifies('SKILL-04', 'a skill is found by its folder, its heading, and in another spelling', () =>
  inFolder(async (folder) => {
    await put(join(folder, 's/writing-rules/SKILL.md'), skillText('Writing Hookify Rules'));
    await put(join(folder, 's/plain/SKILL.md'), skillText('plain'));
    const catalog = await catalogOf([root(join(folder, 's'))]);
    for (const name of ['Writing Hookify Rules', 'writing-rules', 'writing-hookify-rules', 'WRITING_RULES']) {
      expect({ name, found: catalog.get(name)?.name }).toEqual({ name, found: 'Writing Hookify Rules' });
    }
    expect(catalog.get('rules')).toBeUndefined();
  }),
);

verifies('SKILL-05', 'links to folders are followed once; those that lead nowhere, back or to a file are told', () =>
  inFolder(async (folder) => {
    const skills = join(folder, 'skills');
    await put(join(folder, 'shared/real-skill/SKILL.md'), skillText('real-skill'));
    await put(join(folder, 'other/text.md'), skillText('by-link'));
    await put(join(skills, 'file.md'), 'x');
    await mkdir(join(skills, 'by-link'));
    await symlink('../shared/real-skill', join(skills, 'linked'));
    await symlink('../shared/real-skill', join(skills, 'twice'));
    await symlink('nowhere', join(skills, 'dangling'));
    await symlink('file.md', join(skills, 'file'));
    await symlink('.', join(skills, 'loop'));
    await symlink('loop-b', join(skills, 'loop-a'));
    await symlink('loop-a', join(skills, 'loop-b'));
    await symlink('../../other/text.md', join(skills, 'by-link/SKILL.md'));
    const catalog = await catalogOf([root(skills)]);
    expect(catalog.get('linked')).toMatchObject({ name: 'real-skill', folder: join(folder, 'shared/real-skill') });
    expect(catalog.get('by-link')?.name).toBe('by-link');
    expect(told(catalog).filter(([, status]) => status === 'skipped')).toEqual([
      ['dangling', 'skipped', 'link-dangling'],
      ['file', 'skipped', 'link-to-file'],
      ['loop', 'skipped', 'link-again'],
      ['loop-a', 'skipped', 'link-dangling'],
      ['loop-b', 'skipped', 'link-dangling'],
      ['twice', 'skipped', 'link-again'],
    ]);
  }),
);

verifies('SKILL-05', "a project's links may not lead out of it, neither folders nor the file itself", () =>
  inFolder(async (folder) => {
    const project = join(folder, 'project');
    await put(join(folder, 'outside/evil/SKILL.md'), skillText('evil'));
    await put(join(project, 'shared/good/SKILL.md'), skillText('good'));
    await mkdir(join(project, 'skills/file'), { recursive: true });
    await symlink(join(folder, 'outside/evil'), join(project, 'skills/evil'));
    await symlink('../shared/good', join(project, 'skills/good'));
    await symlink(join(folder, 'outside/evil/SKILL.md'), join(project, 'skills/file/SKILL.md'));
    const catalog = await catalogOf([root(join(project, 'skills'), 1, { boundary: project })]);
    expect(catalog.skills().map(({ name }) => name)).toEqual(['good']);
    expect(told(catalog).filter(([, status]) => status === 'skipped')).toEqual([
      ['evil', 'skipped', 'link-outside'],
      ['file', 'skipped', 'file-unreadable'],
    ]);
  }),
);

verifies('skills/bad-input', 'files that are none, are closed, or huge are told and stop nothing', () =>
  inFolder(async (folder) => {
    const skills = join(folder, 's');
    await mkdir(join(skills, 'folder/SKILL.md'), { recursive: true });
    await put(join(skills, 'binary/SKILL.md'), Buffer.from([0xff, 0xfe, 0, 1, 2, 3]));
    await put(join(skills, 'empty/SKILL.md'), '');
    await put(join(skills, 'huge/SKILL.md'), skillText('huge', 'd', 'x'.repeat(5 * 1_048_576)));
    await put(join(skills, 'unclosed/SKILL.md'), `---\nname: unclosed\ndescription: d\n${'x: y\n'.repeat(100_000)}`);
    await put(join(skills, 'lower/skill.md'), skillText('lower'));
    await put(join(skills, 'good/SKILL.md'), skillText('good'));
    await put(join(skills, 'node_modules/x/SKILL.md'), skillText('x'));
    await put(join(skills, '.git/y/SKILL.md'), skillText('y'));
    const catalog = await catalogOf([root(skills), root(join(folder, 'none')), root(join(skills, 'good/SKILL.md'))]);
    expect(told(catalog)).toEqual([
      ['SKILL.md', 'skipped', 'folder-unreadable'],
      ['binary', 'skipped', 'front-matter-missing', 'file-not-utf8'],
      ['empty', 'skipped', 'front-matter-missing', 'body-empty'],
      ['folder', 'skipped', 'file-unreadable'],
      ['good', 'ok'],
      ['huge', 'warning', 'file-too-big'],
      ['lower', 'warning', 'file-name'],
      ['unclosed', 'skipped', 'front-matter-open', 'body-empty'],
    ]);
    for (const { diagnostics } of catalog.entries()) for (const { file } of diagnostics) expect(file).toContain(skills);
  }),
);

verifies('skills/catalog', 'depth, folders and skills of a scan are bounded, and that is told', () =>
  inFolder(async (folder) => {
    for (let index = 0; index < 30; index++) await put(join(folder, `s/${index}/SKILL.md`), skillText(`${index}`));
    await put(join(folder, 's/a/b/c/d/SKILL.md'), skillText('d'));
    const skills = join(folder, 's');
    const rules = (catalog: SkillCatalog) =>
      told(catalog).flatMap(([, status, rule]) => (status === 'skipped' ? [rule] : []));
    expect((await catalogOf([root(skills)])).skills()).toHaveLength(31);
    const shallow = await catalogOf([root(skills)], { depth: 2 });
    expect([shallow.skills().length, rules(shallow)]).toEqual([30, ['scan-depth']]);
    const few = await catalogOf([root(skills)], { skills: 10 });
    expect([few.skills().length, rules(few)]).toEqual([10, ['scan-skills']]);
    const narrow = await catalogOf([root(skills)], { folders: 20 });
    expect(rules(narrow)).toEqual(['scan-folders']);
    expect(narrow.skills().length).toBeLessThan(21);
  }),
);

verifies('skills/catalog', 'each change on disk is seen at the next look, and no change gives the same list', () =>
  inFolder(async (folder) => {
    const skills = join(folder, 's');
    const a = join(skills, 'a/SKILL.md');
    const catalog = await catalogOf([root(skills)]);
    const names = async () => {
      await catalog.refresh();
      return catalog.skills().map(({ name, description }) => `${name}: ${description}`);
    };
    expect(await names()).toEqual([]);
    await put(a, skillText('a', 'one'));
    expect(await names()).toEqual(['a: one']);
    // The same size, and maybe the same time.
    await writeFile(a, skillText('a', 'two'));
    expect(await names()).toEqual(['a: two']);
    const past = new Date(Date.now() - 60_000);
    await utimes(a, past, past);
    await names();
    const before = catalog.skills();
    expect(await names()).toEqual(['a: two']);
    expect(catalog.skills()).toBe(before);
    await put(join(skills, 'group/b/SKILL.md'), skillText('b', 'new'));
    expect(await names()).toEqual(['a: two', 'b: new']);
    await rename(join(skills, 'a'), join(skills, 'z'));
    expect(await names()).toEqual(['a: two', 'b: new']);
    expect(catalog.get('z')?.name).toBe('a');
    await rm(join(skills, 'z/SKILL.md'));
    expect(await names()).toEqual(['b: new']);
    await rm(skills, { recursive: true });
    expect(await names()).toEqual([]);
    catalog.add(root(join(folder, 't')));
    await put(join(folder, 't/c/SKILL.md'), skillText('c', 'added'));
    expect(await names()).toEqual(['c: added']);
  }),
);

verifies('skills/catalog', 'a folder that is a skill itself is taken, with those below it', () =>
  inFolder(async (folder) => {
    await put(join(folder, 'one/SKILL.md'), skillText('one'));
    await put(join(folder, 'one/more/two/SKILL.md'), skillText('two'));
    const catalog = await catalogOf([root(join(folder, 'one'))]);
    expect(told(catalog)).toEqual([
      ['one', 'ok'],
      ['two', 'ok'],
    ]);
  }),
);

verifies('skills/catalog', 'looks that are asked for at once see what was written before each', () =>
  inFolder(async (folder) => {
    const catalog = await catalogOf([root(join(folder, 's'))]);
    const looks: Promise<void>[] = [];
    for (let index = 0; index < 20; index++) {
      await put(join(folder, `s/${index}/SKILL.md`), skillText(`${index}`));
      looks.push(catalog.refresh().then(() => expect(catalog.get(`${index}`)).toBeDefined()));
    }
    await Promise.all(looks);
  }),
);

verifies('skills/view', 'an allow-list takes names, other names and prefixes; what matches nothing is told', () =>
  inFolder(async (folder) => {
    for (const name of ['pdf-read', 'pdf-write', 'docx', 'My Notes']) {
      await put(join(folder, 's', name.toLowerCase().replace(' ', '-'), 'SKILL.md'), skillText(name));
    }
    await put(join(folder, 't/docx/SKILL.md'), skillText('docx', 'of the other catalog'));
    await put(join(folder, 't/xlsx/SKILL.md'), skillText('xlsx'));
    const [catalog, other] = [await catalogOf([root(join(folder, 's'))]), await catalogOf([root(join(folder, 't'))])];
    expect(catalog.view().names()).toEqual(['My Notes', 'docx', 'pdf-read', 'pdf-write']);
    const view = catalog.view({ allow: ['pdf-*', 'my-notes', 'none', ''], deny: ['pdf-write', 'nix*'] });
    expect(view.names()).toEqual(['My Notes', 'pdf-read']);
    expect(view.unknown).toEqual(['none', 'nix*']);
    expect([view.get('docx'), view.get('pdf-write'), view.get('my notes')?.name]).toEqual([
      undefined,
      undefined,
      'My Notes',
    ]);
    expect(catalog.view({ allow: [] }).names()).toEqual([]);
    const both = catalog.view({ from: [other, catalog], allow: ['docx', 'xlsx'] });
    expect(both.skills().map(({ name, description }) => [name, description])).toEqual([
      ['docx', 'of the other catalog'],
      ['xlsx', 'Does xlsx.'],
    ]);
    await put(join(folder, 's/none/SKILL.md'), skillText('none'));
    await catalog.refresh();
    expect([view.names(), view.unknown]).toEqual([['My Notes', 'none', 'pdf-read'], ['nix*']]);
  }),
);
