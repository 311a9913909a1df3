import type { ModelFixture } from './model-fixture.ts';
import { anthropicEvents as claude } from './model-server-anthropic.ts';
import { openAiEvents as gpt } from './model-server-openai.ts';

const called = (...calls: ModelFixture['expected']['calls']) => ({ reason: 'tool_calls' as const, calls });
const cutShort = { reason: 'error' as const, calls: [] };
const a = { name: 'search', arguments: '{"q":"abc"}' };
const b = { name: 'read', arguments: '{"p":1}' };
const end = [gpt.finish('tool_calls'), gpt.done];
const used = claude.finish('tool_use');

/** Two whole calls whose ids are as given. */
const withIds = (first: unknown, second: unknown) => [
  gpt.head(0, first, 'search', '{"q":"abc"}'),
  gpt.head(1, second, 'read', '{"p":1}'),
  ...end,
];

/** Streams that end well, whose calls are sent in odd ways. */
export const callFixtures: readonly ModelFixture[] = [
  {
    name: 'one-call',
    what: 'nothing: a call in three pieces',
    openai: [gpt.head(0, 'call_a', 'search'), gpt.more(0, '{"q":'), gpt.more(0, '"abc"}'), ...end],
    anthropic: [claude.start(), ...claude.call(0, 'toolu_a', 'search', '{"q":', '"abc"}'), ...used],
    expected: called(a),
  },
  {
    name: 'parallel-calls',
    what: 'nothing: text, then two calls one after the other',
    openai: [
      gpt.text('Let me see.'),
      gpt.head(0, 'call_a', 'search'),
      gpt.more(0, '{"q":"abc"}'),
      gpt.head(1, 'call_b', 'read'),
      gpt.more(1, '{"p":1}'),
      ...end,
    ],
    anthropic: [
      claude.start(),
      ...claude.text(0, 'Let me see.'),
      ...claude.call(1, 'toolu_a', 'search', '{"q":"abc"}'),
      ...claude.call(2, 'toolu_b', 'read', '{"p":1}'),
      ...used,
    ],
    expected: { ...called(a, b), text: 'Let me see.' },
  },
  {
    name: 'interleaved-deltas',
    what: 'the pieces of two calls alternate',
    openai: [
      gpt.head(0, 'call_a', 'search'),
      gpt.head(1, 'call_b', 'read'),
      gpt.more(0, '{"q":'),
      gpt.more(1, '{"p"'),
      gpt.more(0, '"abc"}'),
      gpt.more(1, ':1}'),
      ...end,
    ],
    anthropic: [
      claude.start(),
      claude.toolUse(0, 'toolu_a', 'search'),
      claude.toolUse(1, 'toolu_b', 'read'),
      claude.input(0, '{"q":'),
      claude.input(1, '{"p"'),
      claude.input(0, '"abc"}'),
      claude.input(1, ':1}'),
      claude.stop(0),
      claude.stop(1),
      ...used,
    ],
    expected: called(a, b),
  },
  {
    name: 'missing-index',
    what: 'no piece has an index; ids stand in the first piece of each call only',
    openai: [
      gpt.call({ id: 'call_a', function: { name: 'search', arguments: '' } }),
      gpt.call({ function: { arguments: '{"q":' } }),
      gpt.call({ function: { arguments: '"abc"}' } }),
      gpt.call({ id: 'call_b', function: { name: 'read', arguments: '' } }),
      gpt.call({ function: { arguments: '{"p":1}' } }),
      ...end,
    ],
    expected: called(a, b),
    throughAiSdk: cutShort,
  },
  {
    name: 'missing-index-with-ids',
    what: 'no piece has an index, the pieces of two calls alternate, each has its id',
    openai: [
      gpt.call({ id: 'call_a', function: { name: 'search', arguments: '' } }),
      gpt.call({ id: 'call_b', function: { name: 'read', arguments: '' } }),
      gpt.call({ id: 'call_a', function: { arguments: '{"q":"abc"}' } }),
      gpt.call({ id: 'call_b', function: { arguments: '{"p":1}' } }),
      ...end,
    ],
    expected: called(a, b),
  },
  {
    name: 'unclear-arguments',
    what: 'two calls are open, and arguments come without index and id',
    openai: [
      gpt.call({ id: 'call_a', function: { name: 'search', arguments: '' } }),
      gpt.call({ id: 'call_b', function: { name: 'read', arguments: '' } }),
      gpt.call({ function: { arguments: '{"q":"abc"}' } }),
      gpt.call({ function: { arguments: '{"p":1}' } }),
      ...end,
    ],
    expected: cutShort,
  },
  {
    name: 'two-ids-under-one-index',
    what: 'a second call begins under the index of the first',
    openai: [
      gpt.head(0, 'call_a', 'search', '{"q"'),
      gpt.more(0, ':"abc"}'),
      gpt.head(0, 'call_b', 'search', '{"q"'),
      gpt.more(0, ':"def"}'),
      ...end,
    ],
    expected: called(a, { name: 'search', arguments: '{"q":"def"}' }),
    throughAiSdk: cutShort,
  },
  { name: 'empty-ids', what: 'ids are empty texts', openai: withIds('', ''), expected: called(a, b) },
  { name: 'null-ids', what: 'ids are null', openai: withIds(null, null), expected: called(a, b) },
  {
    name: 'number-ids',
    what: 'ids are numbers',
    openai: withIds(7, 8),
    expected: called({ ...a, id: 7 }, { ...b, id: 8 }),
    throughAiSdk: cutShort,
  },
  {
    name: 'repeated-ids',
    what: 'both calls have the same id',
    openai: withIds('call_1', 'call_1'),
    anthropic: [
      claude.start(),
      ...claude.call(0, 'toolu_1', 'search', '{"q":"abc"}'),
      ...claude.call(1, 'toolu_1', 'read', '{"p":1}'),
      ...used,
    ],
    expected: called(a, b),
  },
  {
    name: 'late-name',
    what: 'the name comes after the arguments began',
    openai: [
      gpt.call({ index: 0, id: 'call_a', function: { arguments: '{"q":' } }),
      gpt.call({ index: 0, function: { name: 'search', arguments: '"abc"}' } }),
      ...end,
    ],
    expected: called(a),
  },
  {
    name: 'name-on-every-piece',
    what: 'id and name are repeated with every piece',
    openai: [gpt.head(0, 'call_a', 'search', '{"q":'), gpt.head(0, 'call_a', 'search', '"abc"}'), ...end],
    expected: called(a),
  },
  {
    name: 'arguments-as-object',
    what: 'the arguments are an object, not its text',
    openai: [gpt.call({ index: 0, id: 'call_a', function: { name: 'search', arguments: { q: 'abc' } } }), ...end],
    expected: called(a),
    throughAiSdk: cutShort,
  },
  {
    name: 'placeholder',
    what: 'an empty object comes first, then the real arguments',
    openai: [gpt.head(0, 'call_a', 'search', '{}'), gpt.more(0, '{"q":'), gpt.more(0, '"abc"}'), ...end],
    expected: called(a),
  },
  {
    name: 'empty-object',
    what: 'an empty object comes, and it is the arguments',
    openai: [gpt.head(0, 'call_a', 'now', '{}'), ...end],
    anthropic: [claude.start(), ...claude.call(0, 'toolu_a', 'now', '{}'), ...used],
    expected: called({ name: 'now', arguments: '{}' }),
  },
  {
    name: 'no-arguments',
    what: 'no arguments come at all',
    openai: [gpt.head(0, 'call_a', 'now'), ...end],
    expected: called({ name: 'now', arguments: '' }),
  },
  {
    name: 'broken-arguments',
    what: 'arguments that are nearly JSON, and a tool that nobody offered',
    openai: [gpt.head(0, 'call_a', 'search', '{"q":"abc",}'), gpt.head(1, 'call_b', 'no_such_tool', '{"p":1}'), ...end],
    anthropic: [
      claude.start(),
      ...claude.call(0, 'toolu_a', 'search', '{"q":"abc",}'),
      ...claude.call(1, 'toolu_b', 'no_such_tool', '{"p":1}'),
      ...used,
    ],
    expected: called({ name: 'search', arguments: '{"q":"abc",}' }, { name: 'no_such_tool', arguments: '{"p":1}' }),
  },
  {
    name: 'finish-with-last-piece',
    what: 'the finish reason stands in the event of the last piece, and says stop',
    openai: [
      gpt.head(0, 'call_a', 'search', '{"q":'),
      gpt.call({ index: 0, function: { arguments: '"abc"}' } }, 'stop'),
      gpt.done,
    ],
    expected: called(a),
  },
  {
    name: 'text-after-call',
    what: 'text goes on after a call',
    openai: [gpt.text('One.'), gpt.head(0, 'call_a', 'search', '{"q":"abc"}'), gpt.text(' Two.'), ...end],
    anthropic: [
      claude.start(),
      ...claude.text(0, 'One.'),
      ...claude.call(1, 'toolu_a', 'search', '{"q":"abc"}'),
      ...claude.text(2, ' Two.'),
      ...used,
    ],
    expected: { ...called(a), text: 'One. Two.' },
  },
  {
    name: 'thinking-first',
    what: 'the model thinks, then calls',
    openai: [
      gpt.chunk({ reasoning_content: 'Hmm, ' }),
      gpt.chunk({ reasoning_content: 'search.' }),
      gpt.head(0, 'call_a', 'search', '{"q":"abc"}'),
      ...end,
    ],
    anthropic: [
      claude.start(),
      claude.block(0, { type: 'thinking', thinking: '' }),
      claude.delta(0, { type: 'thinking_delta', thinking: 'Hmm, ' }),
      claude.delta(0, { type: 'thinking_delta', thinking: 'search.' }),
      claude.delta(0, { type: 'signature_delta', signature: 'c2ln' }),
      claude.stop(0),
      ...claude.call(1, 'toolu_a', 'search', '{"q":"abc"}'),
      ...used,
    ],
    expected: { ...called(a), thinking: 'Hmm, search.' },
  },
  {
    name: 'legacy-function-call',
    what: 'the call comes as function_call',
    openai: [
      gpt.chunk({ function_call: { name: 'search', arguments: '' } }),
      gpt.chunk({ function_call: { arguments: '{"q":"abc"}' } }),
      gpt.finish('function_call'),
      gpt.done,
    ],
    expected: called(a),
    throughAiSdk: cutShort,
  },
];
