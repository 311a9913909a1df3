import { describe, expect } from 'vitest';
import { verifies } from '../../../test/verifies.ts';
import type { Message, ModelRequest, ToolDefinition } from '../../core/index.ts';
import { checkOpenAiRequest } from '../../testing/model-server-check-openai.ts';
import { createBodyEncoder } from './request-body.ts';
import type { Vendor } from './vendor.ts';

const tools: ToolDefinition[] = [
  { name: 'look', description: 'Looks. "Ω"', inputSchema: { type: 'object', properties: { at: { type: 'string' } } } },
];
const image = { type: 'image', mimeType: 'image/png', data: 'aGk=' } as const;
const messages: Message[] = [
  { id: '1', role: 'user', content: [{ type: 'text', text: 'See “this”:\n🌟' }, image] },
  {
    id: '2',
    role: 'assistant',
    content: '',
    thinking: 'Let me look.',
    toolCalls: [
      { id: 'c1', name: 'look', arguments: '{"at":"a\\n"}' },
      { id: 'c2', name: 'look', arguments: '{}' },
    ],
  },
  {
    id: '3',
    role: 'tool',
    toolCallId: 'c1',
    name: 'look',
    isError: false,
    content: [{ type: 'text', text: 'seen' }, image],
  },
  { id: '4', role: 'tool', toolCallId: 'c2', name: 'look', isError: true, content: 'dark' },
  { id: '5', role: 'user', content: 'And?' },
];
const encode = (request: ModelRequest, vendor: Vendor = 'generic') =>
  JSON.parse(createBodyEncoder('m', vendor, 'a').encode(request).toString('utf8')) as Record<string, unknown>;
const url = { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } };

describe('request body', () => {
  verifies('model/body', 'says what JSON.stringify of the same request says', () => {
    const body = encode({ system: 'Be kind.', messages, tools, options: { maxOutputTokens: 9, temperature: 0 } });
    expect(body).toEqual({
      messages: [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: [{ type: 'text', text: 'See “this”:\n🌟' }, url] },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'c1', type: 'function', function: { name: 'look', arguments: '{"at":"a\\n"}' } },
            { id: 'c2', type: 'function', function: { name: 'look', arguments: '{}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'seen\n[an image: see the next user message]' },
        { role: 'tool', tool_call_id: 'c2', content: 'dark' },
        { role: 'user', content: [{ type: 'text', text: 'Images from the result of look (c1):' }, url] },
        { role: 'user', content: 'And?' },
      ],
      tools: [
        {
          type: 'function',
          function: { name: 'look', description: 'Looks. "Ω"', parameters: tools[0]?.inputSchema },
        },
      ],
      model: 'm',
      max_tokens: 9,
      temperature: 0,
      stream: true,
      stream_options: { include_usage: true },
    });
    expect(checkOpenAiRequest(body)).toEqual([]);
  });

  verifies('model/body', 'pictures of the last turn stand at the end', () => {
    const body = encode({ messages: messages.slice(0, 3), tools: [] });
    expect((body.messages as { role: string }[]).map((message) => message.role)).toEqual([
      'user',
      'assistant',
      'tool',
      'user',
    ]);
    expect(body).not.toHaveProperty('tools');
  });

  verifies('model/body', 'a message and a tool list are read once, however often they are sent', () => {
    let reads = 0;
    const counted = <T extends object>(value: T): T =>
      new Proxy(value, {
        get: (target, key) => {
          if (key === 'content' || key === 'name') reads++;
          return Reflect.get(target, key);
        },
      });
    const list = tools.map(counted);
    const growing = messages.map(counted);
    const encoder = createBodyEncoder('m', 'generic', 'a');
    const first = encoder.encode({ messages: growing, tools: list });
    const once = reads;
    expect(once).toBeGreaterThan(0);
    expect(encoder.encode({ messages: growing, tools: list }).equals(first)).toBe(true);
    expect(reads).toBe(once);
  });

  verifies('model/body', 'a schema that cannot be said costs itself, not the request', () => {
    const bad = { name: 'bad', description: 'Bad.', inputSchema: { $ref: '#/nowhere' } };
    const body = encode({ messages, tools: [...tools, bad] });
    expect(checkOpenAiRequest(body)).toEqual([]);
  });

  verifies(
    'model/history',
    'an id that is too long for OpenAI becomes a short one, the same in call and result',
    () => {
      const id = `functions.look:${'x'.repeat(60)}`;
      const body = encode({
        messages: [
          { id: '1', role: 'user', content: 'Go.' },
          { id: '2', role: 'assistant', content: '', toolCalls: [{ id, name: 'look', arguments: '{}' }] },
          { id: '3', role: 'tool', toolCallId: id, name: 'look', content: 'seen', isError: false },
        ],
        tools,
      });
      expect(checkOpenAiRequest(body)).toEqual([]);
    },
  );

  verifies(
    'model/history',
    'extra content of a call goes back to the vendor that sent it, also after a repair of the id',
    () => {
      const value = {
        calls: [
          { key: 0, id: 'c1', extra: { google: { thought_signature: 'S1' } } },
          { key: 1, extra: { google: { thought_signature: 'S2' } } },
        ],
      };
      const sent = (adapter: string) => {
        const reply: Message = {
          id: '2',
          role: 'assistant',
          content: '',
          provider: { adapter, value },
          toolCalls: [
            { id: 'c1', name: 'look', arguments: '{}' },
            { id: 'call_new', name: 'look', arguments: '{}' },
          ],
        };
        const body = encode({ messages: [reply], tools });
        return JSON.stringify(body.messages);
      };
      expect(sent('a')).toMatch(/"c1".*"S1".*"call_new".*"S2"/);
      expect(sent('other')).not.toContain('thought_signature');
    },
  );

  verifies('model/thinking', "each vendor's own field, and thinking sent back where it must be", () => {
    const fields = (vendor: Vendor, thinking: boolean | undefined) => {
      const {
        messages: _,
        model,
        stream,
        stream_options,
        ...rest
      } = encode({ messages: [], tools: [], options: thinking === undefined ? {} : { thinking } }, vendor);
      return rest;
    };
    expect(fields('dashscope', true)).toEqual({ enable_thinking: true });
    expect(fields('dashscope', false)).toEqual({ enable_thinking: false });
    expect(fields('dashscope', undefined)).toEqual({});
    expect(fields('deepseek', true)).toEqual({ thinking: { type: 'enabled' } });
    expect(fields('openai', true)).toEqual({ reasoning_effort: 'medium' });
    expect(fields('openai', false)).toEqual({});
    expect(fields('generic', true)).toEqual({ reasoning_effort: 'medium' });
    expect(fields('moonshot', true)).toEqual({});
    const said = (vendor: Vendor) => JSON.stringify(encode({ messages, tools: [] }, vendor));
    expect(said('deepseek')).toContain('"reasoning_content":"Let me look."');
    expect(said('openai')).not.toContain('Let me look.');
  });
});
