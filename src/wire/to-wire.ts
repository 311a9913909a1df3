import type { AgentEvent, Ask, Content, Message, ToolResult, Usage } from '../core/index.ts';
import type { WireEvent, WireEventOf, WireUsage } from './events.ts';
import type { WireContent, WireMessage } from './message.ts';

/** An event as it crosses a process boundary: snake case, of the shape that `eventSchema` describes, not checked again. */
export function toWire(event: AgentEvent): WireEvent {
  switch (event.type) {
    case 'text_delta':
    case 'thinking_delta':
      return { type: event.type, ...envelope(event), text: event.text };
    case 'tool_call_delta':
      return { type: event.type, ...envelope(event), tool_call_id: event.callId, name: event.name, text: event.text };
    case 'tool_progress': {
      const { type, callId, text, stream, closed, offset } = event;
      return { type, ...envelope(event), tool_call_id: callId, text, stream, closed, offset };
    }
    case 'run_start':
      return { type: event.type, ...envelope(event), run_id: event.runId, step: 0, model: event.model };
    case 'turn_start':
      return { type: event.type, ...envelope(event), run_id: event.runId, step: event.step };
    case 'turn_end': {
      const { type, runId, step, usage, discarded } = event;
      return {
        type,
        ...envelope(event),
        run_id: runId,
        step,
        ...(usage && { usage: usageToWire(usage) }),
        ...(discarded !== undefined && { discarded }),
      };
    }
    case 'run_end': {
      const { type, runId, steps, reason, usage, error } = event;
      const head = { type, ...envelope(event), run_id: runId, step: steps, reason, usage: usageToWire(usage) };
      return error ? { ...head, error } : head;
    }
    case 'message':
      return messageEvent(event);
    case 'tool_call': {
      const { type, callId, name, step } = event;
      const ids = { id: callId, tool_call_id: callId };
      return { type, ...envelope(event), ...ids, name, arguments: event.arguments, step };
    }
    case 'tool_result':
      return { type: event.type, ...envelope(event), ...resultToWire(event.result), step: event.step };
    case 'ask':
      return { type: event.type, ...envelope(event), ...askToWire(event.ask) };
    case 'ask_resolved': {
      const { type, id, outcome, by } = event;
      return { type, ...envelope(event), id, outcome, by };
    }
    case 'tools_selected': {
      const { type, offered, strategy, expanded, unknown } = event;
      return {
        type,
        ...envelope(event),
        offered: [...offered],
        strategy,
        expanded: [...expanded],
        unknown: [...unknown],
      };
    }
    case 'notification': {
      const { type, taskId, status, text } = event;
      return { type, ...envelope(event), task_id: taskId, status, text };
    }
    case 'error': {
      const { type, code, message, retryable } = event;
      return { type, ...envelope(event), code, message, retryable };
    }
    case 'heartbeat':
      return { type: event.type, ...envelope(event) };
  }
}

type Envelope = Pick<WireEventOf<'heartbeat'>, 'session_id' | 'seq' | 'ts' | 'agent_name' | 'parent_call_id'>;

function envelope(event: AgentEvent): Envelope {
  const head: Envelope = { session_id: event.sessionId, seq: event.seq, ts: event.ts };
  if (event.agentName !== undefined) head.agent_name = event.agentName;
  if (event.parentCallId !== undefined) head.parent_call_id = event.parentCallId;
  return head;
}

/** Event and message share one `agent_name`: the author. */
function messageEvent(event: Extract<AgentEvent, { type: 'message' }>): WireEvent {
  const head = envelope(event);
  const author = event.message.agentName ?? head.agent_name;
  if (author !== undefined) head.agent_name = author;
  return { type: event.type, ...head, ...messageToWire(event.message) };
}

function messageToWire(message: Message): WireMessage {
  const base = { message_id: message.id, ...(message.metadata && { metadata: message.metadata }) };
  switch (message.role) {
    case 'system':
      return { role: message.role, content: message.content, ...base };
    case 'user':
      return { role: message.role, content: contentToWire(message.content), ...base };
    case 'assistant': {
      const { role, content, thinking, toolCalls, provider } = message;
      return {
        role,
        content,
        ...(thinking !== undefined && { thinking }),
        ...(toolCalls && {
          tool_calls: toolCalls.map((call) => ({
            id: call.id,
            type: 'function' as const,
            function: { name: call.name, arguments: call.arguments },
          })),
        }),
        ...(provider && { provider }),
        ...base,
      };
    }
    case 'tool': {
      const { role, toolCallId, name, isError } = message;
      const content = contentToWire(message.content);
      return { role, content, tool_call_id: toolCallId, name, is_error: isError, ...base };
    }
  }
}

function resultToWire(result: ToolResult) {
  const { callId, name, content, data, error, stored, durationMs } = result;
  return {
    id: callId,
    tool_call_id: callId,
    name,
    output: contentToWire(content),
    is_error: error !== undefined,
    ...(error && { error }),
    ...(data !== undefined && { metadata: data }),
    ...(stored && { stored }),
    duration_ms: durationMs,
  };
}

function askToWire(ask: Ask) {
  const { id, kind, tool, input, reason, hash, questions } = ask;
  return {
    id,
    kind,
    tool_call_id: ask.callId,
    tool,
    input,
    reason,
    hash,
    ...(questions && {
      questions: questions.map(({ options, ...question }) => ({
        ...question,
        ...(options && { options: options.map((option) => ({ ...option })) }),
      })),
    }),
    suggestions: ask.suggestions.map((suggestion) => ({ ...suggestion })),
    created_at: ask.createdAt / 1_000,
    expires_at: ask.expiresAt / 1_000,
  };
}

function contentToWire(content: Content): WireContent {
  if (typeof content === 'string') return content;
  return content.map((part) =>
    part.type === 'text'
      ? { type: part.type, text: part.text }
      : { type: part.type, mime_type: part.mimeType, data: part.data },
  );
}

function usageToWire(usage: Usage): WireUsage {
  const { inputTokens, outputTokens, cachedInputTokens, reasoningTokens } = usage;
  return {
    ...(inputTokens !== undefined && { input_tokens: inputTokens }),
    ...(outputTokens !== undefined && { output_tokens: outputTokens }),
    ...(cachedInputTokens !== undefined && { cached_input_tokens: cachedInputTokens }),
    ...(reasoningTokens !== undefined && { reasoning_tokens: reasoningTokens }),
  };
}
