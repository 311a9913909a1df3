import type { ModelFixture } from './model-fixture.ts';
import { openAiEvents as gpt } from './model-server-openai.ts';
import type { ServerPiece } from './model-server-step.ts';

const a = { name: 'search', arguments: '{"q":"abc"}' };
const expected = { reason: 'tool_calls' as const, calls: [a] };
const lost = { reason: 'error' as const, calls: [] };
const call = gpt.head(0, 'call_a', 'search', '{"q":"abc"}');
const end = gpt.finish('tool_calls');

const json = (piece: ServerPiece) => JSON.stringify('data' in piece ? piece.data : null);
const spoken = (text: string) => [gpt.text(text), gpt.finish('stop'), gpt.done];
const bytes = Buffer.from(`data: ${json(gpt.text('Ωμέγα 🌟'))}\n\n`);
const star = bytes.indexOf(Buffer.from('🌟'));

/** Streams whose lines are odd. */
export const lineFixtures: readonly ModelFixture[] = [
  {
    name: 'text-only',
    what: 'nothing: text',
    openai: spoken('Hello.'),
    expected: { reason: 'stop', text: 'Hello.', calls: [] },
  },
  { name: 'no-end-mark', what: '[DONE] does not come', openai: [call, end], expected },
  {
    name: 'unended-last-line',
    what: 'the last event has no line end, and [DONE] does not come',
    openai: [call, { send: `data: ${json(end)}` }],
    expected,
    throughAiSdk: { reason: 'error', calls: [a] },
  },
  {
    name: 'crlf-comments-two-lines',
    what: 'CRLF line ends, comments, other fields, and an event whose data stand on two lines',
    openai: [
      { send: ': keep-alive\r\n\r\nid: 1\r\nretry: 100\r\nevent: message\r\n' },
      { send: `data:${json(call)}\r\n\r\n: ping\r\n\r\n` },
      { send: `data: ${json(end).replace('"choices":', '"choices":\r\ndata: ')}\r\n\r\ndata: [DONE]\r\n\r\n` },
    ],
    expected,
  },
  {
    name: 'cr-lines',
    what: 'lines end with CR alone',
    openai: [{ send: `data: ${json(call)}\r\rdata: ${json(end)}\r\rdata: [DONE]\r\r` }],
    expected,
  },
  {
    name: 'no-blank-lines',
    what: 'no blank line between events',
    openai: [{ send: `data: ${json(call)}\ndata: ${json(end)}\ndata: [DONE]\n` }],
    expected,
    throughAiSdk: lost,
  },
  {
    name: 'cut-characters',
    what: 'writes end in the middle of a character',
    openai: [
      { send: bytes.subarray(0, star + 2) },
      { delayMs: 5 },
      { send: bytes.subarray(star + 2) },
      gpt.finish('stop'),
      gpt.done,
    ],
    expected: { reason: 'stop', text: 'Ωμέγα 🌟', calls: [] },
  },
  {
    name: 'usage-after-finish',
    what: 'usage comes after the finish reason, in an event without choices',
    openai: [call, end, gpt.usage(12, 34), gpt.done],
    expected,
  },
  {
    name: 'whole-reply',
    what: 'the server does not stream: the answer is one JSON document',
    headers: { 'content-type': 'application/json' },
    openai: [
      {
        send: JSON.stringify({
          id: 'chatcmpl-local',
          object: 'chat.completion',
          choices: [
            {
              index: 0,
              finish_reason: 'tool_calls',
              message: {
                role: 'assistant',
                content: null,
                tool_calls: [
                  { id: 'call_a', type: 'function', function: { name: 'search', arguments: '{"q":"abc"}' } },
                ],
              },
            },
          ],
          usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
        }),
      },
    ],
    expected,
    throughAiSdk: lost,
  },
];
