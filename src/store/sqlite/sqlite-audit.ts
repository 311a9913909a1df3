import type { Database } from 'better-sqlite3';
import { headBreak, lostChain, verdictWithoutKey } from '../audit-breaks.ts';
import { type AuditHead, createChainCheck, GENESIS, link } from '../audit-chain.ts';
import type { AuditHeadFile } from '../audit-head.ts';
import { fromColumn, toColumn } from '../exact-text.ts';
import type { AuditRow, AuditStore, KeptAuditRow } from '../ports/audit.ts';
import type { Access } from './access.ts';

type Row = Record<string, unknown>;

const COLUMNS =
  'seq, at, session_id, agent_name, call_id, tool, event, effect, layer, rule, hook, reason, input, input_hash, facts, duration_ms, outcome, hash';
const TEXTS = 'sessionId agentName callId tool event effect layer rule hook reason input inputHash facts outcome';
const textKeys = TEXTS.split(' ') as readonly (keyof AuditRow)[];

/** Rows that are looked at between two rounds of the event loop. */
const PAGE = 1_000;

/**
 * Each append is part of one transaction that holds the write lock from its start, so that the chain is one,
 * whatever processes write. The head is renewed after the commit, under the lock again, once for all appends of
 * the transaction: a process that ends in between leaves a head that is behind, and never one that is ahead;
 * what is ahead was cut.
 */
export function createSqliteAudit(database: Database, access: Access, headFile: AuditHeadFile): AuditStore {
  const insert = database.prepare(
    `INSERT INTO agent_audit_log (${COLUMNS}) VALUES (${COLUMNS.split(', ')
      .map(() => '?')
      .join(', ')})`,
  );
  const tail = database.prepare<[], Row>('SELECT seq, hash FROM agent_audit_log ORDER BY seq DESC LIMIT 1');
  const page = database.prepare<[number, number], Row>(
    `SELECT ${COLUMNS} FROM agent_audit_log WHERE seq > ? ORDER BY seq LIMIT ?`,
  );
  const newest = database.prepare<[number], Row>(`SELECT ${COLUMNS} FROM agent_audit_log ORDER BY seq DESC LIMIT ?`);
  const newestOf = database.prepare<[string, number], Row>(
    `SELECT ${COLUMNS} FROM agent_audit_log WHERE session_id = ? ORDER BY seq DESC LIMIT ?`,
  );
  /** As this process last wrote it: while the table ends there the file need not be read. */
  let written: AuditHead | undefined;

  const readTail = (): AuditHead => {
    const row = tail.get();
    return row ? { seq: Number(row['seq']), hash: String(row['hash']) } : GENESIS;
  };
  /** Gives the place of the last one. */
  const add = (rows: readonly AuditRow[]): number => {
    const key = headFile.key();
    const end = readTail();
    if (written?.seq !== end.seq || written.hash !== end.hash) written = undefined;
    const head = written ?? headFile.read();
    // Rows go behind what was cut off, so that its place stays empty for good.
    const from = typeof head === 'object' && head.seq > end.seq ? head : end;
    const all = typeof head === 'object' ? rows : [lostChain(rows[0]?.at ?? 0, head), ...rows];
    const linked = link(key, from, all);
    for (const row of linked) insert.run(...toColumns(row));
    return from.seq + linked.length;
  };
  const renewHead = database.transaction((last: number) => {
    if (written !== undefined && written.seq >= last) return;
    const end = readTail();
    headFile.write(end);
    written = end;
  });
  const readHead = database.transaction(() => headFile.read());

  return {
    async append(rows) {
      if (rows.length === 0) return;
      const exact = rows.map(toExact);
      const last = await access.write(() => add(exact));
      await access.locked(() => renewHead.immediate(last));
    },
    async list({ session, limit = Number.MAX_SAFE_INTEGER } = {}) {
      const rows = await access.read(() =>
        session === undefined ? newest.all(limit) : newestOf.all(toColumn(session), limit),
      );
      return rows.reverse().map((row) => toPlain(toRow(row)));
    },
    async verify() {
      const key = headFile.existingKey();
      if (!key) return verdictWithoutKey((await access.read(readTail)).seq);
      // Before the rows: what comes behind it meanwhile is no fault.
      const head = await access.locked(() => readHead.immediate());
      const check = createChainCheck(key, typeof head === 'object' ? head : GENESIS);
      for (let after = Number.MIN_SAFE_INTEGER; ; ) {
        const rows = (await access.read(() => page.all(after, PAGE))).map(toRow);
        const isWhole = rows.every((row) => check.add(row));
        const last = rows.at(-1);
        if (!isWhole || !last || rows.length < PAGE) {
          const broken = check.end() ?? (typeof head === 'object' ? undefined : headBreak(check.last + 1, head));
          return { rows: check.rows, ...(broken ? { broken } : {}) };
        }
        after = last.seq;
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}

function toRow(row: Row): KeptAuditRow {
  const text = (name: string) => (row[name] === null ? null : String(row[name]));
  return {
    seq: Number(row['seq']),
    at: Number(row['at']),
    sessionId: String(row['session_id']),
    agentName: String(row['agent_name']),
    callId: String(row['call_id']),
    tool: String(row['tool']),
    event: String(row['event']),
    effect: text('effect'),
    layer: text('layer'),
    rule: text('rule'),
    hook: text('hook'),
    reason: text('reason'),
    input: text('input'),
    inputHash: text('input_hash'),
    facts: text('facts'),
    durationMs: row['duration_ms'] === null ? null : Number(row['duration_ms']),
    outcome: text('outcome'),
    hash: String(row['hash']),
  };
}

function toColumns(row: KeptAuditRow): (string | number | null)[] {
  const { seq, at, sessionId, agentName, callId, tool, event, effect, layer, rule, hook, reason } = row;
  const { input, inputHash, facts, durationMs, outcome, hash } = row;
  const head = [seq, at, sessionId, agentName, callId, tool, event, effect, layer, rule, hook, reason];
  return [...head, input, inputHash, facts, durationMs, outcome, hash];
}

/** Hashes are made of the texts as columns hold them. */
const toExact = (row: AuditRow): AuditRow => mapTexts(row, toColumn);
const toPlain = (row: KeptAuditRow): KeptAuditRow => mapTexts(row, fromColumn);

function mapTexts<R extends AuditRow>(row: R, map: (text: string) => string): R {
  const changed: Partial<Record<keyof AuditRow, string>> = {};
  for (const key of textKeys) {
    const text = row[key];
    if (typeof text !== 'string') continue;
    const mapped = map(text);
    if (mapped !== text) changed[key] = mapped;
  }
  return { ...row, ...changed };
}
