import type {
  AgentEvent,
  Ask,
  CallError,
  CallErrorCode,
  Content,
  EventEnvelope,
  Message,
  Usage,
} from '../core/index.ts';
import type { WireEvent, WireEventOf, WireUsage } from './events.ts';
import type { WireContent } from './message.ts';

/** The event that a wire event was made of. Give it only what `eventSchema` accepts: it checks nothing. */
export function fromWire(event: WireEvent): AgentEvent {
  const head = envelope(event);
  switch (event.type) {
    case 'text_delta':
    case 'thinking_delta':
      return { type: event.type, ...head, text: event.text };
    case 'tool_call_delta':
      return { type: event.type, ...head, callId: event.tool_call_id, name: event.name, text: event.text };
    case 'tool_progress': {
      const { type, text, stream, closed, offset } = event;
      return { type, ...head, callId: event.tool_call_id, text, stream, closed, offset };
    }
    case 'run_start':
      return { type: event.type, ...head, runId: event.run_id, model: event.model };
    case 'turn_start':
      return { type: event.type, ...head, runId: event.run_id, step: event.step };
    case 'turn_end': {
      const { type, step, usage, discarded } = event;
      return {
        type,
        ...head,
        runId: event.run_id,
        step,
        ...(usage && { usage: usageFromWire(usage) }),
        ...(discarded !== undefined && { discarded }),
      };
    }
    case 'run_end': {
      const { type, step, reason, usage, error } = event;
      const end = { type, ...head, runId: event.run_id, steps: step, reason, usage: usageFromWire(usage) };
      return error ? { ...end, error } : end;
    }
    case 'message':
      return { type: event.type, ...head, message: messageFromWire(event) };
    case 'tool_call': {
      const { type, name, step } = event;
      return { type, ...head, callId: event.tool_call_id, name, arguments: event.arguments, step };
    }
    case 'tool_result':
      return { type: event.type, ...head, result: resultFromWire(event), step: event.step };
    case 'ask':
      return { type: event.type, ...head, ask: askFromWire(event) };
    case 'ask_resolved': {
      const { type, id, outcome, by } = event;
      return { type, ...head, id, outcome, by };
    }
    case 'tools_selected': {
      const { type, offered, strategy, expanded, unknown } = event;
      return { type, ...head, offered, strategy, expanded, unknown };
    }
    case 'notification': {
      const { type, task_id, status, text } = event;
      return { type, ...head, taskId: task_id, status, text };
    }
    case 'error': {
      const { type, code, message, retryable } = event;
      return { type, ...head, code, message, retryable };
    }
    case 'heartbeat':
      return { type: event.type, ...head };
  }
}

function envelope(event: WireEvent): EventEnvelope {
  const { session_id, seq, ts, agent_name, parent_call_id } = event;
  return {
    sessionId: session_id,
    seq,
    ts,
    ...(agent_name !== undefined && { agentName: agent_name }),
    ...(parent_call_id !== undefined && { parentCallId: parent_call_id }),
  };
}

function messageFromWire(event: WireEventOf<'message'>): Message {
  const base = {
    id: event.message_id,
    ...(event.agent_name !== undefined && { agentName: event.agent_name }),
    ...(event.metadata && { metadata: event.metadata }),
  };
  switch (event.role) {
    case 'system':
      return { role: event.role, content: event.content, ...base };
    case 'user':
      return { role: event.role, content: contentFromWire(event.content), ...base };
    case 'assistant': {
      const { role, content, thinking, tool_calls, provider } = event;
      return {
        role,
        content,
        ...(thinking !== undefined && { thinking }),
        ...(tool_calls && {
          toolCalls: tool_calls.map(({ id, function: { name, arguments: text } }) => ({ id, name, arguments: text })),
        }),
        ...(provider && { provider }),
        ...base,
      };
    }
    case 'tool': {
      const content = contentFromWire(event.content);
      return {
        role: event.role,
        content,
        toolCallId: event.tool_call_id,
        name: event.name,
        isError: event.is_error,
        ...base,
      };
    }
  }
}

function resultFromWire(event: WireEventOf<'tool_result'>) {
  const { tool_call_id, name, output, error, metadata, stored, duration_ms } = event;
  return {
    callId: tool_call_id,
    name,
    content: contentFromWire(output),
    ...(metadata !== undefined && { data: metadata }),
    ...(error && { error: errorFromWire(error) }),
    ...(stored && { stored }),
    durationMs: duration_ms,
  };
}

function errorFromWire(error: NonNullable<WireEventOf<'tool_result'>['error']>): CallError {
  const { code, message, retryable, hint } = error;
  return { code: code as CallErrorCode, message, retryable, ...(hint !== undefined && { hint }) };
}

function askFromWire(event: WireEventOf<'ask'>): Ask {
  const { id, kind, tool, input, reason, hash, questions, suggestions } = event;
  return {
    id,
    sessionId: event.session_id,
    kind,
    callId: event.tool_call_id,
    tool,
    input,
    reason,
    hash,
    ...(questions && { questions: questions as NonNullable<Ask['questions']> }),
    suggestions: suggestions as Ask['suggestions'],
    createdAt: Math.round(event.created_at * 1_000),
    expiresAt: Math.round(event.expires_at * 1_000),
  };
}

function contentFromWire(content: WireContent): Content {
  if (typeof content === 'string') return content;
  return content.map((part) =>
    part.type === 'text'
      ? { type: part.type, text: part.text }
      : { type: part.type, mimeType: part.mime_type, data: part.data },
  );
}

function usageFromWire(usage: WireUsage): Usage {
  const { input_tokens, output_tokens, cached_input_tokens, reasoning_tokens } = usage;
  return {
    ...(input_tokens !== undefined && { inputTokens: input_tokens }),
    ...(output_tokens !== undefined && { outputTokens: output_tokens }),
    ...(cached_input_tokens !== undefined && { cachedInputTokens: cached_input_tokens }),
    ...(reasoning_tokens !== undefined && { reasoningTokens: reasoning_tokens }),
  };
}
