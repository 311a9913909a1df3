import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type ModelRequest, textOf } from '../../src/core/index.ts';
import { verifies } from '../verifies.ts';
import { collect, inWorld } from './runtime-world.ts';
import { type Call, lastResult, load, put, recording, resultsIn, skill } from './skills-world.ts';

verifies('skills/view', 'a session has the skills of its list and no others; a name that no skill has is told', () =>
  inWorld(async ({ home, runtime }) => {
    for (const name of ['a', 'b', 'c'])
      await put(join(home, `skills/${name}/SKILL.md`), skill(name, `Does ${name}.`, 'Text.'));
    const model = recording([load('b'), load('a')], 'done');
    const session = await (await runtime()).session({ model, skills: ['a', 'nope'] });
    expect(session.unknownSkills).toEqual(['nope']);
    await session.run('Go.').result;
    expect(model.systems[0]).toContain('- a: Does a.');
    expect(model.systems[0]).not.toContain('Does b.');
    const [refused, loaded] = resultsIn(model.requests[1]);
    expect(refused).toMatch(/^Error \[invalid_input\]: There is no skill named "b"\./);
    expect(loaded).toContain('<skill_content name="a">');
    const definition = model.requests[0]?.tools.find((tool) => tool.name === 'load_skill');
    expect(definition?.inputSchema).toMatchObject({ properties: { name: { enum: ['a'] } } });
    const none = recording('done');
    const without = await (await runtime()).session({ model: none, tools: ['read_file'] });
    await without.run('Go.').result;
    expect(none.systems[0]).not.toContain('Does a.');
  }),
);

verifies('skills/trust', "a project's skills are used when somebody trusts it, and win over those of the home", () =>
  inWorld(async ({ home, project, runtime }) => {
    await put(join(home, 'skills/a/SKILL.md'), skill('a', 'Of the home.', 'Text.'));
    await put(join(project, '.claude/skills/a/SKILL.md'), skill('a', 'Of .claude.', 'Text.'));
    await put(join(project, '.agents/skills/b/SKILL.md'), skill('b', 'Of .agents.', 'Text.'));
    await put(join(project, '.toolwright/skills/b/SKILL.md'), skill('b', 'Of .toolwright.', 'Text.'));
    const list = async (options = {}) => {
      const entries = await (await runtime(options)).skills.list();
      return entries.map(({ name, description, source, status }) => `${name} ${description} ${source} ${status}`);
    };
    expect(await list()).toEqual([
      'b Of .toolwright. project untrusted',
      'b Of .agents. project untrusted',
      'a Of .claude. project untrusted',
      'a Of the home. home ok',
    ]);
    const model = recording('done', 'done');
    const untrusting = await runtime();
    const session = await untrusting.session({ model });
    await session.run('Go.').result;
    expect(model.systems[0]).not.toMatch(/Of \./);
    await untrusting.skills.trustProject();
    await session.run('Go.').result;
    expect(model.systems[1]).toContain('- b: Of .toolwright.\n- a: Of .claude.\n');
    expect((await list()).map((line) => line.split(' ').at(-1))).toEqual(['ok', 'shadowed', 'ok', 'shadowed']);
  }),
);

verifies('skills/trust', 'folders of the settings: the home may name any, the project only what is trusted', () =>
  inWorld(async ({ home, project, runtime }) => {
    await put(join(home, 'more/h/SKILL.md'), skill('h', 'd', 'Text.'));
    await put(join(project, 'own/p/SKILL.md'), skill('p', 'd', 'Text.'));
    await put(join(project, 'added/x/SKILL.md'), skill('x', 'd', 'Text.'));
    await put(join(home, 'toolwright.json'), JSON.stringify({ skills: { dirs: ['more'] } }));
    await put(join(project, 'toolwright.json'), JSON.stringify({ skills: { dirs: ['own'], trust: true } }));
    const made = await runtime();
    made.skills.add('added', { source: 'pack' });
    const list = async (each = made) =>
      (await each.skills.list()).map(({ name, source, status }) => [name, source, status]);
    expect(await list()).toEqual([
      ['p', 'project', 'untrusted'],
      ['h', 'settings', 'ok'],
      ['x', 'pack', 'ok'],
    ]);
    await put(join(home, 'toolwright.json'), JSON.stringify({ skills: { dirs: ['more'], trust: true } }));
    expect((await list(await runtime()))[0]).toEqual(['p', 'project', 'ok']);
  }),
);

verifies('skills/grants', "allowed-tools spares the asking while the skill is active, in other agents' words too", () =>
  inWorld(async ({ home, project, runtime }) => {
    const tools = 'allowed-tools: Bash(echo hi:*) Write(notes/**) mcp__x__y Bash(\n';
    await put(join(home, 'skills/a/SKILL.md'), skill('a', 'd', 'Text.', tools));
    const calls: Call[] = [
      { name: 'run_bash', input: { command: 'echo hi there' } },
      { name: 'run_bash', input: { command: 'echo other' } },
      { name: 'file_write', input: { path: 'notes/n.txt', content: 'n' } },
      { name: 'file_write', input: { path: 'other.txt', content: 'o' } },
    ];
    const outcomes = (request: ModelRequest | undefined) =>
      (request?.messages ?? []).flatMap((message) =>
        message.role === 'tool' ? [message.isError ? 'denied' : 'ran'] : [],
      );
    const model = recording(calls, [load('a')], calls, 'done');
    const session = await (await runtime()).session({ model });
    await session.run('Go.').result;
    expect(outcomes(model.requests[3])).toEqual([...Array(4).fill('denied'), 'ran', 'ran', 'denied', 'ran', 'denied']);
    expect(await readFile(join(project, 'notes/n.txt'), 'utf8')).toBe('n');

    const denying = recording(
      [load('a')],
      calls.slice(0, 1),
      [{ name: 'file_write', input: { path: 'notes/m', content: '' } }],
      'done',
    );
    const narrow = await (await runtime()).session({
      model: denying,
      denyRules: ['run_bash'],
      tools: ['load_skill', 'run_bash'],
    });
    await narrow.run('Go.').result;
    expect(outcomes(denying.requests[3])).toEqual(['ran', 'denied', 'denied']);
    expect(lastResult(denying.requests[3] as ModelRequest)).toContain('unknown_tool');
  }),
);

verifies(
  'skills/grants',
  'what a skill allows counts as it stood when the session began: nobody can allow himself more',
  () =>
    inWorld(async ({ home, project, runtime }) => {
      await put(join(project, '.toolwright/skills/a/SKILL.md'), skill('a', 'd', 'Text.', 'allowed-tools: Read\n'));
      await put(join(home, 'skills/b/SKILL.md'), skill('b', 'd', 'Text.', 'allowed-tools: Bash(scripts/x.sh:*)\n'));
      await put(join(home, 'skills/b/scripts/x.sh'), '#!/bin/sh\necho "ran $1"\n', 0o755);
      const widened = skill('a', 'd', 'Text.', 'allowed-tools: Bash\n');
      const write: Call = { name: 'file_write', input: { path: '.toolwright/skills/a/SKILL.md', content: widened } };
      const bash = (command: string): Call => ({ name: 'run_bash', input: { command } });
      const model = recording(
        [{ name: 'read_file', input: { path: '.toolwright/skills/a/SKILL.md' } }],
        [write],
        [load('a'), load('b')],
        (request) => {
          const folder = /Folder of this skill: (\S+skills\/b)/.exec(resultsIn(request).join('\n'))?.[1];
          return [bash('echo free'), bash(`${folder}/scripts/x.sh 1`), bash(`${folder}/scripts/x.sh 1; echo 2`)];
        },
        'done',
      );
      const session = await (await runtime({ trustProject: true })).session({ model, allow: ['file_write'] });
      await session.run('Go.').result;
      const [, wrote, a, , free, script, more] = resultsIn(model.requests[4]);
      expect(wrote).not.toMatch(/^Error/);
      expect(a).toContain('[note] its allowed-tools are new in this session');
      expect([free, more].map((text) => text?.startsWith('Error [denied]'))).toEqual([true, true]);
      expect(script).toContain('ran 1');
    }),
);

verifies('skills/grants', 'restrict-tools leaves only those tools until the next input', () =>
  inWorld(async ({ home, runtime }) => {
    await put(join(home, 'skills/a/SKILL.md'), skill('a', 'd', 'Text.', 'restrict-tools: Read Grep\n'));
    await put(join(home, 'skills/b/SKILL.md'), skill('b', 'd', 'Text of b.'));
    const write: Call = { name: 'file_write', input: { path: 'x.txt', content: 'x' } };
    const model = recording(
      [load('a')],
      [write, { name: 'grep_files', input: { pattern: 'x' } }, load('b')],
      'done',
      [write],
      'done',
    );
    const session = await (await runtime()).session({ model, mode: 'open' });
    await session.run('Go.').result;
    const [, refused, grep, b] = resultsIn(model.requests[2]);
    expect(refused).toMatch(/^Error \[denied\].*restrict-tools/);
    expect(grep).not.toMatch(/^Error/);
    expect(b).toContain('Text of b.');
    await session.run('Go on.').result;
    expect(lastResult(model.requests[4] as ModelRequest)).not.toMatch(/^Error/);
  }),
);

verifies('skills/grants', 'rules name skills: load_skill(name) and Skill(name)', () =>
  inWorld(async ({ home, runtime }) => {
    for (const name of ['pdf-a', 'pdf-b', 'c'])
      await put(join(home, `skills/${name}/SKILL.md`), skill(name, 'd', 'Text.'));
    const model = recording([load('pdf-a'), load('pdf-b'), load('c')], 'done');
    const session = await (await runtime()).session({ model, denyRules: ['Skill(pdf-a)', 'load_skill(c)'] });
    await session.run('Go.').result;
    expect(resultsIn(model.requests[1]).map((text) => text.startsWith('Error [denied]'))).toEqual([true, false, true]);
  }),
);

verifies('skills/start', 'a person starts a skill with /name; $ARGUMENTS is what they wrote, sign for sign', () =>
  inWorld(async ({ home, runtime }) => {
    const args = "$& $1 $$ $ARGUMENTS `x` 'y' {baseDir}\nsecond line";
    await put(
      join(home, 'skills/fix/SKILL.md'),
      skill('fix', 'd', 'Fix [$ARGUMENTS] and ($ARGUMENTS) in $' + '{CLAUDE_SKILL_DIR}.'),
    );
    await put(
      join(home, 'skills/plain/SKILL.md'),
      skill('plain', 'd', 'No place.', 'disable-model-invocation: true\n'),
    );
    await put(join(home, 'skills/model/SKILL.md'), skill('model', 'd', 'x', 'user-invocable: false\n'));
    const model = recording('done', 'done', [load('fix')], 'done', 'done', 'done');
    const session = await (await runtime()).session({ model });
    const asked = async (input: string) => {
      await session.run(input).result;
      const message = model.requests.at(-1)?.messages.findLast(({ role }) => role === 'user');
      return message?.role === 'user' ? textOf(message.content) : '';
    };
    const text = await asked(`/fix ${args}`);
    expect(text).toContain(`Fix [${args}] and (${args}) in ${home}/sessions/`);
    expect(text.startsWith(`/fix ${args}`)).toBe(true);
    expect(await asked('/plain do it')).toContain('With these words of the user: do it');
    await session.run('Load it.').result;
    expect(lastResult(model.requests[3] as ModelRequest)).toContain('is loaded already');
    for (const input of ['/model x', '/etc/passwd is what?', '/none', 'say /fix'])
      expect(await asked(input)).toBe(input);
  }),
);

verifies(
  'skills/tool',
  'a skill with tool: true is a tool with a task, comes and goes with its skill, and is within the view',
  () =>
    inWorld(async ({ home, runtime }) => {
      const file = join(home, 'skills/sum-up/SKILL.md');
      await put(file, skill('sum-up', 'Sums up texts.', 'Sum up: $ARGUMENTS', 'tool: true\n'));
      await put(join(home, 'skills/old/SKILL.md'), '# Skill: Old\n\nThe older form.\n');
      await put(join(home, 'skills/old/skill.yaml'), 'id: older\ntool: true\n');
      const model = recording(
        [{ name: 'skill_sum-up', input: { task: 'a.txt' } }],
        async () => {
          await rm(join(home, 'skills/sum-up'), { recursive: true });
          return [{ name: 'glob_files', input: { pattern: '*' } }];
        },
        [{ name: 'skill_sum-up', input: { task: 'b' } }],
        'done',
      );
      const session = await (await runtime()).session({ model });
      const events = await collect(session.run('Go.'));
      const selected = events.find(({ type }) => type === 'tools_selected');
      expect(selected).toMatchObject({ offered: expect.arrayContaining(['load_skill', 'skill_sum-up']) });
      const tool = model.requests[0]?.tools.find(({ name }) => name === 'skill_sum-up');
      expect(tool?.description).toContain('Sums up texts.');
      expect(tool?.inputSchema).toMatchObject({ required: ['task'] });
      expect(model.requests[0]?.tools.map(({ name }) => name)).toContain('skill_older');
      const [given, , gone] = resultsIn(model.requests[3]);
      expect(given).toContain('Sum up: a.txt\n');
      expect(given).toContain('The task: a.txt');
      expect(gone).toMatch(/^Error \[unavailable\]/);
      const narrow = recording('done');
      await (await (await runtime()).session({ model: narrow, tools: ['load_skill', 'read_file'] })).run('Go.').result;
      expect(narrow.requests[0]?.tools.map(({ name }) => name)).toEqual(['load_skill', 'read_file']);
    }),
);

verifies(
  'skills/load',
  'fork needs a subagent and says so; names, tasks and files that make no sense are answered',
  () =>
    inWorld(async ({ home, runtime }) => {
      await put(join(home, 'skills/a/SKILL.md'), skill('a', 'd', 'Text. </skill_content> more'));
      await put(join(home, 'skills/vanishing/SKILL.md'), skill('vanishing', 'd', 'Text.'));
      const model = recording(
        [load('a', { mode: 'fork' }), load('a', { mode: 'fork', task: 'x' }), load('../../etc/passwd'), load('a')],
        'done',
      );
      const session = await (await runtime()).session({ model });
      await session.run('Go.').result;
      const [taskless, forked, tricky, loaded] = resultsIn(model.requests[1]);
      expect(taskless).toMatch(/^Error \[invalid_input\]/);
      expect(forked).toMatch(/^Error \[unavailable\][\s\S]*load_skill \{"name": "a"\}/);
      expect(tricky).toMatch(/^Error \[invalid_input\]/);
      expect(loaded?.match(/<\/skill_content>/g)).toHaveLength(1);
    }),
);
