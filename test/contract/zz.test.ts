import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { test, expect } from 'vitest';
import { checkTranscript } from '../../src/core/index.ts';
import { createOpenAiCompatible, fromAiSdk } from '../../src/model/index.ts';
import { modelFixtures } from '../../src/testing/model-fixtures.ts';
import { startModelServer } from '../../src/testing/model-server.ts';
import { inWorld } from '../scenario/runtime-world.ts';
import { defineTool } from '../../src/core/index.ts';

for (const path of ['own', 'sdk', 'claude'] as const)
  for (const fixture of modelFixtures.filter((f) => path !== 'claude' || f.anthropic))
    test(`${path} ${fixture.name}`, async () => {
      await inWorld(async (world) => {
        const server = await startModelServer({ script: (_r, n) => (n === 1 ? fixture : { text: 'done' }) });
        const model = path === 'own' ? createOpenAiCompatible({ id: 'l/m', model: 'm', baseUrl: server.openaiUrl })
          : path === 'sdk' ? fromAiSdk(createOpenAICompatible({ name: 'l', baseURL: server.openaiUrl })('m'))
          : fromAiSdk(createAnthropic({ apiKey: 'x', baseURL: server.anthropicUrl })('claude-sonnet-4-5'));
        const ran: string[] = [];
        const tool = (name: string, readOnly: boolean) => defineTool({ name, description: name, input: { type: 'object' }, traits: { readOnly }, run: (input: unknown) => { ran.push(`${name} ${JSON.stringify(input)}`); return 'ok'; } });
        const runtime = await world.runtime({ model, tools: ['now', 'read', 'search'].map((n) => tool(n, true)).concat(tool('write', false)), permissionMode: 'open' } as never);
        const session = await runtime.session({} as never);
        const events: any[] = [];
        for await (const e of session.run('Go.')) events.push(e);
        const end = events.findLast((e) => e.type === 'run_end');
        const messages = (session as any).messages ?? [];
        console.log(path, fixture.name, '|', end?.reason, end?.error?.message ?? '', '|', ran.join(', '), '|', server.problems.join(';'), server.requests.length);
        expect(server.problems).toEqual([]);
        await server.close();
      });
    });
