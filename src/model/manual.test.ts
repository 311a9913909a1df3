import { describe, expect } from 'vitest';
import { readReply, requestWith } from '../../test/contract/model-reply.ts';
import { verifies } from '../../test/verifies.ts';
import type { Message, ModelRequest, ToolMessage } from '../core/index.ts';
import { createManualModel } from './manual.ts';

const model = createManualModel();
const ask = (content: string): Message => ({ id: 'u', role: 'user', content });
const said = (content = ''): Message => ({ id: 'a', role: 'assistant', content, toolCalls: [] });
const result = (name: string, content: string, isError = false): ToolMessage => ({
  id: 't',
  role: 'tool',
  toolCallId: 'c',
  name,
  content,
  isError,
});
const callsOf = async (content: string) => {
  const { outcome } = await readReply(model, requestWith([ask(content)]));
  return outcome.calls.map((call) => `${call.name} ${call.arguments}`);
};

describe('manual model', () => {
  verifies(
    'model/manual',
    'lines in a row are one turn; a rule begins the next; then the results are told',
    async () => {
      const start = ask('read {"p": 1}\nsearch {"q": "x"}\n\n---\nwrite {"p": 2}');
      const first = await readReply(model, requestWith([start]));
      expect(first.outcome).toMatchObject({
        reason: 'tool_calls',
        calls: [
          { name: 'read', arguments: '{"p": 1}' },
          { name: 'search', arguments: '{"q": "x"}' },
        ],
      });
      expect(first.told).toEqual([0, 1]);
      const after = [start, said(), result('read', 'one'), result('search', 'no', true)];
      const second = await readReply(model, requestWith(after));
      expect(second.outcome.calls.map((call) => call.name)).toEqual(['write']);
      const ids = [...first.outcome.calls, ...second.outcome.calls].map((call) => call.id);
      expect(new Set(ids).size).toBe(3);
      const last = await readReply(model, requestWith([...after, said(), result('write', '\nline 1\nline 2\n')]));
      expect(last.outcome).toMatchObject({
        reason: 'stop',
        calls: [],
        text: 'Done: 3 calls, 1 failed.\n- read: one\n- search failed: no\n- write: line 1 (4 lines, 15 bytes)',
      });
    },
  );

  verifies('model/manual', 'earlier questions do not count', async () => {
    const history = [ask('read {}'), said(), result('read', 'x'), said('Done.'), ask('write {}')];
    expect((await readReply(model, requestWith(history))).outcome.calls.map((call) => call.name)).toEqual(['write']);
  });

  verifies('model/manual', 'an object may go on over lines; broken JSON is passed on as it is', async () => {
    expect(await callsOf('write {\n  "p": {"a": "}"},\n  "q": 1\n}\nread {"p": 1}')).toEqual([
      'write {\n  "p": {"a": "}"},\n  "q": 1\n}',
      'read {"p": 1}',
    ]);
    expect(await callsOf('read {"p": \nsearch {"q": 1}')).toEqual(['read {"p":', 'search {"q": 1}']);
    expect(await callsOf("read {'p': 1}\nno_such_tool {}")).toEqual(["read {'p': 1}", 'no_such_tool {}']);
    expect(await callsOf('now\nread path=a\r\n```\nsearch {}')).toEqual(['now ', 'read path=a', 'search {}']);
  });

  verifies('model/manual', 'lines that are no calls are named, not run', async () => {
    const { outcome } = await readReply(model, requestWith([ask('Please look:\nread {}')]));
    expect(outcome.text).toContain('Please look:');
    expect(outcome.calls.length).toBe(1);
  });

  verifies('model/manual', 'it explains itself with the tools that are offered and an example that works', async () => {
    const request: ModelRequest = {
      messages: [ask('hello')],
      tools: [
        {
          name: 'look',
          description: '',
          inputSchema: {
            type: 'object',
            required: ['at', 'n', 'how'],
            properties: { at: { type: 'string' }, n: { type: 'integer' }, how: { enum: ['near', 'far'] } },
          },
        },
      ],
    };
    const { outcome } = await readReply(model, request);
    expect(outcome).toMatchObject({ reason: 'stop', calls: [] });
    const example = /^look \{.*\}$/m.exec(outcome.text ?? '')?.[0] ?? '';
    expect(await callsOf(example)).toEqual(['look {"at":"text","n":1,"how":"near"}']);
    expect((await readReply(model, request)).outcome).toEqual(outcome);
    expect((await readReply(model, { messages: [], tools: [] })).outcome.reason).toBe('stop');
  });
});
