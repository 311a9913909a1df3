import { join } from 'node:path';
import Driver from 'better-sqlite3';
import { expect } from 'vitest';
import { verifies } from '../../../test/verifies.ts';
import type { Message } from '../../core/index.ts';
import { inTempFolder } from '../../testing/temp-folder.ts';
import { openSqliteStore } from '../sqlite/open-sqlite-store.ts';
import { migrations } from './migrations.ts';

const message = (id: string, content: string): Message => ({ id, role: 'user', content });
const result = (content: string) => ({ callId: 'c1', name: 'echo', content, durationMs: 1 });

/** A database as versions before the fifth left it, with rows that share and rows that do not. */
function oldDatabase(path: string, version: number): void {
  const database = new Driver(path);
  for (const step of migrations) if (step.version <= version) database.exec(step.sql);
  database.pragma('application_id = 1953460076');
  database.pragma(`user_version = ${version}`);
  const run = (sql: string, ...values: unknown[]) => void database.prepare(sql).run(...values);
  for (const id of ['gone', 'a', 'b']) {
    run(
      `INSERT INTO agent_sessions (id, created_at, updated_at, agent_name, model, status, summary, usage, metadata)
        VALUES (?, 1, 1, 'main', '', 'idle', '', '{}', '{}')`,
      id,
    );
  }
  run("DELETE FROM agent_sessions WHERE id = 'gone'");
  for (const id of ['b', 'a']) {
    for (const [seq, text] of ['one', 'two'].entries()) {
      const json = JSON.stringify(message(`${id}${seq}`, text));
      run(
        'INSERT INTO agent_messages (session_id, seq, message_id, raw_json) VALUES (?, ?, ?, ?)',
        id,
        seq,
        text,
        json,
      );
    }
    const call = `INSERT INTO agent_tool_calls
      (session_id, call_id, run_id, step, name, input, status, started_at, ended_at, result) VALUES (?, ?, 'r', 1, 'echo', ?, ?, 2, ?, ?)`;
    run(call, id, 'c1', '{"n":1}', 'ended', 3, JSON.stringify(result(id)));
    run(call, id, 'c2', null, 'started', null, null);
    const event = `INSERT INTO agent_events (session_id, seq, ts, type, body, detail, message_seq, call_id, run_id)
      VALUES (?, ?, 1, ?, ?, ?, ?, ?, ?)`;
    run(event, id, 1, 'message', '{}', null, 0, null, null);
    run(event, id, 2, 'message', '{}', JSON.stringify(message('x', 'own')), null, null, null);
    run(event, id, 9, 'tool_result', '{"step":1}', null, null, 'c1', 'r');
  }
  database.close();
}

for (const version of [1, 3, 4]) {
  verifies('store/migrations', `what version ${version} kept reads the same, and goes on`, () =>
    inTempFolder(async (folder) => {
      const path = join(folder, 'db');
      oldDatabase(path, version);
      const { sessions, close } = await openSqliteStore({ path });
      for (const id of ['a', 'b']) {
        const at = { sessionId: id, ts: 1 };
        const events = [
          { ...at, seq: 1, type: 'message', message: message(`${id}0`, 'one') },
          { ...at, seq: 2, type: 'message', message: message('x', 'own') },
          { ...at, seq: 9, type: 'tool_result', step: 1, result: result(id) },
        ];
        expect(await sessions.events(id)).toEqual(events);
        expect((await sessions.messages(id)).map((entry) => entry.message.content)).toEqual(['one', 'two']);
        expect(await sessions.calls(id)).toMatchObject([
          { callId: 'c1', status: 'ended', startedAt: 2, endedAt: 3, input: { n: 1 }, result: result(id) },
          { callId: 'c2', status: 'started', input: undefined },
        ]);
        // What an event refers to is changed: the event keeps what it told.
        const changed = { position: 0, message: message(`${id}0`, 'changed') };
        const again = { runId: 'r', step: 1, endedAt: 5, input: { n: 1 }, result: result('again') };
        await sessions.write({ sessionId: id, messages: [changed], callsEnded: [again] });
        expect(await sessions.events(id)).toEqual(events);
        await expect(
          sessions.write({ sessionId: id, events: [{ ...at, seq: 9, type: 'heartbeat' }] }),
        ).rejects.toMatchObject({ code: 'conflict' });
      }
      await sessions.remove('a');
      await close();
      const database = new Driver(path);
      expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
      expect(database.pragma('foreign_key_check')).toEqual([]);
      expect(database.prepare('SELECT DISTINCT session_id FROM agent_messages').pluck().all()).toEqual(['b']);
      for (const table of ['kept_messages', 'kept_events', 'kept_calls']) {
        expect(database.prepare(`SELECT count(DISTINCT session) FROM ${table}`).pluck().get()).toBe(1);
      }
      database.close();
    }),
  );
}
