import type { Span, SpanOptions, Tracer } from '@opentelemetry/api';
import type { EventBody } from '../core/index.ts';
import type { Env } from './env.ts';
import type { Observe } from './observer.ts';

/** Where the API keeps what is registered; looked at so that nothing is loaded when nothing is. */
const API = Symbol.for('opentelemetry.js.api.1');

function hasProvider(): boolean {
  const api: unknown = Reflect.get(globalThis, API);
  return typeof api === 'object' && api !== null && 'trace' in api;
}

export interface TelemetryOptions {
  readonly env: Env;
  readonly now: () => number;
}

type RunEnd = Extract<EventBody, { type: 'run_end' }>;
type ToolResultEvent = Extract<EventBody, { type: 'tool_result' }>;

/** Spans of runs, replies and calls; nobody when no provider is registered, and then nothing is loaded. */
export async function openTelemetry({ env, now }: TelemetryOptions): Promise<readonly Observe[]> {
  if (!hasProvider()) return [];
  const { context, SpanKind, SpanStatusCode, trace } = await import('@opentelemetry/api');
  const tracer: Tracer = trace.getTracer('toolwright');
  const withContent = env['OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT']?.trim().toLowerCase() === 'true';
  const fail = (span: Span, type: string) => {
    span.setAttribute('error.type', type);
    span.setStatus({ code: SpanStatusCode.ERROR, message: type });
  };

  const observe: Observe = ({ id, agentName }, masker) => {
    let agent: Span | undefined;
    const inputs = new Map<string, unknown>();
    const begin = (name: string, options: SpanOptions): Span =>
      tracer.startSpan(name, options, agent ? trace.setSpan(context.active(), agent) : context.active());

    const endRun = ({ reason, usage, error }: RunEnd): void => {
      if (usage.inputTokens !== undefined) agent?.setAttribute('gen_ai.usage.input_tokens', usage.inputTokens);
      if (usage.outputTokens !== undefined) agent?.setAttribute('gen_ai.usage.output_tokens', usage.outputTokens);
      if (agent && reason === 'error') fail(agent, error?.code ?? 'error');
      agent?.end(new Date(now()));
      agent = undefined;
      inputs.clear();
    };
    const endCall = ({ result }: ToolResultEvent): void => {
      const { callId, name, durationMs, error, content } = result;
      const end = now();
      const span = begin(`execute_tool ${name}`, {
        kind: SpanKind.INTERNAL,
        startTime: new Date(end - durationMs),
        attributes: {
          'gen_ai.operation.name': 'execute_tool',
          'gen_ai.tool.name': name,
          'gen_ai.tool.call.id': callId,
          'gen_ai.tool.type': 'function',
          'gen_ai.conversation.id': id,
        },
      });
      if (withContent) {
        span.setAttribute('gen_ai.tool.call.arguments', masker.mask(JSON.stringify(inputs.get(callId) ?? null)));
        span.setAttribute('gen_ai.tool.call.result', masker.mask(JSON.stringify(content)));
      }
      inputs.delete(callId);
      if (error) fail(span, error.code);
      span.end(new Date(end));
    };

    return {
      event(event) {
        if (event.type === 'run_start') {
          agent = begin(`invoke_agent ${agentName}`, {
            kind: SpanKind.INTERNAL,
            startTime: new Date(now()),
            attributes: {
              'gen_ai.operation.name': 'invoke_agent',
              'gen_ai.agent.name': agentName,
              'gen_ai.conversation.id': id,
              'gen_ai.request.model': event.model,
            },
          });
        } else if (event.type === 'tool_call' && withContent) inputs.set(event.callId, event.arguments);
        else if (event.type === 'tool_result') endCall(event);
        else if (event.type === 'run_end') endRun(event);
      },
      reply({ model, startedAt, endedAt, reason, usage }) {
        const [provider = model, name = model] = model.split(/\/(.*)/s);
        const span = begin(`chat ${name}`, {
          kind: SpanKind.CLIENT,
          startTime: new Date(startedAt),
          attributes: {
            'gen_ai.operation.name': 'chat',
            'gen_ai.provider.name': provider,
            'gen_ai.request.model': name,
            'gen_ai.conversation.id': id,
            'gen_ai.response.finish_reasons': [reason],
            ...(usage.inputTokens === undefined ? {} : { 'gen_ai.usage.input_tokens': usage.inputTokens }),
            ...(usage.outputTokens === undefined ? {} : { 'gen_ai.usage.output_tokens': usage.outputTokens }),
          },
        });
        if (reason === 'error' || reason === 'aborted') fail(span, reason);
        span.end(new Date(endedAt));
      },
      measured() {},
    };
  };
  return [observe];
}
