import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { verifies } from '../verifies.ts';
import { cli, withEnv } from './cli-world.ts';
import { inWorld, type World } from './runtime-world.ts';
import { put, skill } from './skills-world.ts';

const repo = join(import.meta.dirname, '../..');

/** The command line in a world's folders. */
const inCli = (body: (world: World) => Promise<void>) =>
  inWorld((world) => withEnv({ TOOLWRIGHT_HOME: world.home }, () => body(world)));

interface Listed {
  readonly name: string;
  readonly description: string;
  readonly source: string;
  readonly status: string;
  readonly diagnostics: readonly { readonly rule: string; readonly line?: number }[];
}

verifies('skills/cli', 'list says of every skill what it is, where it is from, and what is wrong with it', () =>
  inCli(async ({ home, project }) => {
    await put(join(home, 'skills/good/SKILL.md'), skill('good', 'Does good.', 'Text.'));
    await put(join(home, 'skills/folder/SKILL.md'), skill('Other Name', 'Does it.', 'Text.'));
    await put(join(home, 'skills/none/SKILL.md'), '---\nname: none\n---\nText.\n');
    await put(join(project, '.claude/skills/good/SKILL.md'), skill('good', 'Of the project.', 'Text.'));
    const listed = await cli(['skills', 'list', '--json', '--cwd', project]);
    expect(listed.code).toBe(0);
    expect(
      listed
        .json<Listed[]>()
        .map(({ diagnostics, ...rest }) => ({ ...rest, rules: diagnostics.map(({ rule }) => rule) })),
    ).toEqual([
      {
        name: 'good',
        description: 'Of the project.',
        source: 'project',
        status: 'untrusted',
        path: join(project, '.claude/skills/good/SKILL.md'),
        rules: [],
      },
      {
        name: 'Other Name',
        description: 'Does it.',
        source: 'home',
        status: 'warning',
        path: join(home, 'skills/folder/SKILL.md'),
        rules: ['name-characters', 'name-folder'],
      },
      {
        name: 'good',
        description: 'Does good.',
        source: 'home',
        status: 'ok',
        path: join(home, 'skills/good/SKILL.md'),
        rules: [],
      },
      {
        name: 'none',
        description: '',
        source: 'home',
        status: 'skipped',
        path: join(home, 'skills/none/SKILL.md'),
        rules: ['description-missing'],
      },
    ]);
    const trusted = await cli(['skills', 'list', '--json', '--trust-project', '--cwd', project]);
    expect(trusted.json<Listed[]>().map(({ status }) => status)).toEqual(['ok', 'warning', 'shadowed', 'skipped']);
    const text = await cli(['skills', 'list', '--cwd', project]);
    expect(text.out).toContain(
      `${join(home, 'skills/none/SKILL.md')}:1: error [description-missing] description is missing`,
    );
    expect(text.err).toContain('not used until it is trusted');
  }),
);

verifies('skills/cli', 'a person at the terminal is asked once whether a project may bring skills', () =>
  inCli(async ({ project }) => {
    await put(join(project, '.agents/skills/a/SKILL.md'), skill('a', 'Does it.', 'Text.'));
    const answer = (line: string) =>
      cli(['skills', 'list', '--cwd', project], {
        person: (text, { type }) => {
          if (text.includes('y/N')) type(line);
        },
      });
    expect((await answer('n')).out).toMatch(/a\s+project untrusted/);
    expect((await answer('yes')).out).toMatch(/a\s+project\n/);
    const after = await answer('n');
    expect(after.out).not.toContain('y/N');
    expect((await cli(['skills', 'list', '--json', '--cwd', project])).json<Listed[]>()[0]?.status).toBe('ok');
  }),
);

verifies('skills/cli', 'show gives the text and what it allows; an unknown name is told with near ones', () =>
  inCli(async ({ home, project }) => {
    await put(
      join(home, 'skills/greet/SKILL.md'),
      skill('greet', 'Greets.', 'Say hello.', 'allowed-tools: Bash(echo:*)\n'),
    );
    const shown = await cli(['skills', 'show', 'GREET', '--json', '--cwd', project]);
    expect(shown.json()).toMatchObject({
      name: 'greet',
      text: 'Say hello.',
      allowedTools: ['Bash(echo:*)'],
      status: 'ok',
    });
    expect((await cli(['skills', 'show', 'greet', '--cwd', project])).out).toMatch(
      /greet[\s\S]*Bash\(echo:\*\)[\s\S]*Say hello\./,
    );
    const unknown = await cli(['skills', 'show', 'gret', '--cwd', project]);
    expect([unknown.code, unknown.err]).toEqual([1, expect.stringContaining('Did you mean greet?')]);
  }),
);

verifies('skills/cli', 'validate gives every rule with its line, and 1 for a broken skill', () =>
  inCli(async ({ project }) => {
    const good = join(project, 'good');
    await put(join(good, 'SKILL.md'), skill('good', 'Does good.', 'Text.'));
    const sound = await cli(['skills', 'validate', good]);
    expect([sound.code, sound.out]).toEqual([0, 'good: valid\n']);
    const broken = join(project, 'broken');
    await put(join(broken, 'SKILL.md'), '---\nname: Broken\ndescription: Set up: hooks\n---\nText.\n');
    const told = await cli(['skills', 'validate', broken]);
    expect(told.code).toBe(1);
    expect(told.out).toMatch(new RegExp(`^${join(broken, 'SKILL.md')}:2: error \\[name-characters\\]`, 'm'));
    expect(told.out).toMatch(/SKILL\.md:3: error \[yaml-invalid\]/);
    const json = await cli(['skills', 'validate', broken, '--json']);
    expect([json.code, json.json()]).toMatchObject([1, { valid: false, skills: [{ name: 'Broken', valid: false }] }]);
    expect((await cli(['skills', 'validate', join(project, 'none')])).code).toBe(1);
    expect((await cli(['skills', 'validate'])).code).toBe(2);
  }),
);

verifies(
  'skills/add',
  'a skill is installed with its run bits and hashes; later changes are told, and nothing is overwritten',
  () =>
    inCli(async ({ home, project }) => {
      const from = join(project, 'src/greet');
      await put(join(from, 'SKILL.md'), skill('greet', 'Greets.', 'Text.'));
      await put(join(from, 'scripts/x.sh'), '#!/bin/sh\n', 0o755);
      await symlink('/etc/passwd', join(from, 'passwd'));
      const added = await cli(['skills', 'add', from, '--cwd', project, '--json']);
      const folder = join(home, 'skills/greet');
      expect(added.json()).toMatchObject({
        name: 'greet',
        folder,
        files: 2,
        new: true,
        notes: [expect.stringContaining('leads out')],
      });
      expect((await stat(join(folder, 'scripts/x.sh'))).mode & 0o111).not.toBe(0);
      expect((await readdir(folder)).sort()).toEqual(['SKILL.md', 'scripts']);
      const lock = JSON.parse(await readFile(join(home, 'skills/skills.lock'), 'utf8'));
      expect(lock).toMatchObject({
        version: 1,
        skills: { greet: { source: from, files: { 'SKILL.md': expect.stringMatching(/^[0-9a-f]{64}$/) } } },
      });
      expect((await cli(['skills', 'add', from, '--cwd', project])).out).toContain('was installed already');

      await writeFile(join(folder, 'SKILL.md'), skill('greet', 'Greets.', 'Other text.'));
      await put(join(folder, 'new.txt'), 'x');
      const listed = await cli(['skills', 'list', '--json', '--cwd', project]);
      expect(listed.json<Listed[]>()).toMatchObject([
        { status: 'warning', diagnostics: [{ rule: 'drift-changed' }, { rule: 'drift-added' }] },
      ]);
      const validated = await cli(['skills', 'validate', folder]);
      expect([validated.code, validated.out]).toEqual([
        0,
        expect.stringContaining('[drift-changed] SKILL.md has changed'),
      ]);
      const again = await cli(['skills', 'add', from, '--cwd', project]);
      expect([again.code, again.err]).toEqual([1, expect.stringContaining('nothing is overwritten')]);
      expect(await readFile(join(folder, 'SKILL.md'), 'utf8')).toContain('Other text.');
    }),
);

verifies(
  'skills/add',
  'into the project on request, under the name; what is no skill is refused and leaves nothing',
  () =>
    inCli(async ({ home, project }) => {
      const from = join(project, 'src/some-folder');
      await put(join(from, 'SKILL.md'), skill('greet', 'Greets.', 'Text.'));
      const added = await cli(['skills', 'add', from, '--project', '--cwd', project]);
      expect(added.code).toBe(0);
      expect(added.err).toContain('[name-folder]');
      expect((await stat(join(project, '.toolwright/skills/greet/SKILL.md'))).isFile()).toBe(true);
      expect((await cli(['skills', 'validate', join(project, '.toolwright/skills/greet')])).code).toBe(0);
      await put(join(project, 'src/bad/SKILL.md'), 'nothing');
      await mkdir(join(project, 'src/empty'));
      for (const name of ['bad', 'empty', 'none']) {
        expect((await cli(['skills', 'add', join(project, 'src', name), '--cwd', project])).code).toBe(1);
      }
      await expect(stat(join(home, 'skills'))).rejects.toThrow();
    }),
);

verifies('skills/cli', 'run takes --skills, and tells names that no skill has and skills that are not used', () =>
  inCli(async ({ home, project }) => {
    for (const name of ['a', 'b'])
      await put(join(home, `skills/${name}/SKILL.md`), skill(name, `Does ${name}.`, `Text of ${name}.`));
    await put(join(home, 'skills/none/SKILL.md'), '---\nname: none\n---\nText.\n');
    await put(join(project, '.claude/skills/p/SKILL.md'), skill('p', 'Of the project.', 'Text.'));
    const ran = await cli([
      'run',
      'load_skill {"name": "a"}\nload_skill {"name": "b"}',
      '--skills',
      'a,none',
      '--cwd',
      project,
    ]);
    expect(ran.err).toContain('no skill is named none');
    expect(ran.err).toContain('1 skill(s) of this project are not used until it is trusted');
    expect(ran.err).toMatch(/a skill was passed over: \S+none\/SKILL\.md:1: error \[description-missing\]/);
    expect(ran.out).toContain('There is no skill named "b"');
    const started = await cli(['run', '/a now', '--json', '--cwd', project]);
    expect(JSON.stringify(started.lines())).toContain('Text of a.');
  }),
);

verifies('skills/examples', 'the skills that come along are sound', () =>
  inCli(async ({ project }) => {
    const validated = await cli(['skills', 'validate', join(repo, 'skills'), '--json']);
    expect(validated.json()).toMatchObject({ valid: true, diagnostics: [] });
    for (const name of ['csv-summary', 'writing-skills']) {
      expect((await cli(['skills', 'add', join(repo, 'skills', name), '--cwd', project])).code).toBe(0);
    }
    const listed = await cli(['skills', 'list', '--json', '--cwd', project]);
    expect(listed.json<Listed[]>().map(({ name, status }) => [name, status])).toEqual([
      ['csv-summary', 'ok'],
      ['writing-skills', 'ok'],
    ]);
  }),
);

verifies('skills/examples', 'the script of csv-summary runs in the sandbox, unasked, on odd tables too', () =>
  inCli(async ({ home, project, runtime }) => {
    await cli(['skills', 'add', join(repo, 'skills/csv-summary'), '--cwd', project]);
    await chmod(join(home, 'skills/csv-summary/scripts/summary.sh'), 0o644);
    await writeFile(
      join(project, 't.csv'),
      '\uFEFFid;name;score\r\n1;"Ada; ""L""";3.5\r\n\r\n2;Bob;\r\n3;Cy;4.5;x\r\n',
    );
    await writeFile(join(project, 'empty.csv'), '');
    const session = await (await runtime()).session({});
    await session.run('load_skill {"name": "csv-summary"}').result;
    const script = join(
      home,
      'sessions',
      (await readdir(join(home, 'sessions')))[0] ?? '',
      'skills/csv-summary/scripts/summary.sh',
    );
    const summary = async (file: string) => {
      const { content } = await session.call('run_bash', { command: `${script} ${file}` });
      return String(content);
    };
    expect(await summary('t.csv')).toContain(
      [
        '3 rows, 3 columns, parted by ";"',
        '1. id: number, empty 0, distinct 3, least 1, most 3, mean 2',
        '2. name: text, empty 0, distinct 3, length 2 to 8, mean 4.33',
        '3. score: number, empty 1, distinct 2, least 3.5, most 4.5, mean 4',
        '1 rows have another number of columns, as line(columns): 5(4)',
      ].join('\n'),
    );
    expect(await summary('empty.csv')).toContain('the file is empty');
    expect(await summary('none.csv')).toContain('not a file that can be read');
  }),
);
