import type { Reply } from '../agent/index.ts';
import type { RunEndReason, Usage } from '../core/index.ts';
import type { Observe } from './observer.ts';
import { createFamily, createSeries, type Durations } from './series.ts';

/** US dollars for a million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
  /** Of input that came from the provider's cache. Default: as `input`. */
  readonly cachedInput?: number;
}

export interface ToolMetrics {
  readonly calls: Durations;
  /** Calls that ended with an error, by its code. */
  readonly errors: Readonly<Record<string, number>>;
  /** Refused by rules, hooks or a person. */
  readonly denials: number;
  /** What hooks measured: sums by name. */
  readonly measured: Readonly<Record<string, number>>;
}

export interface ModelMetrics {
  readonly replies: Durations;
  readonly errors: number;
  /** Replies that were asked for again. */
  readonly retries: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedInputTokens: number;
  /** Absent when the settings know no price of the model. */
  readonly costUsd?: number;
}

export interface AgentMetrics {
  readonly runs: number;
  readonly ends: Readonly<Partial<Record<RunEndReason, number>>>;
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedInputTokens: number;
  /** Absent when a model of the agent has no known price. */
  readonly costUsd?: number;
}

/** Since the runtime was made. */
export interface Metrics {
  readonly tools: Readonly<Record<string, ToolMetrics>>;
  readonly models: Readonly<Record<string, ModelMetrics>>;
  readonly agents: Readonly<Record<string, AgentMetrics>>;
}

const DENIALS = new Set(['denied', 'blocked', 'unanswered']);
/** Names that a model made up are counted together. */
const UNKNOWN = 'unknown';

const newTokens = () => ({ inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, costUsd: 0, isPriced: true });

/** Counts what the sessions of a runtime do. Names are bounded, so that no model can fill the memory. */
export function createMetrics(prices: Readonly<Record<string, Price>>) {
  const tools = createFamily(() => ({
    calls: createSeries(),
    errors: createFamily(() => ({ count: 0 }), 32),
    denials: 0,
    measured: createFamily(() => ({ sum: 0 }), 32),
  }));
  const models = createFamily(() => ({ replies: createSeries(), errors: 0, retries: 0, ...newTokens() }));
  const agents = createFamily(() => ({
    runs: 0,
    calls: 0,
    ends: createFamily(() => ({ count: 0 }), 16),
    ...newTokens(),
  }));

  const observe: Observe = ({ agentName }) => {
    let last: ReturnType<typeof models.of> | undefined;
    return {
      event(event) {
        // Told right after the reply that is asked for again.
        if (event.type === 'error' && event.retryable && last) last.retries++;
        if (event.type === 'run_start') agents.of(agentName).runs++;
        if (event.type === 'run_end') agents.of(agentName).ends.of(event.reason).count++;
        if (event.type !== 'tool_result') return;
        const { name, durationMs, error } = event.result;
        const tool = tools.of(error?.code === 'unknown_tool' ? UNKNOWN : name);
        tool.calls.add(durationMs);
        agents.of(agentName).calls++;
        if (!error) return;
        tool.errors.of(error.code).count++;
        if (DENIALS.has(error.code)) tool.denials++;
      },
      reply(reply) {
        const model = models.of(reply.model);
        model.replies.add(reply.endedAt - reply.startedAt);
        if (reply.reason === 'error') model.errors++;
        last = model;
        const cost = costOf(reply, prices);
        for (const total of [model, agents.of(agentName)]) addUsage(total, reply.usage, cost);
      },
      measured(tool, values) {
        for (const [name, value] of Object.entries(values)) {
          if (Number.isFinite(value)) tools.of(tool).measured.of(name).sum += value;
        }
      },
    };
  };

  const read = (): Metrics => ({
    tools: record(tools.entries(), ({ calls, errors, denials, measured }) => ({
      calls: calls.read(),
      errors: record(errors.entries(), ({ count }) => count),
      denials,
      measured: record(measured.entries(), ({ sum }) => sum),
    })),
    models: record(models.entries(), ({ replies, errors, retries, ...totals }) => ({
      replies: replies.read(),
      errors,
      retries,
      ...tokensOf(totals),
    })),
    agents: record(agents.entries(), ({ runs, calls, ends, ...totals }) => ({
      runs,
      calls,
      ends: record(ends.entries(), ({ count }) => count),
      ...tokensOf(totals),
    })),
  });
  return { observe, read };
}

type Totals = ReturnType<typeof newTokens>;

/** Cached input is a part of the input. */
function costOf({ model, usage }: Reply, prices: Readonly<Record<string, Price>>): number | undefined {
  if (!Object.hasOwn(prices, model)) return undefined;
  const { input, output, cachedInput = input } = prices[model] as Price;
  const cached = Math.min(usage.cachedInputTokens ?? 0, usage.inputTokens ?? 0);
  const fresh = (usage.inputTokens ?? 0) - cached;
  return (fresh * input + cached * cachedInput + (usage.outputTokens ?? 0) * output) / 1_000_000;
}

function addUsage(total: Totals, usage: Usage, cost: number | undefined): void {
  total.inputTokens += usage.inputTokens ?? 0;
  total.outputTokens += usage.outputTokens ?? 0;
  total.cachedInputTokens += usage.cachedInputTokens ?? 0;
  if (cost === undefined) total.isPriced = false;
  else total.costUsd += cost;
}

function tokensOf({ inputTokens, outputTokens, cachedInputTokens, costUsd, isPriced }: Totals) {
  return { inputTokens, outputTokens, cachedInputTokens, ...(isPriced ? { costUsd } : {}) };
}

function record<Value, Read>(entries: readonly (readonly [string, Value])[], read: (value: Value) => Read) {
  return Object.fromEntries(entries.map(([name, value]) => [name, read(value)] as const));
}
