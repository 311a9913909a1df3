import { describe, expect } from 'vitest';
import { textOf } from '../../src/core/index.ts';
import { type FixtureOutcome, type ModelFixture, modelFixtures } from '../../src/testing/model-fixtures.ts';
import { verifies } from '../verifies.ts';
import {
  discardedTurns,
  expectSound,
  keptCalls,
  type Path,
  pathNames,
  play,
  resultsOf,
  TOOLS,
  whatRan,
} from './run-world.ts';

type Call = FixtureOutcome['calls'][number];

/** What is no JSON, and is mended before it runs. */
const MENDED: Readonly<Record<string, unknown>> = { '': {}, '{"q":"abc",}': { q: 'abc' } };

/** The whole input that these arguments say; undefined when they were cut. */
function inputOf({ arguments: text }: Call): unknown {
  if (Object.hasOwn(MENDED, text)) return MENDED[text];
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isWhole = (call: Call) => call.arguments !== '' && inputOf(call) !== undefined;

/**
 * The rule of early dispatch, over what a fixture says that came: the calls that are given to the executor.
 * Behind `surely` stand those of a broken reply whose end may have been seen before the break, or not.
 */
function dispatched(fixture: ModelFixture, path: Path, effectful: readonly string[]) {
  const { expected } = fixture;
  const lossy = path === 'AI SDK' ? fixture.throughAiSdk : undefined;
  const { reason } = lossy ?? expected;
  if (reason === 'stop' || reason === 'tool_calls') return { calls: expected.calls, surely: expected.calls.length };
  const whole = prefix(expected.calls, isWhole);
  const last = expected.calls.length - 1;
  const left = prefix(whole, (call, place) => place < last || !effectful.includes(call.name ?? ''));
  // The AI SDK lets go of what it has not passed on when the connection breaks.
  const mayLose = path !== 'own' && fixture.openai.some((piece) => 'cut' in piece);
  return { calls: lossy || path === 'Anthropic' ? whole : left, surely: lossy || mayLose ? 0 : left.length };
}

function prefix(calls: readonly Call[], test: (call: Call, place: number) => boolean): readonly Call[] {
  const end = calls.findIndex((call, place) => !test(call, place));
  return end < 0 ? calls : calls.slice(0, end);
}

async function check(fixture: ModelFixture, path: Path, effectful: readonly string[]): Promise<void> {
  const played = await play({
    path,
    effectful,
    script: (_request, number) => (number === 1 ? fixture : { text: 'The end.' }),
  });
  expectSound(played);
  const { events, messages, ran, server } = played;
  const outcome = (path === 'AI SDK' ? fixture.throughAiSdk : undefined) ?? fixture.expected;
  const { calls, surely } = dispatched(fixture, path, effectful);
  const isKnown = ({ name }: Call) => TOOLS.some((tool) => tool === name);
  const isBroken = outcome.reason === 'error';
  const given = isBroken ? calls.slice(0, Math.max(surely, ran.length)) : calls;
  expect(whatRan(ran)).toEqual(given.filter(isKnown).map((call) => ({ name: call.name, input: inputOf(call) })));

  // The calls that the conversation keeps: what was given, and under the output limit what it cut.
  const kept = outcome.reason === 'length' ? outcome.calls : given;
  expect(keptCalls(messages).map((call) => call.name)).toEqual(kept.map((call) => call.name));
  for (const [place, call] of kept.entries()) {
    const text = textOf(resultsOf(messages)[place]?.content ?? '');
    if (!given.includes(call)) expect(text).toContain('invalid_json');
    else if (!isKnown(call)) expect(text).toContain('unknown_tool');
    else expect(text.split('\n')[0]).toBe(`${call.name} ran`);
  }

  // A broken reply is asked again, unless it will break again.
  const isFinal = fixture.name === 'content-filter';
  expect(events.at(-1)).toMatchObject({ type: 'run_end', reason: isFinal ? 'error' : 'stop' });
  expect(server.requests).toHaveLength(!isFinal && (isBroken || kept.length > 0) ? 2 : 1);
  expect(discardedTurns(events)).toBe(isBroken && kept.length === 0 ? 1 : 0);
  if (isBroken || outcome.text === undefined) return;
  expect(messages.find((message) => message.role === 'assistant')?.content).toBe(outcome.text);
}

for (const path of pathNames) {
  describe(path, () => {
    for (const fixture of modelFixtures.filter((entry) => path !== 'Anthropic' || entry.anthropic)) {
      verifies('runtime/streams', `${fixture.name}: ${fixture.what}`, () => check(fixture, path, ['write']));
      if (fixture.expected.calls.length === 0) continue;
      verifies('runtime/streams', `${fixture.name}, when every tool has effects`, () => check(fixture, path, TOOLS));
    }
  });
}
