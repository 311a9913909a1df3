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
  const owner = rows.owner === undefined ? null : toColumn(rows.owner);
  const found = sql.find.get({ id, owner, now });
  if (!found) throw noSession(rows.sessionId);
  if (owner !== null && found['held'] !== 1) throw leaseLost(rows.sessionId);
  const session = Number(found['session']);
  if (rows.patch) sql.update.run({ id, ...toColumns(rows.patch) });
  for (const { position, id: messageId, json } of rows.messages) {
    const told = rows.events.some((event) => event.messageId === messageId && event.detail === json) ? 1 : 0;
    const row = { session, position, messageId: toColumn(messageId), json, told };
    if (sql.addMessage.run(row) > 0) continue;
    if (sql.isTold.get({ session, position })) sql.keepMessage.run({ session, position });
    sql.replaceMessage.run(row);
  }
  for (const call of rows.started) sql.startCall.run({ session, ...callColumns(call) });
  for (const call of rows.ended) {
    const columns = callColumns(call);
    if (sql.endCall.run({ session, ...columns, endedAt: call.endedAt, result: call.result }) > 0) continue;
    const key = { session, callId: columns.callId, runId: columns.runId };
    if (sql.hasResult.get(key)) sql.keepResult.run(key);
    sql.endStartedCall.run({ ...key, endedAt: call.endedAt, result: call.result });
  }
  for (const event of rows.events) sql.addEvent.run({ session, ...eventColumns(sql, session, event, rows) });
  if (rows.endsLease && owner !== null) sql.releaseLease.run({ id, owner });
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
function eventColumns(sql: SessionSql, session: number, event: EventRow, rows: WriteRows) {
  const { seq, ts, type, body, detail } = event;
  const whole = { seq, ts, type, body, detail, messageSeq: null, callId: null, runId: null };
  if (detail === null) return whole;
  if (event.messageId !== undefined) {
    const beside = rows.messages.find((row) => row.id === event.messageId && row.json === detail);
    if (beside) return { ...whole, detail: null, messageSeq: beside.position };
    const message = sql.findMessage.get({ session, messageId: toColumn(event.messageId), json: detail });
    if (message) {
      const position = Number(message['seq']);
      sql.tellMessage.run({ session, position });
      return { ...whole, detail: null, messageSeq: position };
    }
  }
  if (event.callId !== undefined) {
    const callId = toColumn(event.callId);
    const beside = rows.ended.find((row) => row.callId === event.callId && row.result === detail);
    if (beside) return { ...whole, detail: null, callId, runId: toColumn(beside.runId) };
    const call = sql.findResult.get({ session, callId, json: detail });
    if (call) return { ...whole, detail: null, callId, runId: call['run_id'] ?? null };
  }
  return whole;
}
