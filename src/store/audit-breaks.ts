import type { AuditBreak, AuditRow, AuditVerdict } from './ports/audit.ts';

const SAYS = { lost: 'audit.head was missing', forged: 'audit.head was not written with the key of this home' };

/** The row that tells for good that the end of the log could not be trusted when the next one was written. */
export function lostChain(at: number, head: 'lost' | 'forged'): AuditRow {
  const nothing = { effect: null, layer: null, rule: null, hook: null, input: null, inputHash: null, facts: null };
  const nobody = { sessionId: '', agentName: '', callId: '', tool: '' };
  return { at, ...nobody, event: 'chain_lost', ...nothing, reason: SAYS[head], durationMs: null, outcome: null };
}

/** Every row that is there is as it was written, but whether the last ones were cut off cannot be told. */
export function headBreak(seq: number, head: 'lost' | 'forged'): AuditBreak {
  const message = `${head === 'lost' ? 'audit.head is missing' : SAYS.forged}: rows may be cut off from row ${seq} on`;
  return { seq, kind: head === 'lost' ? 'head_lost' : 'head_forged', message };
}

export function verdictWithoutKey(rows: number): AuditVerdict {
  if (rows === 0) return { rows };
  return { rows, broken: { seq: 1, kind: 'key_lost', message: 'audit.key is missing: no row can be proved' } };
}
