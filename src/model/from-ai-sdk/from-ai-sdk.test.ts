import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModelV2, LanguageModelV3 } from '@ai-sdk/provider';
import { describe, expect } from 'vitest';
import { firstRequest, readReply, requestWith } from '../../../test/contract/model-reply.ts';
import { verifies } from '../../../test/verifies.ts';
import type { AssistantMessage, Message, ModelEvent } from '../../core/index.ts';
import { type ModelServer, startModelServer } from '../../testing/model-server.ts';
import { anthropicEvents as claudeEvents } from '../../testing/model-server-anthropic.ts';
import type { ServerStep } from '../../testing/model-server-step.ts';
import { createVirtualClock } from '../../testing/virtual-clock.ts';
import { fromAiSdk } from './from-ai-sdk.ts';

const claude = (server: ModelServer, name = 'claude-sonnet-4-5') =>
  fromAiSdk(createAnthropic({ apiKey: 'none', baseURL: server.anthropicUrl })(name));
const compatible = (server: ModelServer) =>
  fromAiSdk(createOpenAICompatible({ name: 'local', baseURL: server.openaiUrl, includeUsage: true })('m'));

async function withServer<T>(script: readonly ServerStep[], use: (server: ModelServer) => Promise<T>): Promise<T> {
  const server = await startModelServer({ script });
  try {
    return await use(server);
  } finally {
    await server.close();
  }
}

/** A model of version 2 or 3 that sends given parts and keeps what it was asked. */
function parts(list: readonly unknown[], version: 'v2' | 'v3' = 'v3', open = false) {
  const seen: { prompt?: unknown; cancelled: boolean; aborted: boolean } = { cancelled: false, aborted: false };
  const model = {
    specificationVersion: version,
    provider: 'fake.chat',
    modelId: 'm',
    supportedUrls: {},
    doStream: async (options: { prompt: unknown; abortSignal: AbortSignal }) => {
      seen.prompt = options.prompt;
      options.abortSignal.addEventListener('abort', () => {
        seen.aborted = true;
      });
      const stream = new ReadableStream({
        start(controller) {
          for (const part of list) controller.enqueue(part);
          if (!open) controller.close();
        },
        cancel() {
          seen.cancelled = true;
        },
      });
      return { stream };
    },
  };
  return { model: model as unknown as LanguageModelV2 & LanguageModelV3, seen };
}

const call = { name: 'search', arguments: '{"q":"abc"}' };

describe('from the AI SDK', () => {
  verifies(
    'model/no-false-end',
    'Anthropic ends each call itself, also the last one of a stream that stays open',
    async () => {
      const step: ServerStep = { calls: [call, call], stall: true };
      await withServer([step], async (server) => {
        const told: number[] = [];
        for await (const event of claude(server).stream(firstRequest, { signal: new AbortController().signal })) {
          if (event.type === 'tool_call') told.push(event.key);
          if (told.length === 2) server.release();
        }
        expect(told).toEqual([0, 1]);
      });
    },
  );

  verifies('model/no-false-end', 'an OpenAI-compatible stream ends its calls with its finish only', async () => {
    await withServer([{ calls: [call], stall: true }], async (server) => {
      const events: ModelEvent[] = [];
      const reading = (async () => {
        for await (const event of compatible(server).stream(firstRequest, { signal: new AbortController().signal })) {
          events.push(event);
        }
      })();
      await server.stalled();
      await new Promise((resolve) => setTimeout(resolve, 30));
      expect(events.some((event) => event.type === 'tool_call')).toBe(false);
      expect(events.some((event) => event.type === 'tool_call_delta')).toBe(true);
      server.release();
      await reading;
      expect(events.filter((event) => event.type === 'tool_call').length).toBe(1);
    });
  });

  verifies('model/history', 'signed thinking goes back in its place, before the calls that followed it', async () => {
    await withServer(
      [{ thinking: 'Hmm.', text: 'Let me see.', calls: [{ id: 'toolu_1', ...call }] }, { text: 'Done.' }],
      async (server) => {
        const model = claude(server);
        const { end, outcome } = await readReply(model);
        expect(outcome).toMatchObject({ thinking: 'Hmm.', text: 'Let me see.' });
        const reply: AssistantMessage = {
          id: 'm2',
          role: 'assistant',
          content: 'Let me see.',
          toolCalls: [{ id: 'toolu_1', ...call }],
          // As it comes back from the store.
          ...(end.provider ? { provider: JSON.parse(JSON.stringify(end.provider)) } : {}),
        };
        await readReply(
          model,
          requestWith([
            ...firstRequest.messages,
            reply,
            { id: 'm3', role: 'tool', toolCallId: 'toolu_1', name: 'search', content: 'broken', isError: true },
          ]),
        );
        expect(server.problems).toEqual([]);
        expect(server.requests[1]?.body).toMatchObject({
          messages: [
            { role: 'user' },
            {
              role: 'assistant',
              content: [
                { type: 'thinking', thinking: 'Hmm.', signature: 'c2lnbmVk' },
                { type: 'text', text: 'Let me see.' },
                { type: 'tool_use', id: 'toolu_1', name: 'search', input: { q: 'abc' } },
              ],
            },
            { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', is_error: true }] },
          ],
        });
      },
    );
  });

  verifies(
    'model/no-false-end',
    'what follows a call shows that the provider ended it, unless nothing came of it',
    async () => {
      const cutAfter = (...begun: unknown[]) => [
        { type: 'tool-input-start', id: 'a', toolName: 'search' },
        ...begun,
        { type: 'text-delta', id: '0', delta: 'And' },
        { type: 'finish', finishReason: { unified: 'length', raw: 'max_tokens' }, usage: {} },
      ];
      const ended = (input: string) => ({ type: 'tool-call', toolCallId: 'a', toolName: 'search', input });
      const whole = cutAfter({ type: 'tool-input-delta', id: 'a', delta: '{"q":1}' }, ended('{"q":1}'));
      expect((await readReply(fromAiSdk(parts(whole).model))).told).toEqual([0]);
      expect((await readReply(fromAiSdk(parts(cutAfter(ended('{}'))).model))).told).toEqual([]);
      const second = { type: 'tool-call', toolCallId: 'b', toolName: 'read', input: '{"p":1}' };
      expect((await readReply(fromAiSdk(parts(cutAfter(ended('{}'), second)).model))).told).toEqual([1]);
      const cut = cutAfter({ type: 'tool-input-delta', id: 'a', delta: '{"q":' }, ended('{"q":'));
      expect((await readReply(fromAiSdk(parts(cut).model))).told).toEqual([]);
    },
  );

  verifies('model/history', 'thinking that was cut before its signature is not kept', async () => {
    const signed = [
      claudeEvents.start(),
      claudeEvents.block(0, { type: 'thinking', thinking: '' }),
      claudeEvents.delta(0, { type: 'thinking_delta', thinking: 'One.' }),
      claudeEvents.delta(0, { type: 'signature_delta', signature: 'SIG' }),
      claudeEvents.stop(0),
      claudeEvents.block(1, { type: 'thinking', thinking: '' }),
      claudeEvents.delta(1, { type: 'thinking_delta', thinking: 'Two.' }),
    ];
    await withServer([{ anthropic: signed }], async (server) => {
      const { end } = await readReply(claude(server));
      expect(end.reason).toBe('error');
      const kept = JSON.stringify(end.provider);
      expect(kept).toContain('SIG');
      expect(kept).not.toContain('Two.');
    });
  });

  verifies('model/history', 'pictures of results, ids of other providers, text that was changed', async () => {
    const image = { type: 'image', mimeType: 'image/png', data: 'aGk=' } as const;
    const id = 'functions.search:0';
    const history: Message[] = [
      { id: '1', role: 'user', content: [{ type: 'text', text: 'See' }, image] },
      {
        id: '2',
        role: 'assistant',
        content: 'Changed.',
        toolCalls: [{ id, ...call }],
        provider: { adapter: 'ai-sdk:other', value: { blocks: [{ type: 'reasoning', text: 'secret' }] } },
      },
      {
        id: '3',
        role: 'tool',
        toolCallId: id,
        name: 'search',
        isError: false,
        content: [{ type: 'text', text: 'x' }, image],
      },
    ];
    await withServer([{ text: 'A' }, { text: 'B' }], async (server) => {
      await readReply(claude(server), requestWith(history));
      await readReply(compatible(server), requestWith(history));
      expect(server.problems).toEqual([]);
      const [anthropic, openai] = server.requests.map((request) => request.text);
      expect(anthropic).toMatch(/"tool_result".*"type":"image"/);
      expect(openai).toMatch(/"role":"tool".*"role":"user".*image_url/);
      expect(openai).not.toContain('secret');
    });
  });

  verifies('model/stream', 'finish and usage of versions 2 and 3', async () => {
    const text = [
      { type: 'text-start', id: '0' },
      { type: 'text-delta', id: '0', delta: 'Hi' },
    ];
    const two = {
      type: 'finish',
      finishReason: 'stop',
      usage: { inputTokens: 1, outputTokens: 2, cachedInputTokens: 1 },
    };
    const three = {
      type: 'finish',
      finishReason: { unified: 'stop', raw: 'end' },
      usage: { inputTokens: { total: 1, cacheRead: 1 }, outputTokens: { total: 2, reasoning: undefined } },
    };
    for (const [version, finish] of [
      ['v2', two],
      ['v3', three],
    ] as const) {
      const { end, outcome } = await readReply(fromAiSdk(parts([...text, finish], version).model));
      expect(outcome.text).toBe('Hi');
      expect(end).toEqual({
        type: 'model_end',
        reason: 'stop',
        usage: { inputTokens: 1, outputTokens: 2, cachedInputTokens: 1 },
      });
    }
    const unknown = { type: 'finish', finishReason: 'unknown', usage: {} };
    expect((await readReply(fromAiSdk(parts([...text, unknown], 'v2').model))).end.reason).toBe('error');
  });

  verifies('model/stream', 'a call without pieces, and a final input that differs from its pieces', async () => {
    const finish = { type: 'finish', finishReason: { unified: 'tool-calls', raw: 'x' }, usage: {} };
    const { outcome, told } = await readReply(
      fromAiSdk(
        parts([
          { type: 'tool-call', toolCallId: 'a', toolName: 'search', input: '{"q":1}' },
          { type: 'tool-input-start', id: 'b', toolName: 'read' },
          { type: 'tool-input-delta', id: 'b', delta: '{"p":' },
          { type: 'tool-call', toolCallId: 'b', toolName: 'read', input: '{"p":2}' },
          { type: 'tool-call', toolCallId: 'c', toolName: 'web_search', input: '{}', providerExecuted: true },
          finish,
        ]).model,
      ),
    );
    expect(outcome.calls).toEqual([
      { id: 'a', name: 'search', arguments: '{"q":1}' },
      { id: 'b', name: 'read', arguments: '{"p":2}' },
    ]);
    expect(told).toEqual([0, 1]);
  });

  verifies('model/bounds', 'silence, an abort and an early leave cancel the stream and its request', async () => {
    const begin = [{ type: 'text-delta', id: '0', delta: 'Hi' }];
    const clock = createVirtualClock();
    const silent = parts(begin, 'v3', true);
    const reply = readReply(fromAiSdk(silent.model, { clock, idleTimeoutMs: 1_000 }));
    await clock.advance(1_001);
    expect((await reply).end.fault?.message).toContain('1000 ms');
    expect(silent.seen).toMatchObject({ cancelled: true, aborted: true });

    const left = parts(begin, 'v3', true);
    for await (const _ of fromAiSdk(left.model, { clock }).stream(firstRequest, {
      signal: new AbortController().signal,
    }))
      break;
    expect(left.seen).toMatchObject({ cancelled: true, aborted: true });

    const controller = new AbortController();
    const stopped = parts(begin, 'v3', true);
    const ending = readReply(fromAiSdk(stopped.model, { clock }), firstRequest, controller.signal);
    await clock.advance(0);
    controller.abort();
    expect((await ending).end.reason).toBe('aborted');
    expect(stopped.seen).toMatchObject({ cancelled: true, aborted: true });
    expect(clock.pending).toBe(0);
  });

  verifies('model/faults', 'statuses through the adapters, with Retry-After', async () => {
    const busy: ServerStep = {
      status: 429,
      headers: { 'retry-after': '3' },
      body: '{"error":{"message":"slow down"}}',
    };
    const claudeBusy: ServerStep = {
      status: 529,
      body: '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
    };
    await withServer([busy, claudeBusy, { status: 401, body: '{"error":{"message":"no"}}' }], async (server) => {
      const first = (await readReply(compatible(server))).end.fault;
      expect(first).toMatchObject({ status: 429, retryable: true, retryAfterMs: 3_000 });
      expect(first?.message).toContain('slow down');
      expect((await readReply(claude(server))).end.fault).toMatchObject({ status: 529, retryable: true });
      expect((await readReply(compatible(server))).end.fault).toMatchObject({ status: 401, retryable: false });
    });
  });

  verifies('model/thinking', 'Claude is asked with a budget or left to decide, by its age', async () => {
    const thinking = { ...firstRequest, options: { thinking: true } };
    await withServer([{ text: 'A' }, { text: 'B' }, { text: 'C' }], async (server) => {
      await readReply(claude(server, 'claude-sonnet-4-5'), thinking);
      await readReply(claude(server, 'claude-opus-4-6'), thinking);
      await readReply(compatible(server), thinking);
      const [old, young, other] = server.requests.map((request) => request.body as Record<string, unknown>);
      expect(old?.thinking).toMatchObject({ type: 'enabled' });
      expect(young?.thinking).toMatchObject({ type: 'adaptive' });
      expect(other?.reasoning_effort).toBe('medium');
    });
  });
});
