import type { ModelFixture } from './model-fixture.ts';
import { anthropicEvents as claude } from './model-server-anthropic.ts';
import { openAiEvents as gpt } from './model-server-openai.ts';

/** A whole call, and one that is open. */
const begun = [gpt.head(0, 'call_a', 'search', '{"q":"abc"}'), gpt.head(1, 'call_b', 'write', '{"p":"x')];
const claudeBegun = [
  claude.start(),
  ...claude.call(0, 'toolu_a', 'search', '{"q":"abc"}'),
  claude.toolUse(1, 'toolu_b', 'write'),
  claude.input(1, '{"p":"x'),
];
const a = { name: 'search', arguments: '{"q":"abc"}' };
const calls = [a, { name: 'write', arguments: '{"p":"x' }];
const failed = { reason: 'error' as const, calls };

/** Streams that do not end well. */
export const breakFixtures: readonly ModelFixture[] = [
  {
    name: 'length-cut',
    what: 'the output limit cuts the arguments',
    openai: [...begun, gpt.finish('length'), gpt.done],
    anthropic: [...claudeBegun, claude.stop(1), ...claude.finish('max_tokens')],
    expected: { reason: 'length', calls },
  },
  {
    name: 'length-after-name',
    what: 'the output limit cuts before the first argument',
    openai: [gpt.head(0, 'call_a', 'write'), gpt.finish('length'), gpt.done],
    anthropic: [claude.start(), ...claude.call(0, 'toolu_a', 'write'), ...claude.finish('max_tokens')],
    expected: { reason: 'length', calls: [{ name: 'write', arguments: '' }] },
  },
  {
    name: 'clean-cut',
    what: 'the stream ends without a finish reason, in the middle of a call',
    openai: begun,
    anthropic: claudeBegun,
    expected: failed,
  },
  {
    name: 'clean-cut-after-call',
    what: 'the stream ends without a finish reason, after a whole call',
    openai: [gpt.head(0, 'call_a', 'search', '{"q":"abc"}')],
    anthropic: [claude.start(), ...claude.call(0, 'toolu_a', 'search', '{"q":"abc"}')],
    expected: { reason: 'error', calls: [a] },
  },
  {
    name: 'done-without-finish',
    what: 'the end mark comes, but no finish reason',
    openai: [...begun, gpt.done],
    expected: failed,
  },
  {
    name: 'socket-cut',
    what: 'the connection breaks in the middle of a call',
    openai: [...begun, { delayMs: 20 }, { cut: true }],
    anthropic: [...claudeBegun, { delayMs: 20 }, { cut: true }],
    expected: failed,
  },
  {
    name: 'error-in-stream',
    what: 'an error comes in mid-stream, and the stream goes on as if nothing had been',
    openai: [
      ...begun,
      { data: { error: { message: 'overloaded', type: 'server_error', code: null } } },
      gpt.more(1, 'y"}'),
      gpt.finish('tool_calls'),
      gpt.done,
    ],
    anthropic: [
      ...claudeBegun,
      claude.event('error', { error: { type: 'overloaded_error', message: 'Overloaded' } }),
      claude.input(1, 'y"}'),
      claude.stop(1),
      ...claude.finish('tool_use'),
    ],
    expected: failed,
  },
  {
    name: 'broken-json',
    what: 'an event is broken JSON, and the stream goes on',
    openai: [
      ...begun,
      { send: 'data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":1,\n\n' },
      gpt.more(1, '"}'),
      gpt.finish('tool_calls'),
      gpt.done,
    ],
    anthropic: [
      ...claudeBegun,
      { send: 'event: content_block_delta\ndata: {"type":"content_block_delta","index":1,\n\n' },
      claude.input(1, '"}'),
      claude.stop(1),
      ...claude.finish('tool_use'),
    ],
    expected: failed,
  },
  {
    name: 'content-filter',
    what: 'a filter stops the reply',
    openai: [gpt.text('I will'), gpt.finish('content_filter'), gpt.done],
    anthropic: [claude.start(), ...claude.text(0, 'I will'), ...claude.finish('refusal')],
    expected: { reason: 'error', text: 'I will', calls: [] },
  },
  {
    name: 'finish-without-calls',
    what: 'the finish reason speaks of calls, but none came',
    openai: [gpt.finish('tool_calls'), gpt.done],
    expected: { reason: 'error', calls: [] },
  },
];
