import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type ModelRequest, textOf } from '../../src/core/index.ts';
import type { SandboxFactory } from '../../src/runtime/index.ts';
import { passthroughSandbox } from '../../src/runtime/passthrough.ts';
import { verifies } from '../verifies.ts';
import { inWorld } from './runtime-world.ts';
import { type Call, lastResult, load, put, recording, resultsIn, skill } from './skills-world.ts';

verifies('skills/load', 'a skill of the home is listed, loaded, and its script runs from its copy', () =>
  inWorld(async ({ home, runtime }) => {
    await put(join(home, 'skills/greet/SKILL.md'), skill('greet', 'Greets people.', 'Run scripts/hello.sh NAME.'));
    await put(join(home, 'skills/greet/scripts/hello.sh'), '#!/bin/sh\necho "hello $1"\n', 0o755);
    let folder = '';
    const model = recording(
      [{ name: 'load_skill', input: { name: 'greet' } }],
      (request) => {
        folder = /Folder of this skill: (\S+)/.exec(lastResult(request))?.[1] ?? '';
        return [{ name: 'run_bash', input: { command: `${folder}/scripts/hello.sh world` } }];
      },
      'done',
    );
    const session = await (await runtime()).session({ model, mode: 'open' });
    await session.run('Greet the world.').result;
    expect(model.systems[0]).toContain('- greet: Greets people.');
    const loaded = textOf(model.requests[1]?.messages.at(-1)?.content ?? '');
    expect(loaded).toMatch(/^<skill_content name="greet">\nRun scripts\/hello\.sh NAME\.\n/);
    expect(loaded).toContain('<skill_resources>\nscripts/hello.sh\n</skill_resources>');
    expect(lastResult(model.requests[2] as ModelRequest)).toContain('hello world');
    expect((await stat(join(folder, 'scripts/hello.sh'))).mode & 0o111).not.toBe(0);
    expect(await readFile(join(folder, 'SKILL.md'), 'utf8')).toContain('Greets people.');
    await session.close();
    await expect(stat(folder)).rejects.toThrow();
    await expect(stat(join(home, 'sessions'))).rejects.toThrow();
  }),
);

verifies('skills/live', 'an edit, a new skill and one that is gone are seen at the next turn of a run', () =>
  inWorld(async ({ home, runtime }) => {
    const file = await put(join(home, 'skills/a/SKILL.md'), skill('a', 'First words.', 'Old text.'));
    const model = recording(
      [load('a')],
      async () => {
        await put(file, skill('a', 'Other words.', 'New text.'));
        await put(join(home, 'skills/b/SKILL.md'), skill('b', 'Came later.', 'Text of b.'));
        return [{ name: 'glob_files', input: { pattern: '*' } }];
      },
      [load('a'), load('b')],
      async () => {
        await rm(join(home, 'skills/b'), { recursive: true });
        return [{ name: 'glob_files', input: { pattern: '**' } }];
      },
      'done',
    );
    const session = await (await runtime()).session({ model });
    await session.run('Go.').result;
    expect(model.systems.map((text) => /- a: (.*)/.exec(text)?.[1])).toEqual([
      'First words.',
      'First words.',
      'Other words.',
      'Other words.',
      'Other words.',
    ]);
    expect(model.systems.map((text) => text.includes('- b: Came later.'))).toEqual([false, false, true, true, false]);
    const [first, , again, b] = resultsIn(model.requests[3]);
    expect(first).toContain('Old text.');
    expect(again).toMatch(/^\[The skill has changed since it was loaded; this is its text now\.\]\n[\s\S]*New text\./);
    expect(b).toContain('Text of b.');
  }),
);

verifies(
  'skills/project',
  'a sandbox that takes no folder of the host gets the copies in its working folder, read-only, and none stays',
  () =>
    inWorld(async ({ home, project, runtime, env }) => {
      await put(join(home, 'skills/a/SKILL.md'), skill('a', 'd', 'Run x.sh.'));
      await put(join(home, 'skills/a/x.sh'), '#!/bin/sh\necho ran\n', 0o755);
      const passthrough = passthroughSandbox(env);
      const sandbox: SandboxFactory = (options) =>
        passthrough({ ...options, roots: options.roots.filter((root) => root.label !== 'skill') });
      let folder = '';
      const model = recording(
        [load('a')],
        (request) => {
          folder = /Folder of this skill: (\S+)/.exec(lastResult(request))?.[1] ?? '';
          const file = `${folder}/x.sh`;
          return [
            { name: 'run_bash', input: { command: file } },
            { name: 'read_file', input: { path: file } },
            { name: 'file_write', input: { path: file, content: 'mine' } },
          ];
        },
        'done',
      );
      const session = await (await runtime({ sandbox })).session({ model, mode: 'open' });
      await session.run('Go.').result;
      expect(folder.startsWith(join(project, '.toolwright/sessions/'))).toBe(true);
      const [, ran, read, wrote] = resultsIn(model.requests[2]);
      expect([ran, read]).toEqual(['ran', expect.stringContaining('echo ran')]);
      expect(wrote).toMatch(/^Error \[denied\].*read-only/);
      await session.close();
      expect(await readdir(join(project, '.toolwright'))).toEqual([]);
    }),
);

verifies('skills/live', 'the copy of a loaded skill follows it; an edited one is kept, and the prompt says so', () =>
  inWorld(async ({ home, runtime }) => {
    await put(join(home, 'skills/a/SKILL.md'), skill('a', 'd', 'Run it.'));
    const script = await put(join(home, 'skills/a/x.sh'), '#!/bin/sh\necho one\n', 0o755);
    const folder = (request: ModelRequest) =>
      /Folder of this skill: (\S+)/.exec(resultsIn(request)[0] ?? '')?.[1] ?? '';
    const bash = (command: string): Call[] => [{ name: 'run_bash', input: { command } }];
    const model = recording(
      [load('a')],
      async (request) => {
        await put(script, '#!/bin/sh\necho two, and longer\n', 0o755);
        return bash(`sleep 0.01; ${folder(request)}/x.sh`);
      },
      (request) => bash(`${folder(request)}/x.sh && echo 'echo mine' >> ${folder(request)}/x.sh`),
      async (request) => {
        await put(script, '#!/bin/sh\necho three\n', 0o755);
        return bash(`tail -1 ${folder(request)}/x.sh`);
      },
      'done',
    );
    const session = await (await runtime()).session({ model, mode: 'open' });
    await session.run('Go.').result;
    const results = resultsIn(model.requests[4]);
    expect(results.slice(1).map((text) => /one|two|mine/.exec(text)?.[0])).toEqual(['one', 'two', 'mine']);
    expect(model.systems[4]).toContain('[note] skill a: x.sh: the copy here was edited');
    expect(model.systems[3]).not.toContain('[note]');
  }),
);

verifies('skills/load', 'a text is given once, in this process and in the next; then it counts as loaded', () =>
  inWorld(async ({ home, runtime }) => {
    await put(join(home, 'skills/a/SKILL.md'), skill('a', 'd', 'The text.'));
    const model = recording([load('a'), load('a')], [load('a', { task: 'More.' })], 'done');
    const first = await (await runtime()).session({ model, id: 's' });
    await first.run('Go.').result;
    await first.close();
    const [once, same, later] = resultsIn(model.requests[2]);
    expect(once).toContain('The text.');
    for (const text of [same, later]) expect(text).toMatch(/is loaded already \(call_0_0\); its text stands above/);
    expect(later).toContain('The task: More.');
    const messages = await first.messages();
    const marks = messages.flatMap((message) => (message.role === 'tool' ? [message.metadata?.['data']] : []));
    expect(marks).toEqual([
      { skill: { name: 'a', tokens: expect.any(Number), hash: expect.any(String), dropped: [] } },
      undefined,
      undefined,
    ]);

    const next = recording([load('a')], 'done');
    const resumed = await (await runtime()).session({ model: next, id: 's' });
    await resumed.run('Again.').result;
    expect(lastResult(next.requests[1] as ModelRequest)).toContain('is loaded already (call_0_0)');
    // Outside of the conversation nothing stands above.
    const call = async () => textOf((await resumed.call('load_skill', { name: 'a' })).content);
    await put(join(home, 'skills/b/SKILL.md'), skill('b', 'd', 'Text of b.'));
    const direct = async () => textOf((await resumed.call('Skill', { skill: 'b' })).content);
    expect([await call(), await direct(), await direct()]).toEqual([
      expect.stringContaining('is loaded already'),
      expect.stringContaining('Text of b.'),
      expect.stringContaining('Text of b.'),
    ]);
  }),
);

verifies('skills/project', 'what was loaded before is there again when a session goes on in another process', () =>
  inWorld(async ({ home, runtime }) => {
    await put(join(home, 'skills/a/SKILL.md'), skill('a', 'd', 'Run x.sh.'));
    await put(join(home, 'skills/a/x.sh'), '#!/bin/sh\necho ran\n', 0o755);
    const first = await (await runtime()).session({ model: recording([load('a')], 'done'), id: 's', mode: 'open' });
    await first.run('Go.').result;
    await first.close();
    const again = async (request: ModelRequest): Promise<Call[]> => {
      const folder = /Folder of this skill: (\S+)/.exec(resultsIn(request)[0] ?? '')?.[1] ?? '';
      return [{ name: 'run_bash', input: { command: `${folder}/x.sh && rm -r ${folder}` } }];
    };
    const model = recording(again, again, 'done');
    const next = await (await runtime()).session({ model, id: 's', mode: 'open' });
    await next.run('Again.').result;
    expect(resultsIn(model.requests[2]).slice(1)).toEqual(['ran', 'ran']);
  }),
);

verifies('skills/load', 'beyond 18,000 tokens the oldest is dropped, which is said, and can be loaded again', () =>
  inWorld(async ({ home, runtime }) => {
    const words = (word: string) => `${word} and some more words of it\n`.repeat(1_000);
    for (const name of ['one', 'two', 'three'])
      await put(join(home, `skills/${name}/SKILL.md`), skill(name, 'd', words(name)));
    const model = recording([load('one'), load('two')], [load('three')], [load('one')], [load('three')], 'done');
    const session = await (await runtime()).session({ model });
    await session.run('Go.').result;
    const dropped = resultsIn(model.requests[4]).map(
      (text) => /\[No longer in force, to make room: (.*?)\./.exec(text)?.[1],
    );
    expect(dropped).toEqual([undefined, undefined, 'one', 'two', undefined]);
    expect(resultsIn(model.requests[4])[4]).toContain('is loaded already');
  }),
);

verifies('SKILL-08', 'a long text is cut at a line with its fence closed, and can be read on in its copy', () =>
  inWorld(async ({ home, runtime }) => {
    const lines = Array.from({ length: 4_000 }, (_, index) => `第${index}行：技能说明文字 𠮷𠮷𠮷`);
    const body = `\`\`\`sh\n${lines.join('\n')}\n\`\`\`\nThe end.`;
    expect(Buffer.byteLength(body)).toBeGreaterThan(130_000);
    await put(join(home, 'skills/big/SKILL.md'), skill('big', 'd', body));
    const model = recording(
      [load('big')],
      (request) => {
        const next = /read_file (\{.*?\})/.exec(lastResult(request))?.[1] ?? '{}';
        return [{ name: 'read_file', input: JSON.parse(next) }];
      },
      'done',
    );
    const session = await (await runtime()).session({ model });
    await session.run('Go.').result;
    const [text = '', rest = ''] = resultsIn(model.requests[2]);
    expect(text.length).toBeLessThan(60_000);
    expect(text).not.toContain('\uFFFD');
    expect(text.match(/^```/gm)).toHaveLength(2);
    const last = Number(/第(\d+)行[^\n]*\n```\n\[The text goes on/.exec(text)?.[1]);
    expect(last).toBeGreaterThan(100);
    expect(rest.split('\n')[0]).toMatch(new RegExp(`^\\d+\\t第${last + 1}行`));
  }),
);

verifies('SKILL-08', 'of 2,451 skills the prompt lists what fits and says how to find the others', () =>
  inWorld(async ({ home, runtime }) => {
    const about = 'What it does and when it is to be used, in some words. '.repeat(8);
    for (let index = 0; index < 2_451; index++) {
      const name = `skill-${String(index).padStart(4, '0')}`;
      await put(
        join(home, `skills/${name}/SKILL.md`),
        skill(name, index === 2_400 ? 'Folds paper cranes.' : about, 'Text.'),
      );
    }
    const model = recording([load('paper cranes folding')], [load('skill-2450')], 'done');
    const session = await (await runtime()).session({ model });
    await session.run('Go.').result;
    const [system = ''] = model.systems;
    const section = system.slice(system.indexOf('<available_skills>'));
    expect(section.length).toBeLessThan(25_000);
    expect(section).toContain(`- skill-0000: ${about.trim()}\n`);
    expect(section).toMatch(/Without their descriptions: skill-0\d+, /);
    expect(section).toMatch(/\n\d+ more are not listed; to find one, call load_skill with words/);
    expect(new Set(model.systems).size).toBe(1);
    expect(resultsIn(model.requests[1])[0]).toContain('- skill-2400: Folds paper cranes.');
    expect(lastResult(model.requests[2] as ModelRequest)).toContain('<skill_content name="skill-2450">');
  }),
);

verifies(
  'skills/prompt',
  'no section without skills; long descriptions are cut in the list alone; always means from the start',
  () =>
    inWorld(async ({ home, runtime }) => {
      const model = recording('done', 'done');
      const session = await (await runtime()).session({ model });
      await session.run('Go.').result;
      expect(model.systems[0]).not.toMatch(/skill/i);
      await put(
        join(home, 'skills/long/SKILL.md'),
        skill('long', 'x'.repeat(1_500), 'Text.', 'activation: When asked.\n'),
      );
      await put(join(home, 'skills/rules/SKILL.md'), skill('rules', 'House rules.', 'Be brief.', 'always: true\n'));
      await put(
        join(home, 'skills/hidden/SKILL.md'),
        skill('hidden', 'By hand.', 'x', 'disable-model-invocation: true\n'),
      );
      await session.run('Go.').result;
      const system = model.systems[1] ?? '';
      expect(system).toContain(`- long: ${'x'.repeat(1_024)}…\n`);
      expect(system).toContain('<skill_content name="rules">\nBe brief.\n');
      expect(system).not.toMatch(/- rules:|hidden/);
      expect(system.startsWith(model.systems[0] ?? '-')).toBe(true);
    }),
);
