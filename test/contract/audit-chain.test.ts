import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import SqliteDatabase, { type Database } from 'better-sqlite3';
import { afterEach, beforeEach, expect } from 'vitest';
import { openSqliteStore } from '../../src/store/index.ts';
import { auditRow } from '../../src/testing/contracts/store/audit-cases.ts';
import { verifies } from '../verifies.ts';

const CHILD = join(import.meta.dirname, '..', 'fixtures', 'audit-child.ts');
/** The whole number: AUDIT_TRIALS=1000. */
const TRIALS = Number(process.env['AUDIT_TRIALS'] ?? 60);
const ROWS = 60;
const FILES = ['store.db', 'audit.head', 'audit.key'] as const;

let folder: string;
const children = new Set<ChildProcess>();
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolwright-audit-'));
});
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  await rm(folder, { recursive: true });
});

const databaseIn = (where: string) => join(where, 'store.db');

function start(mode: string): ChildProcess {
  const child = spawn(process.execPath, ['--import', 'tsx', CHILD, mode, databaseIn(folder)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.add(child);
  child.once('exit', () => children.delete(child));
  return child;
}

async function verify(where: string) {
  const store = await openSqliteStore({ path: databaseIn(where) });
  try {
    return await store.audit.verify();
  } finally {
    await store.close();
  }
}

async function append(where: string, count: number): Promise<void> {
  const store = await openSqliteStore({ path: databaseIn(where) });
  for (let call = 0; call < count; call++) await store.audit.append([auditRow(1_000 + call)]);
  await store.close();
}

interface Damage {
  readonly says: string;
  readonly seq: number;
  readonly kind?: string;
  /** On the database, by somebody who can write it. */
  readonly sql?: (database: Database) => void;
  readonly files?: (where: string) => Promise<void>;
  /** Rows that are written afterwards cover nothing up. */
  readonly after?: { readonly seq: number };
}

const TEXT_COLUMNS = [
  ...['session_id', 'agent_name', 'call_id', 'tool', 'event', 'effect', 'layer', 'rule'],
  ...['reason', 'input', 'input_hash', 'hash'],
];

/** A pseudo-random number generator, the same in each run. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
}

function damageOf(trial: number): Damage {
  const pick = random(trial * 7_919 + 13);
  pick(2);
  const row = 1 + pick(ROWS);
  const other = 1 + pick(ROWS);
  const set =
    (sql: string, ...values: unknown[]) =>
    (db: Database) =>
      void db.prepare(sql).run(...values);
  switch (trial % 12) {
    case 0:
    case 1: {
      const column = TEXT_COLUMNS[pick(TEXT_COLUMNS.length)] as string;
      const flip = (db: Database) => {
        const text = String(db.prepare(`SELECT ${column} FROM agent_audit_log WHERE seq = ?`).pluck().get(row));
        const at = pick(text.length);
        const flipped = `${text.slice(0, at)}${String.fromCharCode(text.charCodeAt(at) ^ 1)}${text.slice(at + 1)}`;
        set(`UPDATE agent_audit_log SET ${column} = ? WHERE seq = ?`, flipped, row)(db);
      };
      return { says: `flip ${column}`, seq: row, kind: 'changed', sql: flip };
    }
    case 2: {
      const sql = [
        'UPDATE agent_audit_log SET at = at + 1 WHERE seq = ?',
        "UPDATE agent_audit_log SET hook = 'h' WHERE seq = ?",
        'UPDATE agent_audit_log SET reason = NULL WHERE seq = ?',
        'UPDATE agent_audit_log SET duration_ms = 7 WHERE seq = ?',
        "UPDATE agent_audit_log SET facts = '' WHERE seq = ?",
        "UPDATE agent_audit_log SET outcome = 'ok' WHERE seq = ?",
      ][pick(6)] as string;
      return { says: sql, seq: row, kind: 'changed', sql: set(sql, row), after: { seq: row } };
    }
    case 3:
    case 4:
      return {
        says: `drop ${row}`,
        seq: row,
        kind: row === ROWS ? 'cut' : 'missing',
        sql: set('DELETE FROM agent_audit_log WHERE seq = ?', row),
        after: { seq: row },
      };
    case 5: {
      const [a, b] = [row, row === other ? (row % ROWS) + 1 : other];
      const swap = (db: Database) => {
        const move = (from: number, to: number) =>
          set('UPDATE agent_audit_log SET seq = ? WHERE seq = ?', to, from)(db);
        move(a, -1);
        move(b, a);
        move(-1, b);
      };
      return { says: `swap ${a} ${b}`, seq: Math.min(a, b), kind: 'changed', sql: swap };
    }
    case 6: {
      const away = ROWS + 1 + pick(9);
      const sql = set('UPDATE agent_audit_log SET seq = ? WHERE seq = ?', away, row);
      return { says: `move ${row} to ${away}`, seq: row, sql };
    }
    case 7:
      return {
        says: `cut from ${row}`,
        seq: row,
        kind: 'cut',
        sql: set('DELETE FROM agent_audit_log WHERE seq >= ?', row),
        after: { seq: row },
      };
    case 8:
      return {
        says: 'empty',
        seq: 1,
        kind: 'cut',
        sql: set('DELETE FROM agent_audit_log'),
        after: { seq: 1 },
      };
    case 9: {
      const columns =
        'at, session_id, agent_name, call_id, tool, event, effect, layer, rule, hook, reason, input, input_hash, facts, duration_ms, outcome, hash';
      const seq = pick(2) === 0 ? 0 : ROWS + 1;
      const sql = `INSERT INTO agent_audit_log (seq, ${columns}) SELECT ?, ${columns} FROM agent_audit_log WHERE seq = ?`;
      return { says: `copy ${row} to ${seq}`, seq, kind: seq === 0 ? 'foreign' : 'changed', sql: set(sql, seq, row) };
    }
    case 10: {
      const files = (where: string) => rm(join(where, 'audit.head'));
      return { says: 'no head', seq: ROWS + 1, kind: 'head_lost', files, after: { seq: ROWS + 1 } };
    }
    default: {
      // Rows cut off and the head made to fit, without the key.
      const end = Math.min(row, ROWS - 1);
      const files = async (where: string) => {
        const path = join(where, 'audit.head');
        const head = JSON.parse(await readFile(path, 'utf8'));
        await writeFile(path, JSON.stringify({ ...head, seq: end }));
      };
      const sql = set('DELETE FROM agent_audit_log WHERE seq > ?', end);
      return { says: `forged head at ${end}`, seq: end + 1, kind: 'head_forged', sql, files, after: { seq: end + 1 } };
    }
  }
}

verifies(
  'store/audit',
  `${TRIALS} trials: flip, drop, swap, move, cut, empty, insert, lose and forge the head`,
  async () => {
    const store = await openSqliteStore({ path: databaseIn(folder) });
    for (let call = 0; call < ROWS; call += 3) {
      await store.audit.append([auditRow(call), auditRow(call + 1), auditRow(call + 2)]);
    }
    await store.close();
    expect(await verify(folder)).toEqual({ rows: ROWS });
    const wrong: unknown[] = [];
    for (let trial = 0; trial < TRIALS; trial++) {
      const where = await mkdtemp(join(folder, 'trial-'));
      for (const file of FILES) await copyFile(join(folder, file), join(where, file));
      const damage = damageOf(trial);
      const database = new SqliteDatabase(databaseIn(where));
      damage.sql?.(database);
      database.close();
      await damage.files?.(where);
      const { broken } = await verify(where);
      if (broken?.seq !== damage.seq || (damage.kind && broken.kind !== damage.kind)) wrong.push([damage.says, broken]);
      if (damage.after) {
        await append(where, 2);
        const later = (await verify(where)).broken;
        if (later?.seq !== damage.after.seq) wrong.push([damage.says, 'after more rows', later]);
      }
      await rm(where, { recursive: true });
    }
    expect(wrong).toEqual([]);
  },
  300_000,
);

verifies('store/audit', 'without its key nothing is proved, and both files are only their owner’s', async () => {
  await append(folder, 3);
  for (const file of ['audit.head', 'audit.key']) expect((await stat(join(folder, file))).mode & 0o777).toBe(0o600);
  await rm(join(folder, 'audit.key'));
  expect((await verify(folder)).broken).toMatchObject({ seq: 1, kind: 'key_lost' });
  await append(folder, 1);
  expect((await verify(folder)).broken).toMatchObject({ seq: 1 });
});

verifies('store/audit-processes', 'three processes write one chain', async () => {
  const exits = ['append', 'append', 'append'].map((mode) => once(start(mode), 'exit'));
  for (const exit of exits) expect(await exit).toEqual([0, null]);
  expect(await verify(folder)).toEqual({ rows: 600 });
  const store = await openSqliteStore({ path: databaseIn(folder) });
  const rows = await store.audit.list();
  await store.close();
  for (const agent of new Set(rows.map((row) => row.agentName))) {
    const own = rows.filter((row) => row.agentName === agent);
    expect(own.map((row) => row.callId)).toEqual(Array.from({ length: 200 }, (_, at) => `c${Math.floor(at / 2)}`));
  }
});

for (const [point, rows] of Object.entries({ 'before-commit': 3, 'before-head': 4, 'half-head': 4, 'after-head': 4 })) {
  verifies('store/audit-processes', `a process that is killed ${point} leaves a whole log`, async () => {
    expect(await once(start(point), 'exit')).toEqual([null, 'SIGKILL']);
    expect(await verify(folder)).toEqual({ rows });
    await append(folder, 2);
    expect(await verify(folder)).toEqual({ rows: rows + 2 });
  });
}

verifies('store/audit-processes', 'no acknowledged row is lost by a kill', async () => {
  const child = start('forever');
  let acknowledged = -1;
  if (!child.stdout) throw new Error('no stdout');
  for await (const line of createInterface({ input: child.stdout })) {
    acknowledged = Number(line);
    if (acknowledged === 150) child.kill('SIGKILL');
  }
  const { rows, broken } = await verify(folder);
  expect(broken).toBeUndefined();
  expect(rows).toBeGreaterThan(acknowledged);
});
