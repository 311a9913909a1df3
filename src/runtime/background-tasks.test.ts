import { expect } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import type { BackgroundTask } from '../core/index.ts';
import { type BackgroundTasks, createBackgroundTasks, type TaskNews } from './background-tasks.ts';

function fakeTask(id: string) {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  let status: BackgroundTask['status'] = 'running';
  const finish = async (as: BackgroundTask['status']) => {
    status = as;
    end();
    await ended;
    await Promise.resolve();
  };
  const task: BackgroundTask = {
    id,
    kind: 'shell',
    get status() {
      return status;
    },
    ended,
    announcement: () => `${id} has ended`,
    facts: () => ({
      command: 'work',
      cwd: null,
      processId: null,
      exitCode: null,
      signal: null,
      output: null,
      tail: '',
    }),
    kill: () => finish('killed'),
  };
  return { task, finish };
}

const tasks = () => {
  let n = 0;
  return createBackgroundTasks({ newId: () => `${(n++).toString(16).padStart(32, '0')}`, mask: (text) => text });
};

async function announced(session: BackgroundTasks): Promise<readonly TaskNews[]> {
  const all: TaskNews[] = [];
  await session.announce(async (news) => void all.push(...news));
  return all;
}

verifies('BG-01', 'tasks that end together are announced once each, in the order of their ends', async () => {
  const session = tasks();
  const made = [1, 2, 3].map(() => fakeTask(session.newId()));
  for (const { task } of made) expect(session.adopt(task)).toBe(true);
  expect(await announced(session)).toEqual([]);
  await Promise.all(made.map(({ finish }) => finish('completed')));
  const told = await announced(session);
  expect(told.map(({ event }) => event)).toEqual(
    made.map(({ task }) => ({
      type: 'notification',
      taskId: task.id,
      status: 'completed',
      text: `${task.id} has ended`,
    })),
  );
  expect(told.map(({ message }) => message.role)).toEqual(['user', 'user', 'user']);
  expect(await announced(session)).toEqual([]);
  expect(session.get(made[0]?.task.id ?? '').status).toBe('completed');
});

verifies('BG-01', 'what a result has told is not announced, before its end and after it', async () => {
  const session = tasks();
  const [before, after] = [fakeTask(session.newId()), fakeTask(session.newId())];
  session.adopt(before.task);
  session.adopt(after.task);
  session.told(before.task.id);
  await before.finish('completed');
  await after.finish('completed');
  session.told(after.task.id);
  expect(await announced(session)).toEqual([]);
});

verifies('runtime/tasks', 'only so many run, ended ones are forgotten one day, closing ends them all', async () => {
  const session = tasks();
  const made = Array.from({ length: 33 }, () => fakeTask(session.newId()));
  expect(made.map(({ task }) => session.adopt(task)).filter(Boolean)).toHaveLength(32);
  for (const { finish } of made.slice(0, 32)) await finish('completed');
  for (let i = 0; i < 100; i++) {
    await announced(session);
    const more = fakeTask(session.newId());
    session.adopt(more.task);
    await more.finish('failed');
  }
  expect(() => session.get(made[0]?.task.id ?? '')).toThrow('no background task');
  const last = fakeTask(session.newId());
  session.adopt(last.task);
  await session.close();
  expect(last.task.status).toBe('killed');
  expect(session.adopt(fakeTask('x').task)).toBe(false);
});

verifies('runtime/tasks', 'ids are well formed, and those of others are the same error as those of nobody', () => {
  const [one, other] = [tasks(), tasks()];
  const theirs = fakeTask('shtask_aaaaaaaaaaaa');
  other.adopt(theirs.task);
  expect(one.newId()).toMatch(/^shtask_[0-9a-f]{12}$/);
  const fault = (id: string) => {
    try {
      one.get(id);
      return undefined;
    } catch (error) {
      return (error as Error).message.replace(id, 'ID');
    }
  };
  expect(fault(theirs.task.id)).toBe(fault('shtask_bbbbbbbbbbbb'));
});
