import type { CreateMessageRequestParams, CreateMessageResult } from '@modelcontextprotocol/client';
import {
  type AskPower,
  headOf,
  isObject,
  type Message,
  type Model,
  type NewId,
  ToolwrightError,
} from '../../core/index.ts';

export interface SamplingOptions {
  readonly server: string;
  readonly ask: AskPower;
  readonly model: () => Promise<Model>;
  readonly newId: NewId;
  readonly signal: AbortSignal;
}

const SHOWN_CHARS = 2_000;
const MOST_OUTPUT_TOKENS = 4_096;

/** A reply of the model for a server, after the person has seen what is to be sent and said yes. */
export async function answerSampling(
  params: CreateMessageRequestParams,
  { server, ask, model, newId, signal }: SamplingOptions,
): Promise<CreateMessageResult> {
  const messages = params.messages.map(({ role, content }): Message => {
    const text = textOf(content);
    return { id: newId(), role, content: text };
  });
  const shown = messages.map((message) => `${message.role}: ${String(message.content)}`).join('\n');
  const answer = await ask({
    kind: 'question',
    reason: `The MCP server ${server} wants a reply of the model to:\n${headOf(shown, SHOWN_CHARS)}`,
    questions: [{ id: 'allow', type: 'boolean', title: 'Send this to the model?', required: true }],
  });
  if (answer.outcome !== 'answered' || answer.answers['allow'] !== true) {
    throw new ToolwrightError('denied', 'the person did not allow it');
  }
  const chosen = await model();
  let text = '';
  const request = {
    messages,
    tools: [],
    options: { maxOutputTokens: Math.min(params.maxTokens, MOST_OUTPUT_TOKENS) },
    ...(params.systemPrompt === undefined ? {} : { system: params.systemPrompt }),
  };
  for await (const event of chosen.stream(request, { signal })) {
    if (event.type === 'text_delta') text += event.text;
    if (event.type === 'model_end' && (event.reason === 'error' || event.reason === 'aborted')) {
      throw new ToolwrightError('failed', 'the model gave no reply');
    }
  }
  return { role: 'assistant', content: { type: 'text', text }, model: chosen.id, stopReason: 'endTurn' };
}

function textOf(content: unknown): string {
  const blocks = Array.isArray(content) ? content : [content];
  return blocks
    .map((block) => {
      if (isObject(block) && block['type'] === 'text' && typeof block['text'] === 'string') return block['text'];
      throw new ToolwrightError('invalid_request', 'only text can be sent to the model');
    })
    .join('\n');
}
