import { createRuntime, type KeptAuditRow, type Runtime } from '../../runtime/index.ts';
import { toollessOptions } from '../flag-options.ts';
import type { RuntimeFlags } from '../flags.ts';
import type { Io } from '../io.ts';
import { createStyle, harmless, oneLine, type Style } from '../render/style.ts';

export interface AuditFlags extends RuntimeFlags {
  readonly session?: string;
  readonly limit: number;
  readonly verify?: boolean;
}

export async function audit(io: Io, flags: AuditFlags): Promise<number> {
  const runtime = await createRuntime(toollessOptions(flags));
  try {
    if (flags.verify === true) return await verify(io, flags, runtime);
    const { session, limit } = flags;
    const rows = await runtime.audit.list(session === undefined ? { limit } : { session, limit });
    if (flags.json === true) {
      await io.out(`${JSON.stringify(rows.map(toJson))}\n`);
      return 0;
    }
    const style = createStyle(io.hasColor);
    await io.out(rows.map((row) => shown(row, io.columns, style)).join('') || 'The audit log is empty.\n');
    return 0;
  } finally {
    await runtime.close();
  }
}

/** 1 when a row is not as it was written. */
async function verify(io: Io, flags: AuditFlags, runtime: Runtime): Promise<number> {
  const { rows, broken } = await runtime.audit.verify();
  if (flags.json === true) {
    await io.out(`${JSON.stringify(broken ? { ok: false, rows, broken } : { ok: true, rows })}\n`);
  } else if (broken) {
    await io.out(`The audit log is broken at row ${broken.seq} (${broken.kind}): ${broken.message}.\n`);
  } else {
    await io.out(`${rows} rows, each as it was written.\n`);
  }
  return broken ? 1 : 0;
}

function toJson(row: KeptAuditRow): Record<string, unknown> {
  return {
    seq: row.seq,
    ts: row.at / 1_000,
    session_id: row.sessionId,
    agent_name: row.agentName,
    tool_call_id: row.callId,
    tool: row.tool,
    event: row.event,
    effect: row.effect,
    layer: row.layer,
    rule: row.rule,
    hook: row.hook,
    reason: row.reason,
    input: row.input,
    input_hash: row.inputHash,
    facts: row.facts === null ? null : JSON.parse(row.facts),
    duration_ms: row.durationMs,
    outcome: row.outcome,
    hash: row.hash,
  };
}

function shown(row: KeptAuditRow, width: number, style: Style): string {
  const when = new Date(row.at).toISOString().slice(0, 19).replace('T', ' ');
  const head = `${row.seq}  ${when}  ${row.event.padEnd(8)}  ${harmless(row.tool)}  `;
  const who = [row.layer, row.rule ?? row.hook].filter((part) => part !== null).join(' ');
  const decision = row.effect === null ? '' : `${row.effect} by ${who}: ${row.reason ?? ''}`;
  const tail = decision || row.outcome || row.reason || row.callId;
  return `${style.dim(head)}${oneLine(harmless(tail), Math.max(20, width - head.length))}\n`;
}
