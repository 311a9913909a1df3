import { describe, expect } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { startModelServer } from './model-server.ts';
import { checkAnthropicRequest } from './model-server-check-anthropic.ts';
import { checkOpenAiRequest } from './model-server-check-openai.ts';

const user = { role: 'user', content: 'Go.' };
const gptCall = (id: string, args = '{}', name = 'read') => ({
  id,
  type: 'function',
  function: { name, arguments: args },
});
const gptCalls = (...calls: unknown[]) => ({ role: 'assistant', content: null, tool_calls: calls });
const gptResult = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'x' });
const use = (id: string, input: unknown = {}) => ({ type: 'tool_use', id, name: 'read', input });
const uses = (...blocks: unknown[]) => ({ role: 'assistant', content: blocks });
const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'x' });
const results = (...blocks: unknown[]) => ({ role: 'user', content: blocks });

describe('model server', () => {
  verifies('model/server', 'finds what OpenAI would refuse', () => {
    const check = (...messages: unknown[]) => checkOpenAiRequest({ model: 'm', messages }).join('; ');
    expect(check(user, gptCalls(gptCall('a'), gptCall('b')), gptResult('a'), gptResult('b'), user)).toBe('');
    expect(check(user, gptCalls(gptCall('a')), user)).toContain('before the results of a');
    expect(check(user, gptCalls(gptCall('a')))).toContain('no results for a');
    expect(check(user, gptCalls(gptCall('a'), gptCall('b')), gptResult('b'), gptResult('a'))).toContain('before a');
    expect(check(user, gptCalls(gptCall('a')), gptResult('a'), gptResult('a'))).toContain('not an open call');
    expect(check(user, gptResult('a'))).toContain('not an open call');
    expect(check(user, gptCalls(gptCall('a'), gptCall('a')), gptResult('a'))).toContain('used before');
    expect(check(user, gptCalls(gptCall('')), gptResult(''))).toContain('no id');
    expect(check(user, gptCalls(gptCall('x'.repeat(41))), gptResult('x'.repeat(41)))).toContain('40 characters');
    expect(check(user, gptCalls(gptCall('a', '[1]')), gptResult('a'))).toContain('text of an object');
    expect(check(user, gptCalls(gptCall('a', '{}', 'a.b')), gptResult('a'))).toContain('bad name');
    expect(check(user, { role: 'assistant', content: '' })).toContain('neither content nor calls');
    expect(checkOpenAiRequest({ model: 'm', messages: [user], tools: [] })).toEqual(['tools is not a filled list']);
  });

  verifies('model/server', 'finds what Anthropic would refuse', () => {
    const check = (...messages: unknown[]) => checkAnthropicRequest({ model: 'm', max_tokens: 9, messages }).join('; ');
    expect(check(user, uses(use('a'), use('b')), results(result('b'), result('a'), { type: 'text', text: 'x' }))).toBe(
      '',
    );
    expect(check(user, uses(use('a')), results({ type: 'text', text: 'x' }, result('a')))).toContain(
      'after other content',
    );
    expect(check(user, uses(use('a')), user)).toContain('no result for a');
    expect(check(user, results(result('a')))).toContain('answers no call');
    expect(check(uses({ type: 'text', text: 'Hi' }))).toContain('not of role user');
    expect(check(user, uses(use('a:1')), results(result('a:1')))).toContain('not legal');
    expect(check(user, uses(use('a', '{}')), results(result('a')))).toContain('not an object');
    expect(check(user, uses({ type: 'text', text: ' ' }))).toContain('empty text');
  });

  verifies('model/server', 'a request beyond the script is a problem, and close ends what is open', async () => {
    const server = await startModelServer({ script: [{ text: 'a', stall: true }] });
    const post = () =>
      fetch(`${server.openaiUrl}/chat/completions`, {
        method: 'POST',
        body: JSON.stringify({ model: 'm', messages: [user] }),
      });
    const open = (await post()).text().catch((error: Error) => error);
    await server.stalled();
    expect((await post()).status).toBe(400);
    expect(server.problems).toEqual(['request 2 came, but the script has no step for it']);
    await server.close();
    expect(await open).toBeInstanceOf(Error);
  });
});
