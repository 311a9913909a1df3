import { isObject } from '../core/index.ts';

const NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** What OpenAI chat completions would refuse in a request; empty when it would accept it. */
export function checkOpenAiRequest(body: unknown): string[] {
  const problems: string[] = [];
  if (!isObject(body)) return ['the body is not an object'];
  if (typeof body.model !== 'string' || body.model === '') problems.push('model is missing');
  if (body.tools !== undefined) problems.push(...checkTools(body.tools));
  if (!Array.isArray(body.messages) || body.messages.length === 0) return [...problems, 'messages is missing or empty'];
  const usedIds = new Set<string>();
  let open: string[] = [];
  for (const [index, message] of (body.messages as unknown[]).entries()) {
    const at = `messages[${index}]`;
    if (!isObject(message)) {
      problems.push(`${at} is not an object`);
      continue;
    }
    if (message.role === 'tool') {
      const id = String(message.tool_call_id);
      const place = open.indexOf(id);
      if (place < 0) problems.push(`${at} answers ${id}, which is not an open call of the message before`);
      else if (place > 0) problems.push(`${at} answers ${id} before ${open[0]}`);
      open = open.filter((other) => other !== id);
      if (typeof message.content !== 'string') problems.push(`${at}: the content of a tool message is not a text`);
      continue;
    }
    if (open.length > 0) problems.push(`${at} comes before the results of ${open.join(', ')}`);
    open = [];
    if (message.role === 'assistant') {
      open = checkAssistant(message, at, usedIds, problems);
    } else if (message.role !== 'user' && message.role !== 'system' && message.role !== 'developer') {
      problems.push(`${at} has the role ${String(message.role)}`);
    } else if (!hasContent(message.content)) problems.push(`${at} has no content`);
  }
  if (open.length > 0) problems.push(`no results for ${open.join(', ')}`);
  return problems;
}

function checkAssistant(
  message: Record<string, unknown>,
  at: string,
  usedIds: Set<string>,
  problems: string[],
): string[] {
  const calls: unknown = message.tool_calls;
  if (calls === undefined) {
    if (!hasContent(message.content)) problems.push(`${at} has neither content nor calls`);
    return [];
  }
  if (!Array.isArray(calls) || calls.length === 0) {
    problems.push(`${at}.tool_calls is empty`);
    return [];
  }
  return calls.map((call: unknown, place) => {
    const here = `${at}.tool_calls[${place}]`;
    const fn = isObject(call) && isObject(call.function) ? call.function : {};
    const id = isObject(call) && typeof call.id === 'string' ? call.id : '';
    if (id === '') problems.push(`${here} has no id`);
    if (id.length > 40) problems.push(`${here}: the id is longer than 40 characters`);
    if (usedIds.has(id)) problems.push(`${here}: the id ${id} was used before`);
    usedIds.add(id);
    if (!isObject(call) || call.type !== 'function') problems.push(`${here} is not of type function`);
    if (typeof fn.name !== 'string' || !NAME.test(fn.name)) problems.push(`${here}: bad name ${String(fn.name)}`);
    if (!isObjectText(fn.arguments)) problems.push(`${here}: the arguments are not the text of an object`);
    return id;
  });
}

function checkTools(tools: unknown): string[] {
  if (!Array.isArray(tools) || tools.length === 0) return ['tools is not a filled list'];
  const problems: string[] = [];
  const names = new Set<unknown>();
  for (const tool of tools as unknown[]) {
    const fn = isObject(tool) && isObject(tool.function) ? tool.function : {};
    if (typeof fn.name !== 'string' || !NAME.test(fn.name)) problems.push(`bad tool name ${String(fn.name)}`);
    if (names.has(fn.name)) problems.push(`the tool ${String(fn.name)} stands twice`);
    names.add(fn.name);
    if (!isObject(fn.parameters) || fn.parameters.type !== 'object') {
      problems.push(`the parameters of ${String(fn.name)} are not of type object`);
    }
  }
  return problems;
}

function hasContent(content: unknown): boolean {
  return (typeof content === 'string' && content !== '') || (Array.isArray(content) && content.length > 0);
}

function isObjectText(text: unknown): boolean {
  try {
    return typeof text === 'string' && isObject(JSON.parse(text));
  } catch {
    return false;
  }
}
