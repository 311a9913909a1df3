import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { trace } from '@opentelemetry/api';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { expect } from 'vitest';
import { randomId } from '../../src/core/index.ts';
import { createExecutor, createMasker } from '../../src/executor/index.ts';
import { createAuditLog } from '../../src/runtime/audit-log.ts';
import { defineTool, type Hook, prometheusText, type SessionOptions } from '../../src/runtime/index.ts';
import { createMetrics } from '../../src/runtime/metrics.ts';
import { createMemoryStore } from '../../src/store/index.ts';
import { createExecutionSession } from '../../src/testing/execution-session.ts';
import { createVirtualClock } from '../../src/testing/virtual-clock.ts';
import { verifies } from '../verifies.ts';
import { cli, withEnv } from './cli-world.ts';
import { collect, inWorld, scripted } from './runtime-world.ts';

const say = defineTool<{ text: string }>({
  name: 'say',
  description: 'Says it again.',
  input: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  traits: { readOnly: true },
  claims: () => [],
  async run({ text }) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    if (text === 'fail') throw new Error('it failed');
    return text;
  },
});
const change = defineTool<Record<string, unknown>>({
  name: 'change',
  description: 'Changes something.',
  input: { type: 'object' },
  run: () => 'changed',
});
const calls = [
  { name: 'say', input: { text: 'a' } },
  { name: 'say', input: { text: 'fail' } },
  { name: 'change', input: {} },
  { name: 'made_up_by_the_model', input: {} },
];
const meter: Hook = { name: 'meter', match: 'say', after: () => ({ metrics: { characters: 3 } }) };

verifies('runtime/metrics', 'by tool, model and agent, with cost only where the price is known', () =>
  inWorld(async ({ project, runtime }) => {
    const prices = { 'test/scripted': { input: 2, output: 10 } };
    await writeFile(join(project, 'toolwright.json'), JSON.stringify({ prices }));
    const made = await runtime({ tools: [say, change], hooks: [meter] });
    const session = await made.session({ model: scripted(calls, 'done') });
    await collect(session.run('Go.'));
    const { tools, models, agents } = made.metrics();
    expect(tools['say']).toMatchObject({ calls: { count: 2 }, errors: { failed: 1 }, denials: 0 });
    expect(tools['say']?.measured).toEqual({ characters: 6 });
    expect(tools['say']?.calls.p95Ms).toBeGreaterThan(0);
    expect(tools['change']).toMatchObject({ denials: 1, errors: { denied: 1 } });
    expect(tools['unknown']).toMatchObject({ errors: { unknown_tool: 1 } });
    expect(tools['made_up_by_the_model']).toBeUndefined();
    expect(models['test/scripted']).toMatchObject({ replies: { count: 2 }, inputTokens: 20, outputTokens: 6 });
    expect(models['test/scripted']?.costUsd).toBeCloseTo((20 * 2 + 6 * 10) / 1e6);
    expect(agents['main']).toMatchObject({ runs: 1, ends: { stop: 1 }, calls: 4, inputTokens: 20 });
    const text = prometheusText(made.metrics());
    expect(text).toContain('# TYPE toolwright_tool_duration_seconds summary\n');
    expect(text).toContain('toolwright_tool_duration_seconds_count{tool="say"} 2\n');
    expect(text).toContain('toolwright_tool_errors_total{tool="change",code="denied"} 1\n');
    for (const line of text.trimEnd().split('\n')) {
      expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+\{\w+="[^"]*"(,\w+="[^"]*")*\} \d+(\.\d+)?(e-\d+)?)$/);
    }
  }),
);

verifies('runtime/metrics', 'percentiles, retries and unknown prices; names are bounded', () => {
  const metrics = createMetrics({});
  const observer = metrics.observe({ id: 's', agentName: 'main' }, createMasker({ values: [] }));
  const reply = { model: 'm', startedAt: 0, usage: { inputTokens: 5 } };
  for (let ms = 1; ms <= 100; ms++) observer.reply({ ...reply, endedAt: ms, reason: 'stop' });
  observer.reply({ ...reply, endedAt: 1, reason: 'error' });
  observer.event({ type: 'error', code: 'unavailable', message: '', retryable: true });
  const { m } = metrics.read().models;
  expect(m).toMatchObject({ replies: { count: 101, p50Ms: 50, p95Ms: 95 }, errors: 1, retries: 1, inputTokens: 505 });
  expect(m && 'costUsd' in m).toBe(false);
  for (let at = 0; at < 2_000; at++) observer.reply({ ...reply, model: `m${at}`, endedAt: 1, reason: 'stop' });
  expect(Object.keys(metrics.read().models).length).toBeLessThanOrEqual(257);
  expect(prometheusText({ tools: {}, models: {}, agents: {} })).toBe('');
  expect(prometheusText(createMetrics({}).read())).toBe('');
});

async function withSpans(env: Record<string, string>, provided: boolean, options: SessionOptions = {}, turn = calls) {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  if (provided) trace.setGlobalTracerProvider(provider);
  try {
    await inWorld(async (world) => {
      const made = await world.runtime({ env: { ...world.env, ...env }, tools: [say, change] });
      const two = await Promise.all([made.session({ id: 'one' }), made.session({ id: 'two' })]);
      await made.close();
      expect(two.length).toBe(2);
      const again = await world.runtime({ env: { ...world.env, ...env }, tools: [say, change] });
      await Promise.all(
        ['one', 'two'].map(async (id) => {
          const session = await again.session({ ...options, id, model: scripted(turn, 'done') });
          await collect(session.run('Go.'));
        }),
      );
    });
    return exporter.getFinishedSpans();
  } finally {
    trace.disable();
    await provider.shutdown();
  }
}

verifies('runtime/telemetry', 'spans of two parallel runs hang together, without content', async () => {
  const spans = await withSpans({}, true);
  const agents = spans.filter((span) => span.name === 'invoke_agent main');
  expect(agents.length).toBe(2);
  for (const agent of agents) {
    expect(agent.parentSpanContext).toBeUndefined();
    const own = spans.filter((span) => span.parentSpanContext?.spanId === agent.spanContext().spanId);
    expect(own.map((span) => span.name).sort()).toEqual([
      'chat scripted',
      'chat scripted',
      'execute_tool change',
      'execute_tool made_up_by_the_model',
      'execute_tool say',
      'execute_tool say',
    ]);
    expect(new Set(own.map((span) => span.attributes['gen_ai.conversation.id'])).size).toBe(1);
    const errors = own.map((span) => span.attributes['error.type']).filter((type) => type !== undefined);
    expect(errors.sort()).toEqual(['denied', 'failed', 'unknown_tool']);
    const chat = own.find((span) => span.name === 'chat scripted');
    expect(chat?.attributes).toMatchObject({ 'gen_ai.operation.name': 'chat', 'gen_ai.provider.name': 'test' });
    const tool = own.find((span) => span.name === 'execute_tool say');
    expect(tool?.attributes).toMatchObject({ 'gen_ai.tool.name': 'say', 'gen_ai.tool.type': 'function' });
    expect(tool?.attributes['gen_ai.tool.call.id']).toBeTruthy();
  }
  const keys = spans.flatMap((span) => Object.keys(span.attributes));
  expect(keys.filter((key) => /arguments|result|message/.test(key))).toEqual([]);
});

verifies('runtime/telemetry', 'content only when asked for; nothing without a provider', async () => {
  const spans = await withSpans({ OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true' }, true);
  const said = spans.find((span) => span.attributes['gen_ai.tool.call.arguments'] === '{"text":"a"}');
  expect(said?.attributes['gen_ai.tool.call.result']).toBe('"a"');
  expect(await withSpans({}, false)).toEqual([]);
});

verifies('runtime/telemetry', 'a secret that only the session has is masked in them', async () => {
  const text = 's3cret-of-the-session';
  const env = { OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true' };
  const spans = await withSpans(env, true, { env: [`MY_TOKEN=${text}`] }, [{ name: 'say', input: { text } }]);
  expect(JSON.stringify(spans.map(({ attributes }) => attributes))).toContain('[masked]');
  expect(JSON.stringify(spans.map(({ attributes }) => attributes))).not.toContain(text);
});

verifies('runtime/audit', 'rules, hooks and people are named, and effects come after their rows', () =>
  inWorld(async ({ project, env, runtime }) => {
    const judge: Hook = {
      name: 'judge',
      before: ({ input }) => ((input as { text?: string }).text === 'fail' ? { block: 'no failing' } : undefined),
    };
    const made = await runtime({ tools: [say, change], hooks: [judge] });
    const session = await made.session({
      id: 's',
      model: scripted(calls, [{ name: 'change', input: { again: true } }], 'done'),
      onAsk: async ({ input }) =>
        Object.keys(input as object).length === 0 ? { outcome: 'denied', reason: 'not now' } : { outcome: 'approved' },
    });
    await collect(session.run('Go.'));
    const rows = (await made.audit.list({ session: 's' })).map(
      ({ tool, event, effect, layer, hook, outcome }) => `${tool} ${event} ${effect ?? outcome} ${layer} ${hook}`,
    );
    expect(rows.sort()).toEqual([
      'change decision allow person null',
      'change decision ask mode null',
      'change decision ask mode null',
      'change decision deny person null',
      'change ended denied null null',
      'change ended ok null null',
      'change started null null null',
      'made_up_by_the_model ended unknown_tool null null',
      'say decision allow mode null',
      'say decision deny hook judge',
      'say ended blocked null null',
      'say ended ok null null',
    ]);
    expect(await made.audit.verify()).toEqual({ rows: 12 });
    await made.close();
    await withEnv(env, async () => {
      const shown = await cli(['audit', '--session', 's', '--limit', '2', '--json', '--cwd', project]);
      expect(shown.json<unknown[]>()).toMatchObject([{ event: 'started' }, { event: 'ended', outcome: 'ok' }]);
      const proved = await cli(['audit', '--verify', '--json', '--cwd', project]);
      expect([proved.code, proved.json()]).toEqual([0, { ok: true, rows: 12 }]);
      const { default: Driver } = await import('better-sqlite3');
      const database = new Driver(join(env['TOOLWRIGHT_HOME'] ?? '', 'toolwright.db'));
      database.exec("UPDATE agent_audit_log SET effect = 'allow' WHERE seq = 4");
      database.close();
      const broken = await cli(['audit', '--verify', '--cwd', project]);
      expect(broken.code).toBe(1);
      expect(broken.out).toContain('broken at row 4 (changed)');
    });
  }),
);

verifies('runtime/audit', 'a call with an effect does not run when its row cannot be kept', async () => {
  const clock = createVirtualClock();
  const { audit } = createMemoryStore({ clock });
  const store = { ...audit, append: () => Promise.reject(new Error('disk full')) };
  const told: string[] = [];
  const { of, flush } = createAuditLog({
    store,
    clock,
    log: (_level, message) => void told.push(message),
  });
  let ran = 0;
  const tool: typeof change = { ...change, run: () => `${++ran}` };
  const executor = createExecutor({ clock, newId: randomId });
  const session = createExecutionSession([tool, say], {
    audit: of({ id: 's', agentName: 'main' }, createMasker({ values: [] })),
  });
  const [result] = await executor.execute([{ name: 'change', arguments: {} }], session).results;
  await flush();
  expect(result?.error?.code).toBe('internal');
  expect(ran).toBe(0);
  expect(told.length).toBeGreaterThan(0);
});
