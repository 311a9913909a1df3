import type { Message, Model, ModelEvent, ModelRequest, ToolMessage } from '../core/index.ts';
import { cutEnd, textOf, utf8Length } from '../core/index.ts';
import { explainManual } from './manual-help.ts';
import { parseManual } from './manual-input.ts';

/**
 * The offline model: it does what the last user message spells out. A line `tool_name {json}` is a call,
 * lines in a row are one turn's calls in parallel, a line `---` begins the next turn. After the last turn
 * it says in plain text what came back; to anything else it explains itself. Equal requests get equal replies.
 */
export function createManualModel(): Model {
  return {
    id: 'manual',
    stream: (request, { signal }) => reply(request, signal),
  };
}

async function* reply(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, void, void> {
  for (const event of eventsFor(request)) {
    if (signal.aborted) break;
    yield event;
  }
  if (signal.aborted) yield { type: 'model_end', reason: 'aborted' };
}

function eventsFor(request: ModelRequest): ModelEvent[] {
  const { messages } = request;
  const asked = messages.findLastIndex((message) => message.role === 'user');
  const question = messages[asked];
  const text = question?.role === 'user' ? textOf(question.content) : '';
  const offered = new Set(request.tools.map((tool) => tool.name));
  const { turns, left } = parseManual(text, offered);
  if (turns.length === 0) return said(explainManual(text, request.tools));
  const after = messages.slice(asked + 1);
  const step = after.filter((message) => message.role === 'assistant').length;
  const calls = turns[step];
  if (calls === undefined) return said(summary(after));
  const events: ModelEvent[] = [];
  if (step === 0 && left.length > 0) {
    events.push({ type: 'text_delta', text: `Left out, as these lines are no tool calls:\n${left.join('\n')}\n` });
  }
  for (const [key, call] of calls.entries()) {
    const id = `call_${messages.length}_${key + 1}`;
    events.push({ type: 'tool_call_start', key, id, name: call.name });
    if (call.arguments !== '') events.push({ type: 'tool_call_delta', key, text: call.arguments });
    events.push({ type: 'tool_call', key });
  }
  return [...events, { type: 'model_end', reason: 'tool_calls' }];
}

function said(text: string): ModelEvent[] {
  const lines = text.split(/(?<=\n)/);
  return [
    ...lines.map((line): ModelEvent => ({ type: 'text_delta', text: line })),
    { type: 'model_end', reason: 'stop' },
  ];
}

/** What came back since the question, one line a call. */
function summary(messages: readonly Message[]): string {
  const results = messages.filter((message) => message.role === 'tool');
  const failed = results.filter((result) => result.isError).length;
  const count = `${results.length} ${results.length === 1 ? 'call' : 'calls'}`;
  const outcome = failed === 0 ? 'all went well' : `${failed} failed`;
  return [`Done: ${count}, ${outcome}.`, ...results.map(resultLine)].join('\n');
}

const LINE_CHARS = 160;

function resultLine(result: ToolMessage): string {
  const text = textOf(result.content);
  const lines = text.split('\n');
  const first = lines.find((line) => line.trim() !== '')?.trim() ?? '';
  const shown = first.length > LINE_CHARS ? `${cutEnd(first, LINE_CHARS)}…` : first;
  const size = lines.length > 1 ? ` (${lines.length} lines, ${utf8Length(text)} bytes)` : '';
  return `- ${result.name}${result.isError ? ' failed' : ''}: ${shown}${size}`;
}
