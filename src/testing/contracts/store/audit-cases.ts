import assert from 'node:assert/strict';
import type { AuditRow } from '../../../store/index.ts';
import type { Cases } from './bench.ts';
import { ODD_TEXTS } from './samples.ts';

/** A row of the audit log, for tests. */
export function auditRow(call: number, over: Partial<AuditRow> = {}): AuditRow {
  return {
    at: 1_000.5 + call,
    sessionId: 's',
    agentName: 'main',
    callId: `c${call}`,
    tool: 'file_edit',
    event: 'decision',
    effect: 'allow',
    layer: 'rules',
    rule: 'file_edit(src/**)',
    hook: null,
    reason: 'it is allowed',
    input: `{"path":"f${call}"}`,
    inputHash: String(call).padStart(64, '0'),
    facts: null,
    durationMs: call % 2 === 0 ? null : 1.25,
    outcome: null,
    ...over,
  };
}

/** What an audit log must do; for stores that keep one. */
export const auditCases: Cases = {
  async 'audit rows come back in order, of one session or of all, the newest of them'({ store: { audit } }) {
    if (!audit) return;
    assert.deepEqual(await audit.list(), []);
    assert.deepEqual(await audit.verify(), { rows: 0 });
    await audit.append([]);
    await Promise.all([1, 2, 3, 4].map((n) => audit.append([auditRow(n), auditRow(n, { sessionId: 't' })])));
    const rows = await audit.list();
    assert.deepEqual(
      rows.map((row) => row.seq),
      [1, 2, 3, 4, 5, 6, 7, 8],
    );
    const { seq: _seq, hash: _hash, ...first } = rows[0] as (typeof rows)[0];
    assert.deepEqual(first, auditRow(1));
    const ofT = await audit.list({ session: 't', limit: 2 });
    assert.deepEqual(
      ofT.map((row) => row.callId),
      ['c3', 'c4'],
    );
    assert.deepEqual(await audit.verify(), { rows: 8 });
  },

  async 'audit rows hold any text'({ store: { audit } }) {
    if (!audit) return;
    for (const text of Object.values(ODD_TEXTS)) {
      await audit.append([auditRow(1, { sessionId: text, callId: text, reason: text, input: text, outcome: text })]);
      const [row] = await audit.list({ session: text });
      assert.equal(row?.reason, text);
      assert.equal(row?.callId, text);
      assert.equal(row?.outcome, text);
    }
    assert.equal((await audit.verify()).broken, undefined);
  },
};
