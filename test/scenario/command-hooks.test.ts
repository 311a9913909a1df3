import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { defineTool } from '../../src/core/index.ts';
import type { Session } from '../../src/runtime/index.ts';
import { verifies } from '../verifies.ts';
import { collect, inWorld, scripted, type World } from './runtime-world.ts';

const told: unknown[] = [];
const echo = defineTool({
  name: 'echo',
  description: 'says it again',
  aliases: [{ name: 'Echo' }],
  input: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  traits: { readOnly: true },
  run: ({ text }) => {
    told.push(text);
    return `said ${text}`;
  },
});

interface Command {
  readonly command: string;
  readonly timeout?: number;
  readonly onFailure?: 'deny' | 'continue';
}
const before = (commands: readonly Command[], matcher?: string) => ({
  PreToolUse: [
    { ...(matcher === undefined ? {} : { matcher }), hooks: commands.map((one) => ({ type: 'command', ...one })) },
  ],
});

async function withHooks(world: World, hooks: object, options: object = {}): Promise<Session> {
  await writeFile(join(world.home, 'toolwright.json'), JSON.stringify({ hooks }));
  const runtime = await world.runtime({ preset: 'empty', tools: [echo], ...options });
  return runtime.session();
}

const json = (value: unknown) => `echo '${JSON.stringify(value)}'`;
const decision = (permissionDecision: string, more: object = {}) =>
  json({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision, ...more } });

verifies(
  'HOOK-01',
  'exit 2 blocks; every other way to fail is told and passed over, or blocks when it must agree',
  () =>
    inWorld(async (world) => {
      const failing: (Command & { readonly says: RegExp })[] = [
        { command: 'exit 1', says: /exit code 1/ },
        { command: 'sleep 60', timeout: 0.3, says: /in time/ },
        { command: 'no-such-program-here', says: /exit code 127/ },
        { command: 'echo not json', says: /no JSON object/ },
        { command: 'head -c 11000000 /dev/zero', says: /10 MB/ },
      ];
      for (const { says, ...command } of failing) {
        const session = await withHooks(world, before([command]));
        const events: { type: string; message?: string }[] = [];
        const result = await session.call('echo', { text: 'x' }, { onEvent: (event) => events.push(event as never) });
        expect(result.content, command.command).toBe('said x');
        await session.close();
        const kept = await (await world.runtime()).sessions.events(session.id);
        const warning = kept.find((event) => event.type === 'error');
        expect(warning, command.command).toMatchObject({ message: expect.stringMatching(says) });
        const strict = await withHooks(world, before([{ ...command, onFailure: 'deny' }]));
        const refused = await strict.call('echo', { text: 'x' });
        expect(refused.error, command.command).toMatchObject({ code: 'blocked', message: expect.stringMatching(says) });
        await strict.close();
      }
      const blocking: [string, RegExp][] = [
        ['exit 2', /gave no reason/],
        ['echo "not today" >&2; exit 2', /not today/],
        [json({ decision: 'block', reason: 'closed' }), /closed/],
        [decision('deny', { permissionDecisionReason: 'no' }), /no/],
        [json({ continue: false, stopReason: 'all stop' }), /all stop/],
      ];
      for (const [command, says] of blocking) {
        told.length = 0;
        const session = await withHooks(world, before([{ command }]));
        const { error } = await session.call('echo', { text: 'x' });
        expect(error, command).toMatchObject({ code: 'blocked', message: expect.stringMatching(says) });
        expect(told).toEqual([]);
        await session.close();
      }
    }),
);

verifies('HOOK-01', 'a command that takes too long is ended with all that it started', () =>
  inWorld(async (world) => {
    const mark = join(world.home, 'mark');
    const command = `(sleep 1.2; echo late > ${mark}) & sleep 60`;
    const session = await withHooks(world, before([{ command, timeout: 0.3 }]));
    await session.call('echo', { text: 'x' });
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    await expect(readFile(mark)).rejects.toThrow('ENOENT');
  }),
);

verifies(
  'HOOK-03',
  'commands run in order: the second sees the changed input, a bad change does not run, deny wins',
  () =>
    inWorld(async (world) => {
      const seen = join(world.home, 'seen');
      const change = decision('allow', { updatedInput: { text: 'b' }, additionalContext: 'changed by a hook' });
      let session = await withHooks(world, before([{ command: change }, { command: `cat > ${seen}` }], 'Echo|Write'));
      const result = await session.call('echo', { text: 'a' });
      expect(result.content).toContain('said b');
      expect(result.content).toContain('changed by a hook');
      expect(JSON.parse(await readFile(seen, 'utf8'))).toMatchObject({
        session_id: session.id,
        cwd: world.project,
        permission_mode: 'standard',
        hook_event_name: 'PreToolUse',
        tool_name: 'echo',
        tool_input: { text: 'b' },
        tool_use_id: result.callId,
      });
      session = await withHooks(world, before([{ command: decision('allow', { updatedInput: { text: 5, no: [] } }) }]));
      expect((await session.call('echo', { text: ['x'] })).error?.code).toBe('invalid_input');
      const all = [decision('allow'), decision('ask'), decision('deny')].map((command) => ({ command }));
      session = await withHooks(world, before(all));
      expect((await session.call('echo', { text: 'a' })).error?.code).toBe('blocked');
      session = await withHooks(world, before(all.slice(0, 2)));
      expect((await session.call('echo', { text: 'a' })).error?.code).toBe('denied');
      session = await withHooks(world, before([{ command: 'exit 2' }], 'mcp__.*'));
      expect((await session.call('echo', { text: 'a' })).content).toBe('said a');
    }),
);

verifies(
  'hooks/commands',
  'a hook after calls sees the result and may change it; a command gets no secret of ours',
  () =>
    inWorld(async (world) => {
      const seen = join(world.home, 'seen');
      const change = json({ hookSpecificOutput: { updatedToolOutput: 'other words' } });
      const hooks = {
        PostToolUse: [
          { matcher: '*', hooks: [{ type: 'command', command: `cat > ${seen}; env >> ${seen}; ${change}` }] },
        ],
      };
      const session = await withHooks(world, hooks, { env: { ...world.env, OPENAI_API_KEY: 'sk-hidden-value' } });
      expect((await session.call('echo', { text: 'a' })).content).toBe('other words');
      const text = await readFile(seen, 'utf8');
      expect(text).toContain('"tool_response":{"content":"said a","is_error":false}');
      expect(text).not.toContain('sk-hidden-value');
    }),
);

verifies('hooks/commands', 'a project that is not trusted has its hooks told and not used', () =>
  inWorld(async (world) => {
    const hooks = before([{ command: 'exit 2' }]);
    await writeFile(join(world.project, 'toolwright.json'), JSON.stringify({ hooks }));
    const runtime = await world.runtime({ preset: 'empty', tools: [echo] });
    expect(runtime.warnings.join()).toContain('exit 2');
    expect((await (await runtime.session()).call('echo', { text: 'a' })).content).toBe('said a');
    const trusted = await world.runtime({ preset: 'empty', tools: [echo], trustProject: true });
    expect((await (await trusted.session()).call('echo', { text: 'a' })).error?.code).toBe('blocked');
  }),
);

verifies(
  'hooks/events',
  'start, message and end of a run: context for the model, a refused message, an end that is put off',
  () =>
    inWorld(async (world) => {
      const say = (command: string) => [{ hooks: [{ type: 'command', command }] }];
      const count = join(world.home, 'count');
      const hooks = {
        SessionStart: say('echo the house is open'),
        UserPromptSubmit: say(`grep -q forbidden && { echo no such words >&2; exit 2; } || echo mind the step`),
        Stop: say(`echo x >> ${count}; echo test first >&2; exit 2`),
      };
      const model = scripted('done', 'done again', 'and again', 'and again', 'once more');
      const session = await withHooks(world, hooks, { model });
      const run = session.run('hello');
      const events = await collect(run);
      expect(await run.result).toMatchObject({ reason: 'stop', steps: 4 });
      // Three refusals, then it may end.
      expect((await readFile(count, 'utf8')).trim().split('\n')).toHaveLength(3);
      expect(events.filter((event) => event.type === 'run_start')).toHaveLength(1);
      expect(events.at(-1)).toMatchObject({ type: 'run_end', steps: 4 });
      const [first, , second] = await session.messages();
      expect(first?.content).toContain('the house is open\nmind the step');
      expect(second?.content).toContain('test first');
      const before = (await session.messages()).length;
      expect(await session.run('something forbidden').result).toMatchObject({
        reason: 'error',
        error: { code: 'blocked', message: expect.stringContaining('no such words') },
      });
      expect(await session.messages()).toHaveLength(before);
      expect(model.requests).toBe(4);
    }),
);
