import type { LanguageModelV3StreamPart, SharedV3ProviderMetadata } from '@ai-sdk/provider';
import { isObject, type ModelEvent } from '../../core/index.ts';
import { createBlockKeeper, type KeptBlocks } from './kept-blocks.ts';

/** Turns the parts of one stream into events, but for the last. */
export interface PartReader {
  read(part: LanguageModelV3StreamPart): void;
  take(): ModelEvent[];
  /** Calls that the stream said are whole, held back until that can be trusted. */
  readonly holdsEnds: boolean;
  /** The stream goes on, so the ends came from the provider: tells those of calls whose object has closed. */
  trustEnds(): void;
  /** The reply ended well: tells all that is held. */
  settle(): void;
  /** The server sent more of arguments than the adapter passed on. */
  readonly lostArguments: boolean;
  readonly hasCalls: boolean;
  readonly hasText: boolean;
  kept(endedWell: boolean): KeptBlocks | undefined;
}

interface PartCall {
  readonly key: number;
  text: string;
  /** A lone `{}` that may be a placeholder, not passed on yet. */
  placeholder: string;
  /** The whole input as the provider gave it. */
  input: string | undefined;
  /** Ended, and the deltas alone are a whole object. */
  closed: boolean;
  told: boolean;
}

export function createPartReader(): PartReader {
  let events: ModelEvent[] = [];
  const calls: PartCall[] = [];
  const byId = new Map<string, PartCall>();
  const blocks = createBlockKeeper();
  let hasText = false;
  let sentChars = 0;
  let passedChars = 0;

  const text = (type: 'text_delta' | 'thinking_delta', delta: string) => {
    if (delta !== '') events.push({ type, text: delta });
  };
  const start = (id: string, name: string): PartCall => {
    const call: PartCall = {
      key: calls.length,
      text: '',
      placeholder: '',
      input: undefined,
      closed: false,
      told: false,
    };
    calls.push(call);
    byId.set(id, call);
    blocks.begin(`call:${id}`, { type: 'call', key: call.key, id });
    events.push({ type: 'tool_call_start', key: call.key, id, name });
    return call;
  };
  const delta = (call: PartCall, piece: string) => {
    passedChars += piece.length;
    const blank = piece.trim() === '';
    if (blank && (call.text === '' || call.placeholder !== '')) return;
    if (call.text === '' && call.placeholder === '' && piece.trim() === '{}') {
      call.placeholder = piece;
      return;
    }
    call.placeholder = '';
    call.text += piece;
    events.push({ type: 'tool_call_delta', key: call.key, text: piece });
  };
  const tell = (call: PartCall) => {
    call.told = true;
    const { input } = call;
    // Equal to what the deltas said, perhaps behind a placeholder: then there is nothing to replace.
    const same = input === undefined || input === call.text || (call.text !== '' && input === `{}${call.text}`);
    events.push({ type: 'tool_call', key: call.key, ...(same ? {} : { arguments: input }) });
  };
  const readCall = (id: string, name: string, input: unknown, metadata?: SharedV3ProviderMetadata) => {
    let call = byId.get(id);
    if (call === undefined || call.input !== undefined) {
      call = start(id, name);
      if (typeof input === 'string') delta(call, input);
    }
    blocks.mark(`call:${id}`, metadata);
    call.input = typeof input === 'string' ? input : JSON.stringify(input ?? {});
    call.closed = isWholeObject(call.text);
  };

  return {
    read(part) {
      switch (part.type) {
        case 'raw':
          sentChars += argumentChars(part.rawValue);
          break;
        case 'text-start':
          blocks.begin(`text:${part.id}`, { type: 'text', length: 0 });
          blocks.mark(`text:${part.id}`, part.providerMetadata);
          break;
        case 'text-delta':
          hasText ||= part.delta !== '';
          blocks.grow(`text:${part.id}`, 'text', part.delta);
          blocks.mark(`text:${part.id}`, part.providerMetadata);
          text('text_delta', part.delta);
          break;
        case 'text-end':
          blocks.mark(`text:${part.id}`, part.providerMetadata);
          break;
        case 'reasoning-start':
          blocks.begin(`reasoning:${part.id}`, { type: 'reasoning', text: '' });
          blocks.mark(`reasoning:${part.id}`, part.providerMetadata);
          break;
        case 'reasoning-delta':
          blocks.grow(`reasoning:${part.id}`, 'reasoning', part.delta);
          blocks.mark(`reasoning:${part.id}`, part.providerMetadata);
          text('thinking_delta', part.delta);
          break;
        case 'reasoning-end':
          blocks.mark(`reasoning:${part.id}`, part.providerMetadata);
          break;
        case 'tool-input-start':
          if (part.providerExecuted) break;
          start(part.id, part.toolName);
          blocks.mark(`call:${part.id}`, part.providerMetadata);
          break;
        case 'tool-input-delta': {
          const call = byId.get(part.id);
          if (call) delta(call, part.delta);
          blocks.mark(`call:${part.id}`, part.providerMetadata);
          break;
        }
        case 'tool-input-end':
          blocks.mark(`call:${part.id}`, part.providerMetadata);
          break;
        case 'tool-call':
          if (!part.providerExecuted) readCall(part.toolCallId, part.toolName, part.input, part.providerMetadata);
      }
    },
    take() {
      const taken = events;
      events = [];
      return taken;
    },
    get holdsEnds() {
      return calls.some((call) => call.closed && !call.told);
    },
    trustEnds() {
      for (const call of calls) {
        if (call.closed && !call.told) tell(call);
      }
    },
    settle() {
      for (const call of calls) {
        if (call.told) continue;
        if (call.placeholder !== '') events.push({ type: 'tool_call_delta', key: call.key, text: call.placeholder });
        call.text ||= call.placeholder;
        tell(call);
      }
    },
    get lostArguments() {
      return sentChars > passedChars;
    },
    get hasCalls() {
      return calls.length > 0;
    },
    get hasText() {
      return hasText;
    },
    kept: (endedWell) => blocks.kept(endedWell),
  };
}

function isWholeObject(text: string): boolean {
  try {
    return isObject(JSON.parse(text));
  } catch {
    return false;
  }
}

/** Characters of arguments in an event of an OpenAI-style stream; none in any other. */
function argumentChars(event: unknown): number {
  const choice: unknown = isObject(event) && Array.isArray(event.choices) ? event.choices[0] : undefined;
  const delta = isObject(choice) && isObject(choice.delta) ? choice.delta : {};
  if (!Array.isArray(delta.tool_calls)) return 0;
  return delta.tool_calls.reduce((sum: number, call: unknown) => {
    const text = isObject(call) && isObject(call.function) ? call.function.arguments : undefined;
    return sum + (typeof text === 'string' ? text.length : 0);
  }, 0);
}
