import type { Message } from '../../core/index.ts';
import type { SessionRecord } from '../../runtime/index.ts';
import { toWire } from '../../wire/index.ts';

/** A session's record as doors print it: snake case, times in seconds. */
export function sessionToJson(record: SessionRecord): Record<string, unknown> {
  const { id, createdAt, updatedAt, agentName, model, status, summary, usage, metadata } = record;
  return {
    id,
    created_at: createdAt / 1_000,
    updated_at: updatedAt / 1_000,
    agent_name: agentName,
    model,
    status,
    summary,
    usage: {
      input_tokens: usage.inputTokens,
      output_tokens: usage.outputTokens,
      cached_input_tokens: usage.cachedInputTokens,
      reasoning_tokens: usage.reasoningTokens,
    },
    metadata,
  };
}

/** A message with the fields that it has on the wire, without those of the event around it. */
export function messageToJson(message: Message): Record<string, unknown> {
  const wire = toWire({ type: 'message', message, sessionId: '', seq: 0, ts: 0 });
  const { type: _type, session_id: _session, seq: _seq, ts: _ts, ...fields } = wire;
  return fields;
}
