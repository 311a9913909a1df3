import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { openSqliteStore } from 'toolwright/store';
import { type Bench, timed } from './harness.ts';

const CALLS = 1_000;

/** What one call costs in the journal: its end and its two events, in one transaction. */
export const sqlite: Bench = {
  name: 'sqlite',
  title: `the journal of ${CALLS} calls, a transaction each`,
  unit: 'ms per call',
  goal: { value: 0.3 },
  async open() {
    const folder = await mkdtemp(join(tmpdir(), 'toolwright-bench-'));
    const plain = new Database(join(folder, 'plain.db'));
    plain.pragma('journal_mode = WAL');
    plain.pragma('synchronous = NORMAL');
    plain.exec('CREATE TABLE rows (id INTEGER PRIMARY KEY, body TEXT NOT NULL)');
    const insert = plain.prepare('INSERT INTO rows (body) VALUES (?)');
    const three = plain.transaction((body: string) => {
      for (let i = 0; i < 3; i++) insert.run(body);
    });
    const byHand = () =>
      timed(CALLS, async () => {
        for (let i = 0; i < CALLS; i++) three.immediate('x'.repeat(200));
      });
    const store = await openSqliteStore({ path: join(folder, 'ours.db') });
    let count = 0;
    const ours = () =>
      timed(CALLS, async () => {
        const sessionId = `s${count++}`;
        const record = {
          id: sessionId,
          createdAt: 1,
          updatedAt: 1,
          agentName: 'main',
          model: '',
          status: 'idle' as const,
        };
        await store.sessions.create({ ...record, summary: '', usage: {}, metadata: {} });
        await store.sessions.lease(sessionId, 'me', Date.now() + 60_000, Date.now());
        for (let i = 0; i < CALLS; i++) {
          const result = { callId: `c${i}`, name: 'echo', content: 'x'.repeat(100), durationMs: 1 };
          const at = { sessionId, ts: 1, agentName: 'main' };
          const call = { type: 'tool_call' as const, callId: result.callId, name: 'echo', arguments: { i }, step: i };
          await store.sessions.write({
            sessionId,
            owner: 'me',
            callsEnded: [{ runId: 'r', step: i, endedAt: 2, input: { i }, result }],
            events: [
              { ...call, ...at, seq: 2 * i + 1 },
              { type: 'tool_result', result, step: i, ...at, seq: 2 * i + 2 },
            ],
          });
        }
        if ((await store.sessions.calls(sessionId)).length !== CALLS) throw new Error('rows are missing');
      });
    return {
      contenders: [
        { name: 'floor: three plain inserts', run: byHand },
        { name: 'toolwright', run: ours },
      ],
      async close() {
        plain.close();
        await store.close();
        await rm(folder, { recursive: true });
      },
    };
  },
};
