import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { describe, expect } from 'vitest';
import type { Model } from '../../src/core/index.ts';
import { createOpenAiCompatible, fromAiSdk } from '../../src/model/index.ts';
import { type FixtureOutcome, type ModelFixture, modelFixtures } from '../../src/testing/model-fixtures.ts';
import { type ModelServer, startModelServer } from '../../src/testing/model-server.ts';
import { verifies } from '../verifies.ts';
import { type Reply, readReply } from './model-reply.ts';

const own = (server: ModelServer): Model =>
  createOpenAiCompatible({ id: 'local/m', model: 'm', baseUrl: server.openaiUrl });
const sdk = (server: ModelServer): Model =>
  fromAiSdk(createOpenAICompatible({ name: 'local', baseURL: server.openaiUrl, includeUsage: true })('m'));
const claude = (server: ModelServer): Model =>
  fromAiSdk(createAnthropic({ apiKey: 'none', baseURL: server.anthropicUrl })('claude-sonnet-4-5'));

async function through(
  connect: (server: ModelServer) => Model,
  fixture: ModelFixture,
  splitBytes?: number,
): Promise<Reply> {
  const server = await startModelServer({ script: [fixture], ...(splitBytes ? { splitBytes } : {}) });
  try {
    const reply = await readReply(connect(server));
    expect(server.problems).toEqual([]);
    return reply;
  } finally {
    await server.close();
  }
}

function expectOutcome(reply: Reply, expected: FixtureOutcome, exactCalls: boolean): void {
  const { outcome, end, told } = reply;
  expect(outcome.reason).toBe(expected.reason);
  if (expected.text !== undefined) expect(outcome.text).toBe(expected.text);
  if (expected.thinking !== undefined) expect(outcome.thinking).toBe(expected.thinking);
  if (expected.reason === 'error') {
    expect(end.fault?.message).toBeTruthy();
    expect(told).toEqual([]);
  }
  if (expected.reason === 'length') expect(told).toEqual([]);
  if (expected.reason === 'error' && !exactCalls) return;
  expect(outcome.calls.map(({ name, arguments: text }) => ({ name, text }))).toEqual(
    expected.calls.map(({ name, arguments: text }) => ({ name, text })),
  );
  for (const [place, call] of expected.calls.entries()) {
    if (call.id !== undefined) expect(outcome.calls[place]?.id).toBe(call.id);
  }
}

describe('own client', () => {
  for (const fixture of modelFixtures) {
    verifies('model/stream', `${fixture.name}: ${fixture.what}`, async () => {
      expectOutcome(await through(own, fixture), fixture.expected, fixture.expected.calls.length > 0);
    });
    verifies('model/stream', `${fixture.name}, in writes of 7 bytes`, async () => {
      expectOutcome(await through(own, fixture, 7), fixture.expected, fixture.expected.calls.length > 0);
    });
  }
});

describe('AI SDK, OpenAI-compatible', () => {
  for (const fixture of modelFixtures) {
    verifies('model/stream', `${fixture.name} through the adapter`, async () => {
      expectOutcome(await through(sdk, fixture), fixture.throughAiSdk ?? fixture.expected, false);
    });
  }
});

describe('AI SDK, Anthropic', () => {
  for (const fixture of modelFixtures.filter((entry) => entry.anthropic)) {
    verifies('model/stream', `${fixture.name} from a server that speaks Anthropic`, async () => {
      const { outcome, told, end } = await through(claude, fixture);
      const { expected } = fixture;
      expect(outcome.reason).toBe(expected.reason);
      if (expected.reason === 'error') expect(end.fault?.message).toBeTruthy();
      const shown = outcome.calls.map(({ name, arguments: text }) => ({ name, arguments: text }));
      // Where a stream breaks, the socket may take the last pieces with it.
      if (expected.reason !== 'error') expect(shown).toEqual(expected.calls);
      if (expected.text !== undefined) expect(outcome.text).toBe(expected.text);
      if (expected.thinking !== undefined) expect(outcome.thinking).toBe(expected.thinking);
      // A call that the provider ended before the break is whole; an open one is not.
      if (expected.reason !== 'tool_calls') {
        expect(told.map((key) => JSON.parse(shown[key]?.arguments ?? ''))).toEqual(told.map(() => ({ q: 'abc' })));
      }
    });
  }
});
