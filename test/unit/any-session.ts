import fc from 'fast-check';
import type { AgentEvent, EventBody } from '../../src/core/index.ts';

interface CallPlan {
  readonly progress: readonly { readonly stream: 'stdout' | 'stderr' | 'info'; readonly text: string }[];
  readonly outcome: 'done' | 'failed' | 'lost';
  readonly child?: readonly TurnPlan[];
}

interface TurnPlan {
  readonly thinking: string;
  readonly text: string;
  readonly after: string;
  readonly calls: readonly CallPlan[];
  /** Attempts that broke before, of which nothing may stay. */
  readonly broken: number;
  /** The message is written at the first call too, and grows. */
  readonly early: boolean;
  /** The reply fails for good: no message is kept. */
  readonly lost: boolean;
}

const text = fc.string({ maxLength: 12 });
const { turn } = fc.letrec<{ turn: TurnPlan; call: CallPlan }>((tie) => ({
  turn: fc.record({
    thinking: text,
    text,
    after: text,
    calls: fc.array(tie('call'), { maxLength: 3, depthIdentifier: 'call' }),
    broken: fc.constantFrom(0, 0, 1, 2),
    early: fc.boolean(),
    lost: fc.constantFrom(false, false, false, true),
  }),
  call: fc.record(
    {
      progress: fc.array(fc.record({ stream: fc.constantFrom('stdout', 'stderr', 'info'), text }), { maxLength: 4 }),
      outcome: fc.constantFrom('done', 'done', 'failed', 'lost'),
      child: fc.array(tie('turn'), { maxLength: 2, depthIdentifier: 'call' }),
    },
    { requiredKeys: ['progress', 'outcome'] },
  ),
}));

/** The events of a whole session: runs with retries, calls beside each other, subagents, losses. All runs have ended. */
export const anySession: fc.Arbitrary<AgentEvent[]> = fc
  .array(fc.array(turn, { maxLength: 3 }), { minLength: 1, maxLength: 3 })
  .map((runs) => {
    const events: AgentEvent[] = [];
    let ids = 0;
    const newId = (prefix: string) => `${prefix}${ids++}`;
    const emitter = (parentCallId?: string) => (body: EventBody) =>
      void events.push({
        ...body,
        sessionId: 's',
        seq: events.length * 2,
        ts: events.length,
        ...(parentCallId && { parentCallId, agentName: 'child' }),
      });
    for (const turns of runs) {
      emitter()({ type: 'message', message: { role: 'user', id: newId('u'), content: 'do' } });
      run(turns, emitter(), newId, emitter);
    }
    return events;
  });

type Emit = (body: EventBody) => void;

function run(
  turns: readonly TurnPlan[],
  emit: Emit,
  newId: (prefix: string) => string,
  child: (id: string) => Emit,
): void {
  const runId = newId('r');
  emit({ type: 'run_start', runId, model: 'm' });
  for (const [step, plan] of turns.entries()) {
    for (let i = 0; i < plan.broken; i++) {
      emit({ type: 'turn_start', runId, step });
      emit({ type: 'thinking_delta', text: plan.thinking });
      emit({ type: 'text_delta', text: plan.text });
      emit({ type: 'tool_call_delta', callId: newId('broken'), name: 'a', text: '{' });
      emit({ type: 'turn_end', runId, step, discarded: true });
    }
    emit({ type: 'turn_start', runId, step });
    playTurn(plan, step, emit, newId, child);
    emit({ type: 'turn_end', runId, step });
  }
  emit({ type: 'run_end', runId, reason: 'stop', steps: turns.length, usage: {} });
}

function playTurn(
  plan: TurnPlan,
  step: number,
  emit: Emit,
  newId: (prefix: string) => string,
  child: (id: string) => Emit,
): void {
  const calls = plan.calls.map((call) => ({ ...call, id: newId('c'), name: 'tool' }));
  const messageId = newId('m');
  const message = (content: string, known: number) =>
    emit({
      type: 'message',
      message: {
        role: 'assistant',
        id: messageId,
        content,
        thinking: plan.thinking,
        toolCalls: calls.slice(0, known).map(({ id, name }) => ({ id, name, arguments: '{"a":1}' })),
      },
    });
  emit({ type: 'thinking_delta', text: plan.thinking });
  emit({ type: 'text_delta', text: plan.text });
  if (plan.lost) {
    for (const { id, name } of calls) emit({ type: 'tool_call_delta', callId: id, name, text: '{"a"' });
    emit({ type: 'error', code: 'internal', message: 'gone', retryable: false });
    return;
  }
  for (const [index, { id, name }] of calls.entries()) {
    emit({ type: 'tool_call_delta', callId: id, name, text: '{"a"' });
    emit({ type: 'tool_call_delta', callId: id, name, text: ':1}' });
    if (!plan.early) continue;
    message(plan.text, index + 1);
    emit({ type: 'tool_call', callId: id, name, arguments: { a: 1 }, step });
  }
  emit({ type: 'text_delta', text: plan.after });
  message(plan.text + plan.after, calls.length);
  if (!plan.early)
    for (const { id, name } of calls) emit({ type: 'tool_call', callId: id, name, arguments: { a: 1 }, step });
  playCalls(calls, step, emit, newId, child);
}

function playCalls(
  calls: readonly (CallPlan & { id: string; name: string })[],
  step: number,
  emit: Emit,
  newId: (prefix: string) => string,
  child: (id: string) => Emit,
): void {
  const bytes = new Map<string, number>();
  const rounds = Math.max(0, ...calls.map((call) => call.progress.length));
  for (let round = 0; round < rounds; round++) {
    for (const { id, progress } of calls) {
      const piece = progress[round];
      if (!piece) continue;
      const offset = bytes.get(id + piece.stream) ?? 0;
      bytes.set(id + piece.stream, offset + Buffer.byteLength(piece.text));
      emit({ type: 'tool_progress', callId: id, ...piece, closed: false, offset });
    }
  }
  for (const call of [...calls].reverse()) {
    if (call.child) run(call.child, child(call.id), newId, child);
    emit({ type: 'tool_progress', callId: call.id, text: '', stream: 'info', closed: true, offset: 0 });
    if (call.outcome === 'lost') continue;
    const failed = call.outcome === 'failed' && { error: { code: 'failed' as const, message: 'no', retryable: false } };
    const result = { callId: call.id, name: call.name, content: 'out', durationMs: 1, ...failed };
    emit({ type: 'tool_result', result, step });
  }
  for (const { id, name, outcome } of calls) {
    if (outcome === 'lost') continue;
    const isError = outcome === 'failed';
    emit({ type: 'message', message: { role: 'tool', id: newId('t'), toolCallId: id, name, content: 'out', isError } });
  }
}
