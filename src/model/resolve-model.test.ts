import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { firstRequest, readReply } from '../../test/contract/model-reply.ts';
import { verifies } from '../../test/verifies.ts';
import { systemClock } from '../core/index.ts';
import { startModelServer } from '../testing/model-server.ts';
import { type ModelSettings, resolveModel } from './resolve-model.ts';

const settings = (env: ModelSettings['env'] = {}, models: ModelSettings['models'] = {}): ModelSettings => ({
  env,
  models,
  clock: systemClock,
  cwd: tmpdir(),
});
const refused = async (spec: string, given = settings()) => resolveModel(spec, given).catch((error) => error);

describe('resolveModel', () => {
  verifies('model/resolve', 'each provider reaches its address with its key', async () => {
    const server = await startModelServer({ script: () => ({ text: 'Hi.' }) });
    const { url, openaiUrl } = server;
    const models = {
      mine: { baseUrl: openaiUrl, apiKeyEnv: 'MY_KEY', model: 'big', contextWindow: 1_000, headers: { 'x-a': 'b' } },
      bare: { baseUrl: openaiUrl, vendor: 'qwen' },
    };
    const env = {
      OPENAI_BASE_URL: openaiUrl,
      OPENAI_API_KEY: 'key-openai',
      DASHSCOPE_BASE_URL: openaiUrl,
      DASHSCOPE_API_KEY: 'key-dashscope',
      DEEPSEEK_BASE_URL: `${openaiUrl}/`,
      DEEPSEEK_API_KEY: 'key-deepseek',
      OLLAMA_BASE_URL: openaiUrl,
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: 'key-anthropic',
      MY_KEY: 'key-mine',
    };
    const seen: unknown[] = [];
    for (const spec of [
      'openai/a/b',
      'dashscope/q',
      'deepseek/d',
      'ollama/o',
      'anthropic/claude-x',
      'mine',
      'mine/small',
      'bare',
    ]) {
      const model = await resolveModel(spec, settings(env, models));
      expect(model.id).toBe(spec);
      const request = { ...firstRequest, options: { thinking: true } };
      expect((await readReply(model, request)).outcome.text).toBe('Hi.');
      const last = server.requests.at(-1);
      const body = last?.body as Record<string, unknown>;
      const key = last?.headers.authorization ?? last?.headers['x-api-key'];
      seen.push([last?.path, body.model, key, body.enable_thinking]);
    }
    const chat = '/v1/chat/completions';
    expect(seen).toEqual([
      [chat, 'a/b', 'Bearer key-openai', undefined],
      [chat, 'q', 'Bearer key-dashscope', true],
      [chat, 'd', 'Bearer key-deepseek', undefined],
      [chat, 'o', undefined, undefined],
      ['/v1/messages', 'claude-x', 'key-anthropic', undefined],
      [chat, 'big', 'Bearer key-mine', undefined],
      [chat, 'small', 'Bearer key-mine', undefined],
      [chat, 'bare', undefined, true],
    ]);
    expect((await resolveModel('mine', settings(env, models))).contextWindow).toBe(1_000);
    expect((await resolveModel('google/gemini', settings({ GEMINI_API_KEY: 'k' }))).id).toBe('google/gemini');
    await server.close();
  });

  verifies('model/resolve', 'a missing key, an unknown provider and a broken entry say what to set', async () => {
    expect(await refused('openai/gpt')).toMatchObject({
      code: 'invalid_request',
      message: 'the model openai/gpt needs a key',
      hint: expect.stringContaining('OPENAI_API_KEY'),
    });
    expect((await refused('anthropic/claude')).hint).toContain('ANTHROPIC_API_KEY');
    expect((await refused('google/gemini')).hint).toContain('GEMINI_API_KEY');
    expect((await refused('opanai/gpt')).hint).toContain('did you mean openai?');
    expect((await refused('nonsense')).message).toBe('there is no model nonsense');
    expect((await refused('openai', settings({ OPENAI_API_KEY: 'k' }))).hint).toContain('openai/');
    expect((await refused('__proto__/x')).code).toBe('invalid_request');
    const models = { broken: { baseUrl: 5 }, keyless: { baseUrl: 'http://127.0.0.1:1/v1', apiKeyEnv: 'NO_SUCH' } };
    expect((await refused('broken', settings({}, models))).message).toContain('models.broken.baseUrl');
    expect((await refused('keyless', settings({}, models))).hint).toContain('NO_SUCH');
    expect((await refused('openai/a', settings({ OPENAI_BASE_URL: 'nowhere' }))).message).toContain('nowhere');
  });

  verifies('model/resolve', 'manual, and a script relative to the folder', async () => {
    expect((await resolveModel('manual', settings())).id).toBe('manual');
    const cwd = await mkdtemp(path.join(tmpdir(), 'toolwright-resolve-'));
    await writeFile(path.join(cwd, 's.yaml'), '- text: from the script\n');
    const model = await resolveModel('script:s.yaml', { ...settings(), cwd });
    expect(model.id).toBe('script:s.yaml');
    expect((await readReply(model)).outcome.text).toBe('from the script');
    await rm(cwd, { recursive: true });
  });
});
