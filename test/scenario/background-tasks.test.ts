import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type AgentEvent, checkTranscript, type Model, type ModelEvent, textOf } from '../../src/core/index.ts';
import { verifies } from '../verifies.ts';
import { collect, inWorld, scripted } from './runtime-world.ts';

const living = (text: string): boolean => execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).includes(text);
const notes = (events: readonly AgentEvent[]) => events.filter((event) => event.type === 'notification');
const runBash = (command: string, more: object = {}) => ({ name: 'run_bash', input: { command, ...more } });

verifies('BG-01', 'tasks that end together, in a request and while nothing runs are each told once', () =>
  inWorld(async ({ runtime, project }) => {
    const asked: string[][] = [];
    const base = scripted(
      [1, 2, 3].map((n) => runBash(`while [ ! -e go ]; do sleep 0.02; done; echo end${n}`, { background: true })),
      [runBash('touch go; sleep 1.5')],
      'well',
      'after idle',
      'and no more',
    );
    const model: Model = {
      id: base.id,
      async *stream(request, signal): AsyncGenerator<ModelEvent> {
        asked.push(request.messages.map((message) => textOf(message.content)));
        yield* base.stream(request, signal);
      },
    };
    const house = await runtime({ model });
    const session = await house.session({ allow: ['run_bash'] });
    const events = await collect(session.run('go'));
    const told = notes(events);
    expect(new Set(told.map((event) => event.taskId)).size).toBe(3);
    expect(told).toHaveLength(3);
    expect(told.map((event) => event.text).join('\n')).toMatch(/end1[\s\S]*/);
    const third = asked[2]?.filter((text) => text.includes('<system-reminder>')) ?? [];
    expect(third).toHaveLength(3);
    expect(asked[1]?.some((text) => text.includes('<system-reminder>'))).toBe(false);

    const late = await session.call('run_bash', { command: 'sleep 0.2; echo late', background: true });
    const { task_id } = late.data as { task_id: string };
    await new Promise((resolve) => setTimeout(resolve, 800));
    const second = await collect(session.run('again'));
    expect(notes(second).map((event) => event.taskId)).toEqual([task_id]);
    expect(second.findIndex((event) => event.type === 'notification')).toBeLessThan(
      second.findIndex((event) => event.type === 'turn_start'),
    );
    expect(notes(await collect(session.run('once more')))).toEqual([]);
    expect(checkTranscript(await session.messages())).toEqual([]);
    const kept = notes(await house.sessions.events(session.id));
    expect(kept).toHaveLength(4);
    await writeFile(join(project, 'done'), '');
  }),
);

verifies('runtime/tasks', 'a session cannot reach the tasks of another, and closing ends them all', () =>
  inWorld(async ({ runtime }) => {
    const house = await runtime({ model: scripted() });
    const [one, other] = [await house.session({ allow: ['run_bash'] }), await house.session({ allow: ['run_bash'] })];
    const started = await one.call('run_bash', { command: 'setsid sleep 85.01 & sleep 85.02', background: true });
    const { task_id } = started.data as { task_id: string };
    expect((await other.call('await_shell', { task_id })).error?.code).toBe('invalid_input');
    expect((await other.call('kill_shell', { task_id })).error?.code).toBe('invalid_input');
    expect(living('sleep 85.0')).toBe(true);
    await one.close();
    expect(living('sleep 85.0')).toBe(false);
  }),
);

verifies('runtime/tasks', 'a command that the person stopped is cancelled, not failed', () =>
  inWorld(async ({ runtime }) => {
    const house = await runtime({ model: scripted([runBash('echo up; exec sleep 86.01')]) });
    const session = await house.session({ allow: ['run_bash'] });
    const run = session.run('go');
    let code: string | undefined;
    for await (const event of run) {
      if (event.type === 'tool_progress' && event.text.includes('up')) session.cancel();
      if (event.type === 'tool_result') code = event.result.error?.code;
    }
    expect(code).toBe('cancelled');
    await session.close();
    expect(living('sleep 86.0')).toBe(false);
  }),
);
