import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { firstRequest, readReply, requestWith } from '../../test/contract/model-reply.ts';
import { verifies } from '../../test/verifies.ts';
import { createVirtualClock } from '../testing/virtual-clock.ts';
import { loadScript } from './load-script.ts';
import { createScriptedModel } from './scripted.ts';

async function withFile<T>(name: string, text: string, use: (file: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), 'toolwright-script-'));
  try {
    const file = path.join(folder, name);
    await writeFile(file, text);
    return await use(file);
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe('scripted model', () => {
  verifies(
    'model/scripted',
    'a step a request: texts, calls in pieces, ids as they are, ends as they are told',
    async () => {
      const model = createScriptedModel([
        {
          thinking: 'Hm.',
          text: 'Hi.',
          calls: [
            { name: 'read', arguments: { p: 1 } },
            { name: 'read', arguments: '{"p":', id: null, deltas: ['{"p"', ':2}'], ended: true },
          ],
          usage: { inputTokens: 1 },
        },
        { text: 'Cut', reason: 'length' },
        { text: 'Half', error: { message: 'overloaded', status: 529 } },
      ]);
      const first = await readReply(model);
      expect(first.outcome).toEqual({
        reason: 'tool_calls',
        thinking: 'Hm.',
        text: 'Hi.',
        calls: [
          { id: 'call_1_1', name: 'read', arguments: '{"p":1}' },
          { id: null, name: 'read', arguments: '{"p":2}' },
        ],
      });
      expect(first.told).toEqual([1]);
      expect((await readReply(model)).end.reason).toBe('length');
      expect((await readReply(model)).end.fault).toEqual({ message: 'overloaded', status: 529, retryable: true });
      model.assertDone();
      expect(model.requests.length).toBe(3);
    },
  );

  verifies('model/scripted', 'an unexpected request, an unmet expectation and an unused step are told', async () => {
    const few = createScriptedModel([{ text: 'a' }]);
    await readReply(few);
    expect((await readReply(few)).end).toMatchObject({ reason: 'error', fault: { retryable: false } });
    expect(() => few.assertDone()).toThrow('request 2 came, but the script has 1 steps');

    const many = createScriptedModel([{ text: 'a' }, { text: 'b' }]);
    await readReply(many);
    expect(() => many.assertDone()).toThrow('1 of 2 steps were not used');

    const wrong = createScriptedModel([
      { expect: { lastUserIncludes: 'Stop' } },
      { expect: { tools: ['read', 'fly'] } },
      {
        expect: () => {
          throw new Error('not like this');
        },
      },
    ]);
    for (const message of ['does not include "Stop"', 'not offered: fly', 'not like this']) {
      expect((await readReply(wrong)).end.fault?.message).toContain(message);
    }
    expect(() => wrong.assertDone()).toThrow('not like this');
  });

  verifies('model/scripted', 'expectations that are met, and a script that is not strict', async () => {
    const model = createScriptedModel([{ expect: { lastResultIncludes: 'seen', messages: 2 }, text: 'ok' }], {
      strict: false,
    });
    const request = requestWith([
      ...firstRequest.messages,
      { id: 't', role: 'tool', toolCallId: 'c', name: 'read', content: 'seen it', isError: false },
    ]);
    expect((await readReply(model, request)).outcome.text).toBe('ok');
    expect((await readReply(model)).end.reason).toBe('stop');
    model.assertDone();
  });

  verifies('model/scripted', 'pauses are on the clock, and an abort ends them', async () => {
    const clock = createVirtualClock();
    const model = createScriptedModel([{ delayMs: 60_000, text: 'late' }, { delayMs: 60_000 }], { clock });
    const reply = readReply(model);
    await clock.advance(60_000);
    expect((await reply).outcome.text).toBe('late');
    const controller = new AbortController();
    const stopped = readReply(model, firstRequest, controller.signal);
    await clock.advance(1);
    controller.abort();
    expect((await stopped).end.reason).toBe('aborted');
    expect(clock.pending).toBe(0);
  });

  verifies('model/script-file', 'YAML and JSON, a list or an object', async () => {
    const yaml = '- calls:\n    - name: read\n      arguments: {p: 1}\n- text: |\n    done\n';
    const loaded = await withFile('a.yaml', yaml, loadScript);
    expect(loaded.steps).toEqual([{ calls: [{ name: 'read', arguments: { p: 1 } }] }, { text: 'done\n' }]);
    expect(loaded.strict).toBe(true);
    const json = '{"id": "mine", "strict": false, "steps": [{"text": "hi", "delayMs": 5}]}';
    expect(await withFile('a.json', json, loadScript)).toEqual({
      id: 'mine',
      strict: false,
      steps: [{ text: 'hi', delayMs: 5 }],
    });
  });

  verifies('model/script-file', 'what is wrong is told with file and line', async () => {
    const told = async (text: string) => {
      const error = await withFile('bad.yaml', text, (file) => loadScript(file).catch((thrown) => thrown));
      return { code: error.code, message: String(error.message), hint: error.hint };
    };
    const unknown = await told('- text: a\n- txet: b\n');
    expect(unknown.message).toMatch(/bad\.yaml:2: 1: .*txet/);
    expect(unknown).toMatchObject({ code: 'invalid_request', hint: expect.stringContaining('list of steps') });
    expect((await told('- text: a\n  calls:\n    - name: 5\n')).message).toMatch(/bad\.yaml:3: 0\.calls\.0\.name: /);
    expect((await told('- text: "a\n')).message).toMatch(/bad\.yaml:\d+: /);
    expect((await told('hello')).message).toContain('bad.yaml:1: ');
    const missing = await loadScript('/nowhere/script.yaml').catch((error) => error);
    expect(missing).toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('/nowhere/script.yaml'),
    });
  });
});
