import { isObject } from './json.ts';
import type { AssistantMessage, Message, ToolCall, ToolMessage } from './message.ts';
import { TOOL_NAME } from './tool.ts';

export interface TranscriptProblem {
  /** Index of the message it was found at. */
  readonly index: number;
  readonly rule: string;
  readonly message: string;
}

/**
 * The rules of OpenAI chat completions and Anthropic messages that a history must keep, as one check:
 * what it finds nothing wrong with, both accept. (Results directly after their call, one for each, in
 * call order; ids unique and not empty; names legal; arguments the text of a JSON object; no empty
 * assistant message; a user message first.)
 */
export function checkTranscript(messages: readonly Message[]): TranscriptProblem[] {
  const problems: TranscriptProblem[] = [];
  const report = (index: number, rule: string, message: string) => problems.push({ index, rule, message });
  const ids = new Set<string>();
  const first = messages.findIndex((message) => message.role !== 'system');
  if (first >= 0 && messages[first]?.role !== 'user') {
    report(first, 'user_first', `the first message is of role ${messages[first]?.role}, not user`);
  }
  let open: ToolCall[] = [];
  messages.forEach((message, index) => {
    if (message.role === 'tool') {
      const call = open.shift();
      if (call === undefined)
        report(index, 'result_without_call', `result of ${message.toolCallId} answers no open call`);
      else if (call.id !== message.toolCallId) {
        report(index, 'result_order', `result of ${message.toolCallId} stands where that of ${call.id} belongs`);
      }
      if (message.content.length === 0) report(index, 'empty_result', `result of ${message.toolCallId} is empty`);
      return;
    }
    for (const call of open)
      report(index, 'call_without_result', `call ${call.id} has no result before the next message`);
    open = [];
    if (message.role === 'system' && index > first && first >= 0) {
      report(index, 'system_late', 'a system message stands after the conversation began');
    }
    if (message.role === 'user' && message.content.length === 0) report(index, 'empty_user', 'a user message is empty');
    if (message.role !== 'assistant') return;
    open = [...(message.toolCalls ?? [])];
    if (message.content.trim() === '' && open.length === 0) {
      report(index, 'empty_assistant', 'an assistant message has neither text nor calls');
    }
    for (const call of open) checkCall(call, index, ids, report);
  });
  for (const call of open) report(messages.length, 'call_without_result', `call ${call.id} has no result at the end`);
  return problems;
}

function checkCall(
  call: ToolCall,
  index: number,
  ids: Set<string>,
  report: (index: number, rule: string, message: string) => void,
): void {
  if (call.id.trim() === '') report(index, 'empty_id', 'a call has an empty id');
  if (ids.has(call.id)) report(index, 'repeated_id', `the id ${call.id} stands twice`);
  ids.add(call.id);
  if (!TOOL_NAME.test(call.name)) report(index, 'bad_name', `the name ${JSON.stringify(call.name)} is not legal`);
  if (!isJsonObject(call.arguments))
    report(index, 'bad_arguments', `the arguments of ${call.id} are not a JSON object`);
}

function isJsonObject(text: string): boolean {
  try {
    return isObject(JSON.parse(text));
  } catch {
    return false;
  }
}

export interface TranscriptRepair {
  readonly messages: Message[];
  /** One line for each thing that was mended. */
  readonly repairs: string[];
}

/**
 * Mends what a crash left behind: answers open calls with `missing(call)`, puts results in call order
 * directly after their calls, drops results that answer nothing and replies that say nothing.
 * What it returns passes `checkTranscript` when ids and names were legal before.
 */
export function repairTranscript(
  messages: readonly Message[],
  missing: (call: ToolCall, message: AssistantMessage) => ToolMessage,
): TranscriptRepair {
  const repairs: string[] = [];
  const results = new Map<string, ToolMessage>();
  for (const message of messages) {
    if (message.role !== 'tool') continue;
    if (results.has(message.toolCallId)) repairs.push(`dropped a second result of ${message.toolCallId}`);
    else results.set(message.toolCallId, message);
  }
  const mended: Message[] = [];
  const answered = new Set<string>();
  for (const [index, message] of messages.entries()) {
    if (message.role === 'tool') continue;
    if (message.role === 'assistant' && message.content.trim() === '' && !message.toolCalls?.length) {
      repairs.push('dropped an empty assistant message');
      continue;
    }
    mended.push(message);
    if (message.role !== 'assistant') continue;
    for (const [offset, call] of (message.toolCalls ?? []).entries()) {
      const result = results.get(call.id);
      if (result === undefined) repairs.push(`answered the open call ${call.id}`);
      else if (messages[index + 1 + offset] !== result) repairs.push(`moved the result of ${call.id} to its call`);
      mended.push(result ?? missing(call, message));
      answered.add(call.id);
    }
  }
  for (const id of results.keys())
    if (!answered.has(id)) repairs.push(`dropped the result of ${id}, which answers no call`);
  return { messages: mended, repairs };
}
