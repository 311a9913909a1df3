import type { EventBody } from '../../core/index.ts';
import { callLine, resultCard } from './card.ts';
import { harmless, oneLine, type Style } from './style.ts';

/** Lines of one call's live output that are shown; the rest is counted. */
const LIVE_LINES = 40;

interface OpenCall {
  /** The tool's name, numbered when it has another call under way. */
  readonly label: string;
  readonly name: string;
  lines: number;
}

export interface RunView {
  /** What to print for the next event; empty for one that shows nothing. */
  push(event: EventBody): string;
  /** What ends a line of the model's text that goes on. */
  endLine(): string;
}

export interface RunViewOptions {
  readonly style: Style;
  readonly width: number;
  /** Show what the model thinks, too. */
  readonly thinking?: boolean;
}

/** A run for a terminal or a file, told from its events alone: only ever added to, never painted over. */
export function createRunView({ style, width, thinking = false }: RunViewOptions): RunView {
  /** Open: the last thing printed is text of the model whose line has not ended. */
  let open: 'text' | 'thinking' | undefined;
  /** Live output whose line has not ended yet, by call and stream. */
  const partial = new Map<string, string>();
  const calls = new Map<string, OpenCall>();

  const begin = (callId: string, name: string): OpenCall => {
    const others = [...calls.values()].filter((other) => other.name === name).length;
    const call = { name, label: others === 0 ? name : `${name} #${others + 1}`, lines: 0 };
    calls.set(callId, call);
    return call;
  };

  const endLine = (): string => {
    const end = open === undefined ? '' : '\n';
    open = undefined;
    return end;
  };
  const reply = (kind: 'text' | 'thinking', text: string): string => {
    const before = open === kind ? '' : endLine();
    open = kind;
    const shown = harmless(text);
    return before + (kind === 'thinking' ? style.dim(shown) : shown);
  };
  const outputLine = (callId: string, stream: string, line: string): string => {
    const call = calls.get(callId) ?? begin(callId, callId);
    if (++call.lines > LIVE_LINES) return '';
    const label = style.dim(`  ${harmless(call.label)} ${stream === 'stderr' ? '!' : '|'}`);
    return `${label} ${stream === 'stderr' ? style.yellow(harmless(line)) : harmless(line)}\n`;
  };
  const flush = (callId: string): string => {
    let text = '';
    for (const stream of ['stdout', 'stderr', 'info']) {
      const key = `${callId} ${stream}`;
      const rest = partial.get(key);
      if (rest) text += outputLine(callId, stream, rest);
      partial.delete(key);
    }
    const call = calls.get(callId);
    if (call === undefined || call.lines <= LIVE_LINES) return text;
    const hidden = call.lines - LIVE_LINES;
    call.lines = 0;
    return `${text}${style.dim(`  ${harmless(call.label)} … ${hidden} more lines`)}\n`;
  };
  const progress = (event: Extract<EventBody, { type: 'tool_progress' }>): string => {
    const key = `${event.callId} ${event.stream}`;
    const lines = ((partial.get(key) ?? '') + event.text).split('\n');
    partial.set(key, lines.pop() ?? '');
    const text = lines.map((line) => outputLine(event.callId, event.stream, line)).join('');
    return text + (event.closed ? flush(event.callId) : '');
  };

  return {
    endLine,
    push(event) {
      switch (event.type) {
        case 'text_delta':
          return reply('text', event.text);
        case 'thinking_delta':
          return thinking ? reply('thinking', event.text) : '';
        case 'tool_call': {
          const { label } = begin(event.callId, event.name);
          return `${endLine()}${callLine(label, event.arguments, width, style)}\n`;
        }
        case 'tool_progress':
          return endLine() + progress(event);
        case 'tool_result': {
          const { callId, name } = event.result;
          const rest = flush(callId);
          const label = calls.get(callId)?.label ?? name;
          calls.delete(callId);
          return `${endLine()}${rest}${resultCard({ ...event.result, name: label }, width, style)}\n`;
        }
        case 'ask_resolved':
          return event.by === 'person'
            ? ''
            : `${endLine()}${style.dim(`  (${event.outcome} by ${harmless(event.by)})`)}\n`;
        case 'turn_end':
          return event.discarded && open !== undefined
            ? `${endLine()}${style.dim('(that reply is void)')}\n`
            : endLine();
        case 'notification':
          return `${endLine()}${style.dim(`◦ ${oneLine(event.text, width - 2)}`)}\n`;
        case 'error':
          return `${endLine()}${style.red(`${event.code}: ${harmless(event.message)}`)}\n`;
        case 'run_end':
          return endLine() + (event.reason === 'stop' ? '' : `${style.yellow(`run ended: ${event.reason}`)}\n`);
        default:
          return '';
      }
    },
  };
}
