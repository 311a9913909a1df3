import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { verifies } from '../../../test/verifies.ts';
import { type Message, systemClock } from '../../core/index.ts';
import { auditRow } from '../../testing/contracts/store/audit-cases.ts';
import { inTempFolder } from '../../testing/temp-folder.ts';
import { createAuditHeadFile } from '../audit-head.ts';
import type { SessionRecord } from '../ports/sessions.ts';
import { createGroupWrites } from './group-writes.ts';
import { createLockQueue } from './lock-queue.ts';
import { openDatabase } from './open-database.ts';
import { openSqliteStore } from './open-sqlite-store.ts';
import { createSqliteAudit } from './sqlite-audit.ts';
import { createSqliteSessions } from './sqlite-sessions.ts';

const record = (id: string): SessionRecord => ({
  id,
  createdAt: 1,
  updatedAt: 1,
  agentName: 'main',
  model: '',
  status: 'idle',
  summary: '',
  usage: {},
  metadata: {},
});
const message = (text: string): Message => ({ role: 'user', id: text, content: text });

verifies('store/group', 'writes that come together are kept apart: one that is refused takes nothing with it', () =>
  inTempFolder(async (folder) => {
    const store = await openSqliteStore({ path: join(folder, 'db') });
    const { sessions } = store;
    for (const id of ['a', 'b', 'c']) await sessions.create(record(id));
    const write = (sessionId: string, text: string, owner?: string) =>
      sessions.write({ sessionId, messages: [{ position: 0, message: message(text) }], ...(owner ? { owner } : {}) });
    const ends = await Promise.allSettled([
      write('a', 'one'),
      write('b', 'two', 'nobody'),
      write('nope', 'x'),
      write('c', 'three'),
    ]);
    expect(ends.map((end) => end.status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    const kept = await Promise.all(['a', 'b', 'c'].map((id) => sessions.messages(id)));
    expect(kept.map((rows) => rows.map((row) => row.message.content))).toEqual([['one'], [], ['three']]);
    await store.close();
  }),
);

verifies('store/group', 'what was gathered is written before what comes after it, and before the store closes', () =>
  inTempFolder(async (folder) => {
    const path = join(folder, 'db');
    const store = await openSqliteStore({ path });
    await store.sessions.create(record('a'));
    await store.sessions.lease('a', 'me', Date.now() + 60_000, Date.now());
    const first = store.sessions.write({
      sessionId: 'a',
      owner: 'me',
      messages: [{ position: 0, message: message('one') }],
    });
    await store.sessions.releaseLease('a', 'me');
    await first;
    const last = store.sessions.write({ sessionId: 'a', messages: [{ position: 1, message: message('two') }] });
    await store.close();
    await last;
    const again = await openSqliteStore({ path });
    expect((await again.sessions.messages('a')).map((row) => row.message.content)).toEqual(['one', 'two']);
    await again.close();
  }),
);

verifies('store/group', 'rows of the audit log that come with them cost one head', () =>
  inTempFolder(async (folder) => {
    const path = join(folder, 'db');
    const locks = createLockQueue(systemClock, 1_000);
    const database = await openDatabase(path, 'normal', locks);
    let transactions = 0;
    const counted: typeof locks.write = (work) => {
      transactions++;
      return locks.write(work);
    };
    const { add } = createGroupWrites(database, counted, (error) => error);
    const access = { read: locks.read, write: add, locked: locks.write };
    const heads: number[] = [];
    const file = createAuditHeadFile(folder);
    const write = (head: Parameters<typeof file.write>[0]) => {
      heads.push(head.seq);
      file.write(head);
    };
    const audit = createSqliteAudit(database, access, { ...file, write });
    const sessions = createSqliteSessions(database, access, systemClock);
    await Promise.all([
      audit.append([auditRow(1), auditRow(2)]),
      sessions.create(record('a')),
      audit.append([auditRow(3)]),
      sessions.write({ sessionId: 'nope' }).catch(() => {}),
      audit.append([auditRow(4)]),
    ]);
    expect([transactions, heads]).toEqual([1, [4]]);
    expect(await audit.verify()).toEqual({ rows: 4 });
    await audit.append([auditRow(5)]);
    expect([transactions, heads]).toEqual([2, [4, 5]]);
    expect(await audit.verify()).toEqual({ rows: 5 });
    expect(statSync(join(folder, 'audit.head')).mode & 0o777).toBe(0o600);
    database.close();
  }),
);
