import assert from 'node:assert/strict';
import type { TaskRecord } from '../../../store/index.ts';
import type { Cases } from './bench.ts';
import { code, record } from './samples.ts';

const task = (id: string, more: Partial<TaskRecord> = {}): TaskRecord => ({
  id,
  sessionId: 's',
  agentName: 'main',
  kind: 'shell',
  status: 'running',
  command: 'echo \ud800; sleep 9',
  cwd: '/work',
  processId: 'p',
  startedAt: 100.5,
  endedAt: null,
  exitCode: null,
  signal: null,
  output: null,
  tail: '',
  owner: { host: 'here', pid: 7, startedAt: null },
  stopRequested: false,
  told: false,
  ...more,
});
const { command, cwd, processId } = task('');
const end = { command, cwd, processId, exitCode: 0, signal: null, output: 'outputs/a.txt', tail: 'done', endedAt: 200 };

/** Work that goes on after its call: kept whole, ended once, and asked to stop from anywhere. */
export const taskCases: Cases = {
  async 'a task is kept as it was put, and listed by session and state'({ store, sessions }) {
    await assert.rejects(store.tasks.put(task('a')), code('not_found'));
    await sessions.create(record('s'));
    await sessions.create(record('t'));
    await store.tasks.put(task('a'));
    await store.tasks.put(task('b', { sessionId: 't' }));
    assert.deepEqual(await store.tasks.get('a'), task('a'));
    assert.equal(await store.tasks.get('x'), undefined);
    const ids = async (filter?: Parameters<typeof store.tasks.list>[0]) =>
      (await store.tasks.list(filter)).map((one) => one.id);
    assert.deepEqual(await ids(), ['a', 'b']);
    assert.deepEqual(await ids({ sessionId: 't' }), ['b']);
    assert.equal(await store.tasks.end('a', { ...end, status: 'completed' }), true);
    assert.deepEqual(await ids({ status: 'running' }), ['b']);
    assert.deepEqual(await ids({ sessionId: 's', status: 'completed' }), ['a']);
    await sessions.remove('t');
    assert.deepEqual(await ids(), ['a']);
  },

  async 'a task ends once, and only a running one is asked to stop'({ store: { tasks }, sessions }) {
    await sessions.create(record('s'));
    await tasks.put(task('a'));
    assert.equal(await tasks.requestStop('x'), false);
    assert.equal(await tasks.requestStop('a'), true);
    assert.equal((await tasks.get('a'))?.stopRequested, true);
    assert.equal(await tasks.end('a', { ...end, status: 'killed' }), true);
    assert.equal(await tasks.end('a', { ...end, status: 'lost', tail: 'other' }), false);
    assert.equal(await tasks.end('x', { ...end, status: 'lost' }), false);
    assert.equal(await tasks.requestStop('a'), false);
    await tasks.tell('a');
    await tasks.tell('x');
    assert.deepEqual(await tasks.get('a'), task('a', { ...end, status: 'killed', stopRequested: true, told: true }));
  },

  async 'of a session the last 200 ended tasks are kept, and all that run'({ store: { tasks }, sessions }) {
    await sessions.create(record('s'));
    await tasks.put(task('running'));
    for (let n = 0; n < 202; n++) {
      await tasks.put(task(`t${n}`));
      await tasks.end(`t${n}`, { ...end, status: 'completed' });
    }
    await tasks.put(task('last'));
    const ids = (await tasks.list()).map((one) => one.id);
    assert.deepEqual([ids[0], ids[1], ids.at(-1), ids.length], ['running', 't2', 'last', 202]);
  },

  async 'whoever watches is told of a new task, of its end and of a wish to stop it'({ store: { tasks }, sessions }) {
    await sessions.create(record('s'));
    let told = 0;
    const leave = tasks.watch(() => {
      told++;
    });
    await tasks.put(task('a'));
    await tasks.requestStop('a');
    await tasks.end('a', { ...end, status: 'killed' });
    assert.equal(told, 3);
    leave();
    await tasks.put(task('b'));
    assert.equal(told, 3);
  },
};
