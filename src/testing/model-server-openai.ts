import { argumentsText, endPauses, inPieces, type ServerPiece, type ServerStep } from './model-server-step.ts';

/** Events of an OpenAI chat completions stream, one at a time. */
export const openAiEvents = {
  chunk: (delta: Record<string, unknown>, finish: string | null = null): ServerPiece => ({
    data: {
      id: 'chatcmpl-local',
      object: 'chat.completion.chunk',
      created: 1_700_000_000,
      model: 'local',
      choices: [{ index: 0, delta, finish_reason: finish }],
    },
  }),
  text: (content: string) => openAiEvents.chunk({ content }),
  /** A call's first event. */
  head: (index: number, id: unknown, name: string, text = '') =>
    openAiEvents.call({ index, id, type: 'function', function: { name, arguments: text } }),
  /** More of a call's arguments. */
  more: (index: number, text: string) => openAiEvents.call({ index, function: { arguments: text } }),
  call: (delta: Record<string, unknown>, finish: string | null = null) =>
    openAiEvents.chunk({ tool_calls: [delta] }, finish),
  finish: (reason: string) => openAiEvents.chunk({}, reason),
  usage: (prompt: number, completion: number): ServerPiece => ({
    data: {
      id: 'chatcmpl-local',
      object: 'chat.completion.chunk',
      choices: [],
      usage: { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion },
    },
  }),
  done: { send: 'data: [DONE]\n\n' } as ServerPiece,
};

/** A step in words as a well-formed stream. */
export function openAiPieces(step: ServerStep): ServerPiece[] {
  const size = step.pieceChars ?? 16;
  const calls = step.calls ?? [];
  const pieces: ServerPiece[] = [openAiEvents.chunk({ role: 'assistant', content: '' })];
  for (const text of inPieces(step.thinking ?? '', size)) pieces.push(openAiEvents.chunk({ reasoning_content: text }));
  for (const text of inPieces(step.text ?? '', size)) pieces.push(openAiEvents.text(text));
  for (const [index, call] of calls.entries()) {
    pieces.push(openAiEvents.head(index, 'id' in call ? call.id : `call_${index + 1}`, call.name));
    for (const text of inPieces(argumentsText(call), size)) pieces.push(openAiEvents.more(index, text));
  }
  pieces.push(...endPauses(step), openAiEvents.finish(step.reason ?? (calls.length > 0 ? 'tool_calls' : 'stop')));
  if (step.usage) pieces.push(openAiEvents.usage(step.usage.inputTokens, step.usage.outputTokens));
  return [...pieces, openAiEvents.done];
}
