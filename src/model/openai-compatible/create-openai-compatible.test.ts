import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect } from 'vitest';
import { firstRequest, type Reply, readReply, replyOf } from '../../../test/contract/model-reply.ts';
import { verifies } from '../../../test/verifies.ts';
import type { ModelEvent } from '../../core/index.ts';
import { type ModelServer, startModelServer } from '../../testing/model-server.ts';
import { openAiEvents as gpt } from '../../testing/model-server-openai.ts';
import type { ServerStep } from '../../testing/model-server-step.ts';
import { createVirtualClock } from '../../testing/virtual-clock.ts';
import { createOpenAiCompatible, type OpenAiCompatibleOptions } from './create-openai-compatible.ts';

const KEY = 'sk-very-secret-key';
const connect = (baseUrl: string, options: Partial<OpenAiCompatibleOptions> = {}) =>
  createOpenAiCompatible({ id: 'local/m', model: 'm', baseUrl, apiKey: KEY, ...options });

async function withServer<T>(script: readonly ServerStep[], use: (server: ModelServer) => Promise<T>): Promise<T> {
  const server = await startModelServer({ script });
  try {
    return await use(server);
  } finally {
    await server.close();
  }
}

const answer = (step: ServerStep): Promise<Reply> =>
  withServer([step], (server) => readReply(connect(server.openaiUrl)));

/** Settles what sockets and promises still have to do. */
const turnOfLoop = () => new Promise<void>((resolve) => setTimeout(resolve, 5));

describe('own client', () => {
  verifies('model/faults', 'statuses say whether to try again', async () => {
    for (const [status, retryable] of [
      [400, false],
      [401, false],
      [403, false],
      [404, false],
      [408, true],
      [409, true],
      [425, true],
      [429, true],
      [500, true],
      [503, true],
      [529, true],
    ] as const) {
      const { end } = await answer({ status, body: '{"error":{"message":"no luck"}}' });
      expect(end).toMatchObject({ reason: 'error', fault: { status, retryable } });
      expect(end.fault?.message).toContain('no luck');
    }
  });

  verifies(
    'model/faults',
    'Retry-After in seconds and as a date, HTML and plain bodies, other forms of JSON',
    async () => {
      const seconds = await answer({ status: 429, headers: { 'retry-after': '7' }, body: '{"message":"slow"}' });
      expect(seconds.end.fault).toMatchObject({ retryAfterMs: 7_000, message: expect.stringContaining('slow') });
      const date = new Date(Date.now() + 90_000).toUTCString();
      const dated = await answer({
        status: 503,
        headers: { 'retry-after': date },
        body: '[{"error":{"message":"later"}}]',
      });
      expect(dated.end.fault?.retryAfterMs).toBeGreaterThan(80_000);
      expect(dated.end.fault?.message).toContain('later');
      const page = '<html><head><style>p {}</style><title>502 Bad Gateway</title></head><body>nginx</body></html>';
      const html = await answer({ status: 502, headers: { 'content-type': 'text/html' }, body: page });
      expect(html.end.fault?.message).toBe('HTTP 502 Bad Gateway: 502 Bad Gateway nginx');
      const portal = await answer({ status: 200, headers: { 'content-type': 'text/html' }, body: page });
      expect(portal.end).toMatchObject({ reason: 'error', fault: { retryable: false } });
    },
  );

  verifies('model/faults', 'the key is in no message', async () => {
    const { end } = await answer({ status: 401, body: `{"error":{"message":"bad key ${KEY}"}}` });
    expect(end.fault?.message).toBe('HTTP 401 Unauthorized: bad key [secret]');
  });

  verifies('model/faults', 'nobody listens: retryable, and the address is told', async () => {
    const url = await withServer([], async (server) => server.openaiUrl);
    const { end } = await readReply(connect(url));
    expect(end).toMatchObject({ reason: 'error', fault: { retryable: true } });
    expect(end.fault?.message).toContain('connection refused');
  });

  verifies('model/bounds', 'an error body is read up to 64 KB', async () => {
    const { end } = await answer({ status: 500, body: 'x'.repeat(300_000) });
    expect(end.fault?.message.length).toBeLessThan(600);
  });

  verifies('model/bounds', 'a line of over 16 MB ends the reply', async () => {
    const line: ServerStep = { openai: [{ send: 'data: {"a":"' }, ...Array(17).fill({ send: 'x'.repeat(1 << 20) })] };
    const { end } = await answer(line);
    expect(end.fault?.message).toContain('16 MB');
  });

  verifies('model/bounds', 'silence before and within the stream ends it, on the clock', async () => {
    for (const step of [
      { delayMs: 400_000, text: 'late' },
      { openai: [gpt.text('Hel'), { stall: true }] },
    ] satisfies ServerStep[]) {
      const serverClock = createVirtualClock();
      const server = await startModelServer({ script: [step], clock: serverClock });
      const clock = createVirtualClock();
      const reply = readReply(connect(server.openaiUrl, { clock, idleTimeoutMs: 300_000 }));
      if (step.openai) await server.stalled();
      while (server.requests.length === 0 || clock.pending === 0) await turnOfLoop();
      await turnOfLoop();
      await clock.advance(299_000);
      await clock.advance(2_000);
      expect((await reply).end.fault).toMatchObject({ retryable: true, message: expect.stringContaining('300000 ms') });
      expect(clock.pending).toBe(0);
      await server.close();
    }
  });

  verifies('model/bounds', 'a finish reason without an end of the stream is enough after two seconds', async () => {
    const stalls: ServerStep = { openai: [gpt.text('Hi'), gpt.finish('stop'), { stall: true }] };
    await withServer([stalls], async (server) => {
      const clock = createVirtualClock();
      const reply = readReply(connect(server.openaiUrl, { clock }));
      await server.stalled();
      await turnOfLoop();
      await clock.advance(2_000);
      expect((await reply).outcome).toMatchObject({ reason: 'stop', text: 'Hi' });
      expect(clock.pending).toBe(0);
    });
  });

  verifies(
    'model/bounds',
    'an abort ends the reply at once, closes the connection and leaves no listener',
    async () => {
      await withServer([{ openai: [gpt.text('Hel'), { stall: true }] }], async (server) => {
        const controller = new AbortController();
        let listeners = 0;
        const { signal } = controller;
        const add = signal.addEventListener.bind(signal);
        const remove = signal.removeEventListener.bind(signal);
        signal.addEventListener = (...args: Parameters<typeof add>) => {
          listeners++;
          add(...args);
        };
        signal.removeEventListener = (...args: Parameters<typeof remove>) => {
          listeners--;
          remove(...args);
        };
        const model = connect(server.openaiUrl);
        const reply = readReply(model, firstRequest, signal);
        await server.stalled();
        await turnOfLoop();
        controller.abort();
        expect((await reply).outcome).toMatchObject({ reason: 'aborted', text: 'Hel' });
        while (server.aborted === 0) await turnOfLoop();
        expect(listeners).toBe(0);
        expect((await readReply(model, firstRequest, signal)).events).toEqual([
          { type: 'model_end', reason: 'aborted' },
        ]);
        expect(server.requests.length).toBe(1);
      });
    },
  );

  verifies(
    'model/bounds',
    'a consumer that leaves early closes the connection; nothing is sent before it asks',
    async () => {
      await withServer([{ openai: [gpt.text('Hel'), { stall: true }] }], async (server) => {
        const events = connect(server.openaiUrl).stream(firstRequest, { signal: new AbortController().signal });
        await turnOfLoop();
        expect(server.requests.length).toBe(0);
        for await (const event of events) {
          expect(event).toEqual({ type: 'text_delta', text: 'Hel' });
          break;
        }
        while (server.aborted === 0) await turnOfLoop();
      });
    },
  );

  verifies('model/bounds', 'the connection is kept for the next request, and a stale one is replaced', async () => {
    const sockets = new Set<unknown>();
    const server = http.createServer((request, response) => {
      sockets.add(request.socket);
      request.resume();
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(
        'data: {"choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
      );
      if (sockets.size === 1 && request.headers['x-last']) request.socket.destroySoon();
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const model = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    for (let i = 0; i < 3; i++) {
      expect((await readReply(model)).outcome.text).toBe('Hi');
      await turnOfLoop();
    }
    expect(sockets.size).toBe(1);
    // The server closes the kept connection in the very moment in which it is used again.
    for (const socket of sockets) (socket as import('node:net').Socket).resetAndDestroy();
    expect((await readReply(model)).outcome.text).toBe('Hi');
    expect(sockets.size).toBe(2);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  verifies('model/back-pressure', 'a reader that stops stops the server, and loses nothing', async () => {
    const piece = 'x'.repeat(2_000);
    const count = 20_000;
    let sent = 0;
    const server = http.createServer(async (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (; sent < count; sent++) {
        // Text and thinking in turn, so that nothing is merged.
        const delta = sent % 2 === 0 ? { content: piece } : { reasoning_content: piece };
        const more = response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n`);
        if (!more) await new Promise((resolve) => response.once('drain', resolve));
      }
      response.end('data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n');
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const model = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const events = model.stream(firstRequest, { signal: new AbortController().signal })[Symbol.asyncIterator]();
    const seen: ModelEvent[] = [];
    const take = async () => {
      const step = await events.next();
      if (!step.done) seen.push(step.value);
      return !step.done;
    };
    await take();
    let before = -1;
    while (before !== sent) {
      before = sent;
      await new Promise((resolve) => setTimeout(resolve, 40));
    }
    expect(sent).toBeLessThan(count);
    while (await take());
    const { outcome } = replyOf(seen);
    expect((outcome.text ?? '').length + (outcome.thinking ?? '').length).toBe(count * piece.length);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  verifies(
    'model/linear',
    'pieces of one call in one read become one event, and 20,000 pieces are read in linear time',
    async () => {
      const piece = 'abcdefgh"}{\\"[]'.slice(0, 8).padEnd(16, 'x');
      const measure = async (pieces: number) => {
        const text = `{"text":"${piece.repeat(pieces)}"}`;
        const reply = await answer({ calls: [{ name: 'write', arguments: text }], pieceChars: 16 });
        expect(reply.outcome.calls[0]?.arguments).toBe(text);
        return reply.events.length;
      };
      expect(await measure(20_000)).toBeLessThan(10_000);
    },
  );

  verifies('model/stream', 'usage, and a call before the stream ends', async () => {
    const step: ServerStep = {
      calls: [{ id: 'c', name: 'read', arguments: { p: 1 } }],
      usage: { inputTokens: 12, outputTokens: 3 },
      stall: true,
    };
    await withServer([step], async (server) => {
      const events = connect(server.openaiUrl).stream(firstRequest, { signal: new AbortController().signal });
      const seen: ModelEvent[] = [];
      for await (const event of events) {
        seen.push(event);
        if (event.type === 'tool_call_delta' && event.text.endsWith('}')) server.release();
      }
      const { end } = replyOf(seen);
      expect(end.usage).toEqual({ inputTokens: 12, outputTokens: 3 });
      expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
    });
  });

  verifies('model/no-false-end', 'arguments are held back until the name has come', async () => {
    const early = gpt.call({ index: 0, id: 'c', function: { arguments: '{"q":1}' } });
    const late = gpt.call({ index: 0, function: { name: 'search' } });
    const { events } = await answer({ openai: [early, { delayMs: 20 }, late, gpt.finish('tool_calls'), gpt.done] });
    expect(events.slice(0, 2)).toEqual([
      { type: 'tool_call_start', key: 0, id: 'c' },
      { type: 'tool_call_delta', key: 0, text: '{"q":1}', name: 'search' },
    ]);
  });

  verifies('model/history', 'a thought signature that came with a call is kept, and sent back with it', async () => {
    const extra = { google: { thought_signature: 'SIGNED' } };
    const head = gpt.call({ index: 0, id: 'c1', function: { name: 'read', arguments: '{}' }, extra_content: extra });
    await withServer([{ openai: [head, gpt.finish('tool_calls'), gpt.done] }, { text: 'Done.' }], async (server) => {
      const model = connect(server.openaiUrl);
      const { end } = await readReply(model);
      expect(end.provider).toBeDefined();
      const kept = end.provider ? { provider: end.provider } : {};
      await readReply(model, {
        ...firstRequest,
        messages: [
          ...firstRequest.messages,
          {
            id: 'm2',
            role: 'assistant',
            content: '',
            toolCalls: [{ id: 'c1', name: 'read', arguments: '{}' }],
            ...kept,
          },
          { id: 'm3', role: 'tool', toolCallId: 'c1', name: 'read', content: 'x', isError: false },
        ],
      });
      expect(server.problems).toEqual([]);
      expect(server.requests[1]?.text).toContain('"extra_content":{"google":{"thought_signature":"SIGNED"}}');
    });
  });
});
