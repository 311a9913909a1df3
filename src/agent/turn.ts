import type {
  AssistantMessage,
  Execution,
  Message,
  Model,
  ModelEvent,
  ModelFault,
  ProviderData,
  StopReason,
  ToolCall,
  Usage,
} from '../core/index.ts';
import { createIdRepair } from '../schema/index.ts';
import { createCallFeed } from './call-feed.ts';
import type { LoopOptions } from './loop-options.ts';
import { asRaw, createOpenCalls, type OpenCall, ranOtherwise } from './open-call.ts';
import { readStream } from './read-stream.ts';
import { toToolMessage } from './tool-message.ts';

const isGood = (reason: StopReason) => reason === 'stop' || reason === 'tool_calls';

export interface TurnEnd {
  /** `broken`: the stream failed; `fault` says how. */
  readonly outcome: 'stop' | 'tools' | 'length' | 'cancelled' | 'broken';
  /** Something of the turn was kept: it is not asked again. */
  readonly committed: boolean;
  readonly text: string;
  readonly usage: Usage;
  /** The reply and its results are written down. The next request need not wait for it; the end of the run does. */
  readonly onDisk: Promise<void>;
  readonly fault?: ModelFault;
}

/**
 * One reply of the model with its calls' results. A call runs as soon as its arguments are complete, while
 * the model still streams. Before the first one runs the reply is on disk with the calls known so far, and
 * from then on the turn is committed: what ran stays, whatever becomes of the stream.
 */
export async function runTurn(
  options: LoopOptions,
  model: Model,
  step: number,
  requestSignal: AbortSignal,
): Promise<TurnEnd> {
  const { executor, transcript, emit } = options;
  const session = { ...options.session, step, emit };
  const id = options.newId();
  const calls = createOpenCalls(createIdRepair(options.newId, transcript.usedCallIds));
  const kept: ToolCall[] = [];
  const feed = createCallFeed();
  let execution: Execution | undefined;
  let text = '';
  let thinking = '';
  let textAfter = false;

  /** What is on disk of the reply, as long as nothing has come to it. */
  let written: AssistantMessage | undefined;
  const reply = (provider?: ProviderData, whole = false): AssistantMessage => {
    const isSame = written?.content === text && (written.toolCalls?.length ?? 0) === kept.length;
    if (written && isSame && !provider && !(whole && thinking !== '')) return written;
    return {
      role: 'assistant',
      id,
      agentName: session.info.agentName,
      content: text,
      ...(whole && thinking !== '' ? { thinking } : {}),
      ...(kept.length > 0 ? { toolCalls: [...kept] } : {}),
      ...(provider ? { provider } : {}),
    };
  };

  const dispatch = async (ready: readonly OpenCall[], finished = true): Promise<void> => {
    for (const call of ready) {
      call.ran = finished ? asRaw(call) : { ...asRaw(call), finished };
      const { name, arguments: input } = executor.normalize(call.ran, session.tools);
      kept.push({ id: call.id, name, arguments: input });
    }
    written = reply();
    await transcript.put([written]);
    execution ??= executor.execute(feed, session);
    for (const call of ready) if (call.ran) feed.push(call.ran);
  };

  const isReadOnly = (call: Parameters<typeof executor.isReadOnly>[0]) => executor.isReadOnly(call, session);
  const dispatchReady = (finished: boolean): Promise<void> | undefined => {
    const ready = calls.ready({ textAfter, finished, isReadOnly });
    return ready.length > 0 ? dispatch(ready) : undefined;
  };

  /** The output limit completes nothing: what is open is answered, not run. */
  const dispatchCut = async (): Promise<void> => {
    const open = calls.list.filter((call) => !call.ran);
    if (open.length > 0) await dispatch(open, false);
  };

  const onEvent = (event: Exclude<ModelEvent, { type: 'model_end' }>): Promise<void> | undefined => {
    switch (event.type) {
      case 'text_delta':
        if (event.text === '') return undefined;
        text += event.text;
        emit({ type: 'text_delta', text: event.text });
        if (textAfter || calls.list.length === 0) return undefined;
        textAfter = true;
        return dispatchReady(false);
      case 'thinking_delta':
        thinking += event.text;
        emit({ type: 'thinking_delta', text: event.text });
        return undefined;
      default: {
        const call = calls.take(event);
        if (!call) return undefined;
        if (event.type === 'tool_call_start') textAfter = false;
        else if (event.type === 'tool_call_delta') {
          emit({ type: 'tool_call_delta', callId: call.id, name: call.name, text: event.text });
          if (call.scanner.state !== 'closed' && call.scanner.state !== 'trailing') return undefined;
        }
        return dispatchReady(false);
      }
    }
  };

  const system = typeof options.system === 'function' ? await options.system() : options.system;
  const request = {
    messages: transcript.messages,
    tools: options.tools(),
    ...(system === undefined ? {} : { system }),
    ...(options.modelOptions ? { options: options.modelOptions } : {}),
  };
  let end: Awaited<ReturnType<typeof readStream>>;
  try {
    const startedAt = options.clock.now();
    end = await readStream(model, request, requestSignal, onEvent);
    const { reason, usage = {} } = end;
    options.onReply?.({ model: model.id, startedAt, endedAt: options.clock.now(), reason, usage });
    if (isGood(end.reason)) await dispatchReady(true);
    else if (end.reason === 'length') await dispatchCut();
  } catch (error) {
    feed.end();
    await execution?.results;
    throw error;
  }
  feed.end();

  const taken = execution ? await execution.results : [];
  // A cancelled executor leaves the feed, while the reply may just have been written with more calls: they are
  // answered too, as calls that did not run.
  const answered = new Set(taken.map((result) => result.callId));
  const left = calls.list.flatMap((call) => (call.ran && !answered.has(call.id) ? [call.ran] : []));
  const results = left.length === 0 ? taken : [...taken, ...(await executor.execute(left, session).results)];
  const ran = new Map(calls.list.map((call) => [call.id, call]));
  const toolMessages = results.map((result) => {
    const call = ran.get(result.callId);
    return toToolMessage(
      result,
      options.newId(),
      session.info.agentName,
      call && ranOtherwise(call) ? call : undefined,
    );
  });
  const keepsReply = kept.length > 0 || (text.trim() !== '' && end.reason !== 'error');
  const whole = isGood(end.reason) || end.reason === 'length';
  const messages: Message[] = keepsReply ? [reply(whole ? end.provider : undefined, whole), ...toolMessages] : [];
  for (const message of messages) emit({ type: 'message', message });
  const onDisk = messages.length === 0 ? Promise.resolve() : transcript.putSoon(messages);

  const outcome = session.signal.aborted
    ? 'cancelled'
    : end.reason === 'error' || end.reason === 'aborted'
      ? 'broken'
      : kept.length > 0
        ? 'tools'
        : end.reason === 'length'
          ? 'length'
          : 'stop';
  return {
    outcome,
    committed: keepsReply,
    text,
    usage: end.usage ?? {},
    onDisk,
    ...(outcome === 'broken' ? { fault: end.fault ?? { message: 'the reply was broken off', retryable: true } } : {}),
  };
}
