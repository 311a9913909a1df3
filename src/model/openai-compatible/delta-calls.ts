import { isObject } from '../../core/index.ts';
import { type ArgumentEnd, createArgumentEnd } from './argument-end.ts';
import type { EventBatch } from './event-batch.ts';

/** A call of the reply, put together from its deltas. */
export interface ReplyCall {
  readonly key: number;
  readonly index: number | undefined;
  id: string | undefined;
  name: string | undefined;
  /** Arguments not passed on yet: the name has not come, or they may be a placeholder. */
  held: string;
  /** `held` is a lone `{}`, which some servers send before the real arguments. */
  placeholder: boolean;
  extra: unknown;
  readonly end: ArgumentEnd;
}

/** Finds out which call each delta belongs to, whatever the server left out. */
export interface DeltaCalls {
  readonly calls: readonly ReplyCall[];
  /** False when the delta can belong to more than one call. */
  accept(delta: unknown): boolean;
  /** Passes on what is held: with a good finish it was the arguments. */
  settle(): void;
}

interface Piece {
  readonly index: number | undefined;
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly text: string;
  /** It brings a name, and arguments from their beginning. */
  readonly begins: boolean;
}

export function createDeltaCalls(batch: EventBatch): DeltaCalls {
  const calls: ReplyCall[] = [];

  const start = (piece: Piece, rawId: unknown): ReplyCall => {
    const { index, id, name } = piece;
    const call: ReplyCall = {
      key: calls.length,
      index,
      id,
      name,
      held: '',
      placeholder: false,
      extra: undefined,
      end: createArgumentEnd(),
    };
    calls.push(call);
    batch.start({
      type: 'tool_call_start',
      key: call.key,
      ...(rawId === undefined ? {} : { id: rawId }),
      ...(name === undefined ? {} : { name }),
    });
    return call;
  };
  /** Takes more arguments in; gives what may be passed on. */
  const add = (call: ReplyCall, text: string): string => {
    const blank = text.trim() === '';
    if (call.placeholder && !blank) {
      call.held = '';
      call.placeholder = false;
    } else if (call.end.empty && call.held === '' && text.trim() === '{}') call.placeholder = true;
    if (!call.placeholder) call.end.push(text);
    call.held += text;
    if (call.placeholder || call.name === undefined) return '';
    const passed = call.held;
    call.held = '';
    return passed;
  };

  return {
    calls,
    accept(delta) {
      if (!isObject(delta)) return true;
      const piece = readPiece(delta);
      const found = findCall(calls, piece);
      if (found === 'unclear') return false;
      const isNew = found === undefined;
      const call = found ?? start(piece, delta.id);
      const late: { id?: unknown; name?: string } = {};
      if (!isNew && call.id === undefined && piece.id !== undefined) {
        call.id = piece.id;
        late.id = delta.id;
      }
      if (!isNew && call.name === undefined && piece.name !== undefined) {
        call.name = piece.name;
        late.name = piece.name;
      }
      if (call.extra === undefined && isObject(delta.extra_content)) call.extra = delta.extra_content;
      const text = add(call, piece.text);
      if (text !== '' || late.id !== undefined || late.name !== undefined) {
        batch.delta({ type: 'tool_call_delta', key: call.key, text, ...late });
      }
      return true;
    },
    settle() {
      for (const call of calls) {
        if (call.held !== '') batch.delta({ type: 'tool_call_delta', key: call.key, text: call.held });
        call.held = '';
      }
    },
  };
}

function readPiece(delta: Record<string, unknown>): Piece {
  const fn = isObject(delta.function) ? delta.function : {};
  const text = argumentText(fn.arguments);
  const name = typeof fn.name === 'string' && fn.name.trim() !== '' ? fn.name : undefined;
  const index = Number.isInteger(delta.index) ? (delta.index as number) : undefined;
  return { index, id: usableId(delta.id), name, text, begins: name !== undefined && text.trimStart().startsWith('{') };
}

/** Some servers send the arguments as the object itself. */
function argumentText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}

function usableId(id: unknown): string | undefined {
  if (typeof id === 'number') return String(id);
  return typeof id === 'string' && id.trim() !== '' ? id : undefined;
}

/** The call that a delta continues; undefined when it begins one. */
function findCall(calls: readonly ReplyCall[], piece: Piece): ReplyCall | undefined | 'unclear' {
  const near = piece.index === undefined ? calls : calls.filter((call) => call.index === piece.index);
  const last = near.at(-1);
  if (piece.id !== undefined) {
    const same = near.findLast((call) => call.id === piece.id);
    if (same) return whole(same) && piece.begins ? undefined : same;
    if (last === undefined) return undefined;
    if (last.id === undefined)
      return piece.name !== undefined && (last.name !== undefined || whole(last)) ? undefined : last;
    // A server that makes up an id for every delta of one index still sends the name only once.
    return piece.name === undefined && piece.index !== undefined ? last : undefined;
  }
  if (last === undefined) return undefined;
  if (piece.index !== undefined) return whole(last) && piece.begins ? undefined : last;
  if (piece.name !== undefined) {
    const lateName = last.name === undefined;
    const repeated = last.name === piece.name && !last.end.empty && !last.end.closed;
    return lateName || repeated ? last : undefined;
  }
  const stray = last.end.closed && piece.text.trim() !== '' && calls.some((call) => !call.end.closed);
  return stray ? 'unclear' : last;
}

const whole = (call: ReplyCall) => call.end.closed || call.placeholder;
