import type { Metrics } from './metrics.ts';
import type { Durations } from './series.ts';

type Labels = Readonly<Record<string, string>>;

/** The metrics in Prometheus' text format, version 0.0.4. */
export function prometheusText({ tools, models, agents }: Metrics): string {
  const lines: string[] = [];
  const family = (name: string, type: 'counter' | 'summary', help: string, write: (name: string) => string[]) => {
    const values = write(`toolwright_${name}`);
    if (values.length > 0)
      lines.push(`# HELP toolwright_${name} ${help}`, `# TYPE toolwright_${name} ${type}`, ...values);
  };
  const toolList = Object.entries(tools);
  const modelList = Object.entries(models);
  const agentList = Object.entries(agents);

  family('tool_duration_seconds', 'summary', 'Run time of calls.', (name) =>
    toolList.flatMap(([tool, { calls }]) => summary(name, { tool }, calls)),
  );
  family('tool_errors_total', 'counter', 'Calls that ended with an error.', (name) =>
    toolList.flatMap(([tool, { errors }]) =>
      Object.entries(errors).map(([code, count]) => line(name, { tool, code }, count)),
    ),
  );
  family('tool_denials_total', 'counter', 'Calls refused by rules, hooks or a person.', (name) =>
    toolList.map(([tool, { denials }]) => line(name, { tool }, denials)),
  );
  family('tool_measured_total', 'counter', 'What hooks measured, added up.', (name) =>
    toolList.flatMap(([tool, { measured }]) =>
      Object.entries(measured).map(([metric, sum]) => line(name, { tool, metric }, sum)),
    ),
  );
  family('model_duration_seconds', 'summary', 'Time of replies.', (name) =>
    modelList.flatMap(([model, { replies }]) => summary(name, { model }, replies)),
  );
  family('model_errors_total', 'counter', 'Replies that broke off.', (name) =>
    modelList.map(([model, { errors }]) => line(name, { model }, errors)),
  );
  family('model_retries_total', 'counter', 'Replies that were asked for again.', (name) =>
    modelList.map(([model, { retries }]) => line(name, { model }, retries)),
  );
  family('model_tokens_total', 'counter', 'Tokens; cached ones are a part of the input.', (name) =>
    modelList.flatMap(([model, { inputTokens, outputTokens, cachedInputTokens }]) =>
      Object.entries({ input: inputTokens, output: outputTokens, cached_input: cachedInputTokens }).map(
        ([kind, count]) => line(name, { model, kind }, count),
      ),
    ),
  );
  family('model_cost_usd_total', 'counter', 'Cost where the price is known.', (name) =>
    modelList.flatMap(([model, { costUsd }]) => (costUsd === undefined ? [] : [line(name, { model }, costUsd)])),
  );
  family('agent_runs_total', 'counter', 'Runs by how they ended.', (name) =>
    agentList.flatMap(([agent, { ends }]) =>
      Object.entries(ends).map(([reason, count]) => line(name, { agent, reason }, count)),
    ),
  );
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

function summary(name: string, labels: Labels, { count, sumMs, p50Ms, p95Ms }: Durations): string[] {
  const quantile = (part: string, ms: number | undefined) =>
    ms === undefined ? [] : [line(name, { ...labels, quantile: part }, ms / 1_000)];
  return [
    ...quantile('0.5', p50Ms),
    ...quantile('0.95', p95Ms),
    line(`${name}_sum`, labels, sumMs / 1_000),
    line(`${name}_count`, labels, count),
  ];
}

function line(name: string, labels: Labels, value: number): string {
  const list = Object.entries(labels).map(([key, text]) => `${key}="${escaped(text)}"`);
  return `${name}{${list.join(',')}} ${value}`;
}

const escaped = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
