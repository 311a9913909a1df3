import { type AgentEvent, messageOf, type ToolResult, ToolwrightError } from '../core/index.ts';
import type { CallRecord, SessionRecord, SessionWrite } from './ports/sessions.ts';

export interface MessageRow {
  readonly position: number;
  readonly id: string;
  readonly json: string;
}

/** An event without what it shares with other rows: `detail` is its message's or its result's JSON. */
export interface EventRow {
  readonly seq: number;
  readonly ts: number;
  readonly type: string;
  readonly body: string;
  readonly detail: string | null;
  readonly messageId: string | undefined;
  readonly callId: string | undefined;
}

export interface CallRow {
  readonly callId: string;
  readonly runId: string;
  readonly step: number;
  readonly name: string;
  /** Null when the input is undefined. */
  readonly input: string | null;
  readonly startedAt: number;
}

export interface EndedCallRow extends CallRow {
  readonly endedAt: number;
  readonly result: string;
}

export interface SessionPatch extends Partial<Omit<SessionRecord, 'id' | 'createdAt' | 'usage' | 'metadata'>> {
  readonly usage?: string;
  readonly metadata?: string;
}

export interface WriteRows {
  readonly sessionId: string;
  readonly owner: string | undefined;
  readonly endsLease: boolean;
  readonly patch: SessionPatch | undefined;
  readonly messages: readonly MessageRow[];
  readonly events: readonly EventRow[];
  readonly started: readonly CallRow[];
  readonly ended: readonly EndedCallRow[];
}

/** JSON text of a value; ToolwrightError when it has none (a bigint, a cycle). Lone surrogates and NULs survive, escaped. */
export function toJson(value: unknown, what: string): string {
  try {
    const text = JSON.stringify(value) as string | undefined;
    if (text !== undefined) return text;
  } catch (error) {
    throw notJson(what, messageOf(error), error);
  }
  throw notJson(what, 'it is not a JSON value');
}

function notJson(what: string, why: string, cause?: unknown): ToolwrightError {
  const hint = 'Only plain JSON values can be kept; turn the value into one first.';
  return new ToolwrightError('invalid_request', `The ${what} cannot be written as JSON: ${why}`, { hint, cause });
}

/** All of a write as rows, checked before anything is written. */
export function toRows(write: SessionWrite): WriteRows {
  return {
    sessionId: write.sessionId,
    owner: write.owner,
    endsLease: write.endsLease ?? false,
    patch: write.session && toPatch(write.session),
    messages: (write.messages ?? []).map(({ position, message }) => ({
      position: wholeNumber(position, 'position of a message'),
      id: message.id,
      json: toJson(message, 'message'),
    })),
    events: (write.events ?? []).map((event) => toEventRow(write.sessionId, event)),
    started: (write.callsStarted ?? []).map((call) => ({
      callId: call.callId,
      runId: call.runId,
      step: wholeNumber(call.step, 'step of a call'),
      name: call.name,
      input: toInput(call.input),
      startedAt: call.startedAt,
    })),
    ended: (write.callsEnded ?? []).map(({ result, runId, step, input, endedAt }) => ({
      callId: result.callId,
      runId,
      step: wholeNumber(step, 'step of a call'),
      name: result.name,
      input: toInput(input),
      startedAt: endedAt - result.durationMs,
      endedAt,
      result: toJson(result, 'result'),
    })),
  };
}

/** Only what may be changed, and only what was given. */
function toPatch(session: NonNullable<SessionWrite['session']>): SessionPatch {
  const { updatedAt, agentName, model, status, summary, usage, metadata } = session;
  return {
    ...(updatedAt !== undefined && { updatedAt }),
    ...(agentName !== undefined && { agentName }),
    ...(model !== undefined && { model }),
    ...(status !== undefined && { status }),
    ...(summary !== undefined && { summary }),
    ...(usage && { usage: toJson(usage, 'usage') }),
    ...(metadata && { metadata: toJson(metadata, 'metadata') }),
  };
}

const toInput = (input: unknown) => (input === undefined ? null : toJson(input, 'input of a call'));

function wholeNumber(value: number, what: string): number {
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw new ToolwrightError('invalid_request', `The ${what} is ${value}; it must be a whole number from 0.`);
}

/** How many sequence numbers may be taken at once. */
export function checkCount(count: number): void {
  if (Number.isSafeInteger(count) && count > 0) return;
  throw new ToolwrightError('invalid_request', `Cannot take ${count} sequence numbers; name a whole number from 1.`);
}

function toEventRow(session: string, event: AgentEvent): EventRow {
  const { sessionId, seq, ts, type, ...rest } = event;
  if (sessionId !== session) {
    throw new ToolwrightError('invalid_request', `An event of session ${sessionId} was given to ${session}.`);
  }
  const key = detailKey(type);
  const { [key]: detail, ...body } = rest as Record<string, unknown>;
  return {
    seq: wholeNumber(seq, 'sequence number of an event'),
    ts,
    type,
    body: toJson(body, 'event'),
    detail: detail === undefined ? null : toJson(detail, key),
    messageId: event.type === 'message' ? event.message.id : undefined,
    callId: event.type === 'tool_result' ? event.result.callId : undefined,
  };
}

const detailKey = (type: string) => (type === 'message' ? 'message' : type === 'tool_result' ? 'result' : '');

/** The event that a row was made of. */
export function toEvent(sessionId: string, row: Pick<EventRow, 'seq' | 'ts' | 'type' | 'body' | 'detail'>): AgentEvent {
  const detail = row.detail === null ? {} : { [detailKey(row.type)]: JSON.parse(row.detail) };
  return { type: row.type, ...JSON.parse(row.body), ...detail, sessionId, seq: row.seq, ts: row.ts } as AgentEvent;
}

/** The journal's row as it is read. */
export function toCallRecord(
  sessionId: string,
  row: CallRow & { readonly endedAt: number | null; readonly result: string | null },
): CallRecord {
  const { callId, runId, step, name, startedAt, endedAt, result } = row;
  const input: unknown = row.input === null ? undefined : JSON.parse(row.input);
  const call = { sessionId, callId, runId, step, name, input, startedAt };
  if (endedAt === null || result === null) return { ...call, status: 'started' };
  return { ...call, status: 'ended', endedAt, result: JSON.parse(result) as ToolResult };
}
