import { canonicalJson, type ModelEvent, type RawToolCall } from '../core/index.ts';
import { type ArgumentScanner, createArgumentScanner } from './argument-scanner.ts';

/** A call of the reply under way. */
export interface OpenCall {
  readonly key: number;
  readonly id: string;
  name: string;
  /** All that came of the arguments; an object when the provider sent one. */
  text: string;
  given: unknown;
  readonly scanner: ArgumentScanner;
  /** The provider itself said that the call is whole. */
  ended: boolean;
  /** What the executor was given, once it was. */
  ran: RawToolCall | undefined;
}

type CallEvent = Extract<ModelEvent, { type: 'tool_call_start' | 'tool_call_delta' | 'tool_call' }>;

/** The calls of one reply, in the order in which they began. */
export interface OpenCalls {
  readonly list: readonly OpenCall[];
  /** Takes an event in; gives the call that it belongs to, undefined when there is none. */
  take(event: CallEvent): OpenCall | undefined;
  /** The calls that may be run now and were not yet; never one before an earlier one. */
  ready(moment: Moment): OpenCall[];
}

export interface Moment {
  /** Text began, or a call, after the last call that is open. */
  readonly textAfter: boolean;
  /** The reply has ended with a finish reason that vouches for it. */
  readonly finished: boolean;
  readonly isReadOnly: (call: RawToolCall) => boolean;
}

export function createOpenCalls(repairId: (raw: unknown) => string): OpenCalls {
  const list: OpenCall[] = [];
  const byKey = new Map<number, OpenCall>();

  const isComplete = (call: OpenCall, index: number, moment: Moment): boolean => {
    if (moment.finished) return true;
    if (call.given !== undefined) return call.ended;
    if (call.scanner.state !== 'closed' || call.scanner.hollow) return false;
    const left = index < list.length - 1 || moment.textAfter;
    return left || call.ended || moment.isReadOnly(asRaw(call));
  };

  return {
    list,
    take(event) {
      if (event.type === 'tool_call_start') {
        const call: OpenCall = {
          key: event.key,
          id: repairId(event.id),
          name: event.name ?? '',
          text: '',
          given: undefined,
          scanner: createArgumentScanner(),
          ended: false,
          ran: undefined,
        };
        list.push(call);
        byKey.set(event.key, call);
        return call;
      }
      const call = byKey.get(event.key);
      if (!call) return undefined;
      if (event.type === 'tool_call_delta') {
        if (event.name) call.name ||= event.name;
        call.text += event.text;
        call.scanner.push(event.text);
        return call;
      }
      call.ended = true;
      if (typeof event.arguments === 'string') {
        if (event.arguments !== call.text) replaceText(call, event.arguments);
      } else if (event.arguments !== undefined) call.given = event.arguments;
      return call;
    },
    ready(moment) {
      const ready: OpenCall[] = [];
      for (const [index, call] of list.entries()) {
        if (call.ran) continue;
        if (!isComplete(call, index, moment)) break;
        ready.push(call);
      }
      return ready;
    },
  };
}

function replaceText(call: OpenCall, text: string): void {
  call.text = text;
  const scanner = createArgumentScanner();
  scanner.push(text);
  (call as { scanner: ArgumentScanner }).scanner = scanner;
}

export function asRaw(call: OpenCall): RawToolCall {
  return { id: call.id, name: call.name, arguments: call.given ?? call.text };
}

/** True when the arguments that arrived in the end say something else than those that ran. */
export function ranOtherwise(call: OpenCall): boolean {
  const ran = call.ran?.arguments;
  const last = call.given ?? call.text;
  if (ran === undefined || ran === last) return false;
  try {
    const read = (value: unknown) => canonicalJson(typeof value === 'string' ? JSON.parse(value) : value);
    return read(ran) !== read(last);
  } catch {
    return true;
  }
}
