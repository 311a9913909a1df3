import { randomBytes } from 'node:crypto';
import { createChainCheck, GENESIS, link } from '../audit-chain.ts';
import type { AuditStore, KeptAuditRow } from '../ports/audit.ts';

/** A log that lasts as long as the process; `check` throws when the store is closed. */
export function createMemoryAudit(check: () => void): AuditStore {
  const key = randomBytes(32);
  const kept: KeptAuditRow[] = [];
  const head = () => kept.at(-1) ?? GENESIS;
  return {
    async append(rows) {
      check();
      kept.push(...link(key, head(), rows));
    },
    async list({ session, limit } = {}) {
      check();
      const rows = session === undefined ? kept : kept.filter((row) => row.sessionId === session);
      return limit === undefined ? [...rows] : rows.slice(Math.max(0, rows.length - limit));
    },
    async verify() {
      check();
      const chain = createChainCheck(key, head());
      for (const row of kept) chain.add(row);
      const broken = chain.end();
      return { rows: chain.rows, ...(broken ? { broken } : {}) };
    },
  };
}
