import { createHmac } from 'node:crypto';
import type { AuditBreak, AuditRow, KeptAuditRow } from './ports/audit.ts';

/** The last row that was written, as it is kept outside of the log. */
export interface AuditHead {
  readonly seq: number;
  readonly hash: string;
}

/** What stands before the first row. */
export const GENESIS: AuditHead = { seq: 0, hash: '' };

/** Order of the columns under the hash; a new column goes to the end, with a new version of the schema. */
const valuesOf = (row: AuditRow) => [
  row.at,
  row.sessionId,
  row.agentName,
  row.callId,
  row.tool,
  row.event,
  row.effect,
  row.layer,
  row.rule,
  row.hook,
  row.reason,
  row.input,
  row.inputHash,
  row.facts,
  row.durationMs,
  row.outcome,
];

/** Hash of a row behind `before`. Without the key of the home nobody can make one. */
function chainHash(key: Buffer, before: AuditHead, seq: number, row: AuditRow): string {
  return createHmac('sha256', key)
    .update(JSON.stringify([before.hash, seq, ...valuesOf(row)]))
    .digest('hex');
}

export function headMac(key: Buffer, { seq, hash }: AuditHead): string {
  return createHmac('sha256', key)
    .update(JSON.stringify(['head', seq, hash]))
    .digest('hex');
}

/** Gives rows their places behind `before`. */
export function link(key: Buffer, before: AuditHead, rows: readonly AuditRow[]): KeptAuditRow[] {
  let last = before;
  return rows.map((row) => {
    const seq = last.seq + 1;
    last = { seq, hash: chainHash(key, last, seq, row) };
    return { ...row, ...last };
  });
}

/** Follows the chain row by row and remembers the first place where it breaks. */
export function createChainCheck(key: Buffer, head: AuditHead) {
  let last = GENESIS;
  let broken: AuditBreak | undefined;
  let rows = 0;
  let atHead = head.seq === 0;
  const breakAt = (seq: number, kind: AuditBreak['kind'], message: string) => {
    broken ??= { seq, kind, message };
  };
  return {
    /** False when the rest need not be looked at. */
    add(row: KeptAuditRow): boolean {
      rows++;
      const expected = last.seq + 1;
      if (row.seq < expected) breakAt(row.seq, 'foreign', `row ${row.seq} was put in`);
      else if (row.seq > expected) breakAt(expected, 'missing', `row ${expected} is missing`);
      else if (chainHash(key, last, row.seq, row) !== row.hash)
        breakAt(row.seq, 'changed', `row ${row.seq} is not as it was written`);
      else if (row.event === 'chain_lost') breakAt(row.seq, 'head_lost', `before row ${row.seq}: ${row.reason}`);
      if (row.seq === head.seq) {
        atHead = true;
        if (row.hash !== head.hash) breakAt(row.seq, 'changed', `row ${row.seq} is not the one that audit.head names`);
      }
      last = { seq: row.seq, hash: row.hash };
      return broken === undefined;
    },
    end(): AuditBreak | undefined {
      if (broken === undefined && !atHead) {
        const first = last.seq + 1;
        const cut = head.seq - last.seq;
        breakAt(first, 'cut', `${cut === 1 ? `row ${first} was` : `rows ${first} to ${head.seq} were`} cut off`);
      }
      return broken;
    },
    get rows() {
      return rows;
    },
    /** Place of the last row that was looked at. */
    get last() {
      return last.seq;
    },
  };
}
