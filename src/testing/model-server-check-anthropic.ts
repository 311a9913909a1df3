import { isObject } from '../core/index.ts';

const NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const ID = /^[a-zA-Z0-9_-]+$/;

type Block = Record<string, unknown>;

/** What Anthropic messages would refuse in a request; empty when it would accept it. */
export function checkAnthropicRequest(body: unknown): string[] {
  const problems: string[] = [];
  if (!isObject(body)) return ['the body is not an object'];
  if (typeof body.model !== 'string' || body.model === '') problems.push('model is missing');
  if (typeof body.max_tokens !== 'number') problems.push('max_tokens is missing');
  if (body.tools !== undefined) problems.push(...checkTools(body.tools));
  if (!Array.isArray(body.messages) || body.messages.length === 0) return [...problems, 'messages is missing or empty'];
  const messages = merged(body.messages.filter(isObject));
  if (messages[0]?.role !== 'user') problems.push('the first message is not of role user');
  const usedIds = new Set<string>();
  let open = new Set<string>();
  messages.forEach(({ role, blocks }, index) => {
    const at = `messages[${index}]`;
    if (role !== 'user' && role !== 'assistant') problems.push(`${at} has the role ${role}`);
    if (blocks.length === 0) problems.push(`${at} is empty`);
    for (const block of blocks) {
      if (block.type === 'text' && String(block.text).trim() === '') problems.push(`${at} has an empty text block`);
      if (block.type === 'thinking' && !block.signature) problems.push(`${at} has thinking without signature`);
    }
    if (role === 'user') checkResults(blocks, open, at, problems);
    else if (open.size > 0) problems.push(`${at} comes before the results of ${[...open].join(', ')}`);
    open = role === 'assistant' ? checkUses(blocks, usedIds, at, problems) : new Set();
  });
  if (open.size > 0) problems.push(`no results for ${[...open].join(', ')}`);
  return problems;
}

function checkResults(blocks: readonly Block[], open: Set<string>, at: string, problems: string[]): void {
  let other = false;
  for (const block of blocks) {
    if (block.type !== 'tool_result') {
      other = true;
      continue;
    }
    if (other) problems.push(`${at}: a tool_result stands after other content`);
    const id = String(block.tool_use_id);
    if (!open.delete(id)) problems.push(`${at}: the result of ${id} answers no call of the message before`);
  }
  if (open.size > 0) problems.push(`${at}: no result for ${[...open].join(', ')}`);
}

function checkUses(blocks: readonly Block[], usedIds: Set<string>, at: string, problems: string[]): Set<string> {
  const open = new Set<string>();
  for (const block of blocks) {
    if (block.type !== 'tool_use') continue;
    const id = String(block.id);
    if (!ID.test(id)) problems.push(`${at}: the id ${JSON.stringify(block.id)} is not legal`);
    if (usedIds.has(id)) problems.push(`${at}: the id ${id} was used before`);
    usedIds.add(id);
    open.add(id);
    if (typeof block.name !== 'string' || !NAME.test(block.name))
      problems.push(`${at}: bad name ${String(block.name)}`);
    if (!isObject(block.input)) problems.push(`${at}: the input of ${id} is not an object`);
  }
  return open;
}

function checkTools(tools: unknown): string[] {
  if (!Array.isArray(tools)) return ['tools is not a list'];
  const problems: string[] = [];
  const names = new Set<unknown>();
  for (const tool of tools.filter(isObject)) {
    const name = String(tool.name);
    if (!NAME.test(name)) problems.push(`bad tool name ${name}`);
    if (names.has(name)) problems.push(`the tool ${name} stands twice`);
    names.add(name);
    const schema = isObject(tool.input_schema) ? tool.input_schema : {};
    if (schema.type !== 'object') problems.push(`the schema of ${name} is not of type object`);
    for (const keyword of ['oneOf', 'anyOf', 'allOf']) {
      if (schema[keyword] !== undefined) problems.push(`the schema of ${name} has ${keyword} at its top`);
    }
  }
  return problems;
}

/** Messages of one role in a row count as one. */
function merged(messages: readonly Record<string, unknown>[]): { role: string; blocks: Block[] }[] {
  const turns: { role: string; blocks: Block[] }[] = [];
  for (const message of messages) {
    const { content } = message;
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : (content as Block[] | undefined);
    const last = turns.at(-1);
    if (last?.role === message.role) last?.blocks.push(...(blocks ?? []));
    else turns.push({ role: String(message.role), blocks: [...(blocks ?? [])] });
  }
  return turns;
}
