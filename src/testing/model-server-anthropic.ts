import { argumentsText, endPauses, inPieces, type ServerPiece, type ServerStep } from './model-server-step.ts';

const event = (type: string, fields: Record<string, unknown>): ServerPiece => ({
  event: type,
  data: { type, ...fields },
});

/** Events of an Anthropic messages stream, one at a time. */
export const anthropicEvents = {
  event,
  start: (inputTokens = 10) =>
    event('message_start', {
      message: {
        id: 'msg_local',
        type: 'message',
        role: 'assistant',
        model: 'local',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: inputTokens, output_tokens: 1 },
      },
    }),
  block: (index: number, block: Record<string, unknown>) =>
    event('content_block_start', { index, content_block: block }),
  delta: (index: number, delta: Record<string, unknown>) => event('content_block_delta', { index, delta }),
  stop: (index: number) => event('content_block_stop', { index }),
  toolUse: (index: number, id: string, name: string) =>
    anthropicEvents.block(index, { type: 'tool_use', id, name, input: {} }),
  input: (index: number, text: string) =>
    anthropicEvents.delta(index, { type: 'input_json_delta', partial_json: text }),
  /** A whole call. */
  call: (index: number, id: string, name: string, ...texts: string[]): ServerPiece[] => [
    anthropicEvents.toolUse(index, id, name),
    ...texts.map((text) => anthropicEvents.input(index, text)),
    anthropicEvents.stop(index),
  ],
  text: (index: number, text: string): ServerPiece[] => [
    anthropicEvents.block(index, { type: 'text', text: '' }),
    anthropicEvents.delta(index, { type: 'text_delta', text }),
    anthropicEvents.stop(index),
  ],
  finish: (reason: string, outputTokens = 5): ServerPiece[] => [
    event('message_delta', {
      delta: { stop_reason: reason, stop_sequence: null },
      usage: { output_tokens: outputTokens },
    }),
    event('message_stop', {}),
  ],
};

const REASONS = { stop: 'end_turn', tool_calls: 'tool_use', length: 'max_tokens' } as const;

/** A step in words as a well-formed stream. */
export function anthropicPieces(step: ServerStep): ServerPiece[] {
  const size = step.pieceChars ?? 16;
  const calls = step.calls ?? [];
  const pieces: ServerPiece[] = [anthropicEvents.start(step.usage?.inputTokens)];
  let index = 0;
  const block = (start: Record<string, unknown>, deltas: readonly Record<string, unknown>[]) => {
    pieces.push(anthropicEvents.block(index, start));
    for (const delta of deltas) pieces.push(anthropicEvents.delta(index, delta));
    pieces.push(anthropicEvents.stop(index));
    index++;
  };
  if (step.thinking) {
    const deltas = inPieces(step.thinking, size).map((thinking) => ({ type: 'thinking_delta', thinking }));
    const signature = { type: 'signature_delta', signature: 'c2lnbmVk' };
    block({ type: 'thinking', thinking: '' }, [...deltas, signature]);
  }
  if (step.text) {
    block(
      { type: 'text', text: '' },
      inPieces(step.text, size).map((text) => ({ type: 'text_delta', text })),
    );
  }
  for (const [place, call] of calls.entries()) {
    const id = typeof call.id === 'string' ? call.id : `toolu_${place + 1}`;
    const deltas = inPieces(argumentsText(call), size);
    block(
      { type: 'tool_use', id, name: call.name, input: {} },
      deltas.map((text) => ({ type: 'input_json_delta', partial_json: text })),
    );
  }
  const reason = REASONS[step.reason ?? (calls.length > 0 ? 'tool_calls' : 'stop')];
  return [...pieces, ...endPauses(step), ...anthropicEvents.finish(reason, step.usage?.outputTokens)];
}
