import type { AgentEvent, AssistantMessage, EventBody, ToolResult } from '../core/index.ts';
import type { Recovery } from './recover.ts';

/** What the kept events say so far. */
interface Told {
  readonly messages: Set<string>;
  readonly calls: Set<string>;
  readonly results: Set<string>;
  /** The run that has no end. */
  run: { readonly runId: string; step: number; steps: number; turnIsOpen: boolean } | undefined;
}

/**
 * The events that a crash kept from being told, so that the kept ones alone show the mended session: replies and
 * results that stand in the conversation only, and the end of a run that has none.
 */
export function untoldEvents(kept: readonly AgentEvent[], found: Recovery): EventBody[] {
  const told = read(kept);
  const { run } = told;
  const events: EventBody[] = [];
  const results = new Map<string, { result: ToolResult; step: number }>();
  for (const { row, result } of found.open) results.set(row.callId, { result, step: row.step });
  for (const entry of found.answered) results.set(entry.result.callId, entry);

  const tellResult = (callId: string): void => {
    const entry = results.get(callId);
    if (entry === undefined || told.results.has(callId)) return;
    told.results.add(callId);
    events.push({ type: 'tool_result', ...entry, step: entry.step || (run?.step ?? 0) });
  };
  const tellCalls = ({ toolCalls = [] }: AssistantMessage): void => {
    for (const { id, name, arguments: text } of toolCalls) {
      if (told.calls.has(id)) continue;
      const step = results.get(id)?.step || (run?.step ?? 0);
      events.push({ type: 'tool_call', callId: id, name, arguments: JSON.parse(text), step });
    }
    for (const { id } of toolCalls) tellResult(id);
  };

  const changed = new Set(found.changed.map((entry) => entry.message.id));
  const lastTold = found.stored.findLastIndex((entry) => told.messages.has(entry.message.id));
  for (const [index, { message }] of found.stored.entries()) {
    // A notification's event says what its message says.
    if (message.metadata?.notification !== undefined) continue;
    if (told.messages.has(message.id) || (index < lastTold && !changed.has(message.id))) continue;
    if (message.role === 'assistant') tellCalls(message);
    if (message.role === 'tool') tellResult(message.toolCallId);
    events.push({ type: 'message', message });
  }
  for (const callId of results.keys()) tellResult(callId);
  if (run !== undefined) {
    const { runId, step, steps, turnIsOpen } = run;
    const error = { code: 'internal', message: 'the process ended before this run did' };
    if (turnIsOpen) events.push({ type: 'turn_end', runId, step });
    events.push({ type: 'error', ...error, retryable: false });
    events.push({ type: 'run_end', runId, reason: 'error', steps, usage: {}, error });
  }
  return events;
}

function read(kept: readonly AgentEvent[]): Told {
  const told: Told = { messages: new Set(), calls: new Set(), results: new Set(), run: undefined };
  for (const event of kept) {
    if (event.type === 'message') told.messages.add(event.message.id);
    else if (event.type === 'tool_call') told.calls.add(event.callId);
    else if (event.type === 'tool_result') told.results.add(event.result.callId);
    else if (event.type === 'run_start') told.run = { runId: event.runId, step: 0, steps: 0, turnIsOpen: false };
    else if (event.type === 'run_end') told.run = undefined;
    else if (told.run !== undefined) {
      if (event.type === 'turn_start') Object.assign(told.run, { step: event.step, turnIsOpen: true });
      if (event.type === 'turn_end') {
        told.run.turnIsOpen = false;
        if (!event.discarded) told.run.steps = event.step;
      }
    }
  }
  return told;
}
