import { toColumn } from '../exact-text.ts';
import { alreadyWritten, leaseLost, noSession } from '../session-errors.ts';
import type { CallRow, EventRow, WriteRows } from '../write-rows.ts';
import type { prepareSessionSql } from './session-sql.ts';
import { sqliteCode } from './store-error.ts';

type SessionSql = ReturnType<typeof prepareSessionSql>;

/** One write, inside a transaction: all of it, or an error. */
export function writeSession(sql: SessionSql, rows: WriteRows, now: number): void {
  try {
    writeRows(sql, rows, now);
  } catch (error) {
    if (/^SQLITE_CONSTRAINT_(PRIMARYKEY|UNIQUE)/.test(sqliteCode(error) ?? '')) throw alreadyWritten(rows.sessionId);
    throw error;
  }
}

function writeRows(sql: SessionSql, rows: WriteRows, now: number): void {
  const id = toColumn(rows.sessionId);
  // Only a session that is there has a lease.
  const isHeld = rows.owner !== undefined && sql.holdsLease.get({ id, owner: toColumn(rows.owner), now }) !== undefined;
  if (!isHeld && !sql.exists.get(id)) throw noSession(rows.sessionId);
  if (!isHeld && rows.owner !== undefined) throw leaseLost(rows.sessionId);
  if (rows.patch) sql.update.run({ id, ...toColumns(rows.patch) });
  for (const { position, id: messageId, json } of rows.messages) {
    const row = { id, position, messageId: toColumn(messageId), json };
    if (sql.addMessage.run(row) > 0) continue;
    sql.keepMessage.run({ id, position });
    sql.replaceMessage.run(row);
  }
  for (const call of rows.started) sql.startCall.run({ id, ...callColumns(call) });
  for (const call of rows.ended) {
    const columns = callColumns(call);
    if (sql.endCall.run({ id, ...columns, endedAt: call.endedAt, result: call.result }) > 0) continue;
    const key = { id, callId: columns.callId, runId: columns.runId };
    sql.keepResult.run(key);
    sql.endStartedCall.run({ ...key, endedAt: call.endedAt, result: call.result });
  }
  for (const event of rows.events) sql.addEvent.run({ id, ...eventColumns(sql, id, event, rows) });
  if (rows.endsLease && rows.owner !== undefined) sql.releaseLease.run({ id, owner: toColumn(rows.owner) });
}

/** Every column of the update; null leaves one as it is. */
function toColumns(patch: NonNullable<WriteRows['patch']>) {
  const text = (value: string | undefined) => (value === undefined ? null : toColumn(value));
  return {
    updatedAt: patch.updatedAt ?? null,
    agentName: text(patch.agentName),
    model: text(patch.model),
    status: text(patch.status),
    summary: text(patch.summary),
    usage: patch.usage ?? null,
    metadata: patch.metadata ?? null,
  };
}

function callColumns({ callId, runId, step, name, input, startedAt }: CallRow) {
  return { callId: toColumn(callId), runId: toColumn(runId), step, name: toColumn(name), input, startedAt };
}

/** A message or result that stands in another row already is not written a second time. */
function eventColumns(sql: SessionSql, id: string, event: EventRow, rows: WriteRows) {
  const { seq, ts, type, body, detail } = event;
  const whole = { seq, ts, type, body, detail, messageSeq: null, callId: null, runId: null };
  if (detail === null) return whole;
  if (event.messageId !== undefined) {
    const beside = rows.messages.find((row) => row.id === event.messageId && row.json === detail);
    if (beside) return { ...whole, detail: null, messageSeq: beside.position };
    const message = sql.findMessage.get({ id, messageId: toColumn(event.messageId), json: detail });
    if (message) return { ...whole, detail: null, messageSeq: message['seq'] ?? null };
  }
  if (event.callId !== undefined) {
    const callId = toColumn(event.callId);
    const beside = rows.ended.find((row) => row.callId === event.callId && row.result === detail);
    if (beside) return { ...whole, detail: null, callId, runId: toColumn(beside.runId) };
    const call = sql.findResult.get({ id, callId, json: detail });
    if (call) return { ...whole, detail: null, callId, runId: call['run_id'] ?? null };
  }
  return whole;
}
