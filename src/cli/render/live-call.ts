import { isObject, type ToolResult, textOf } from '../../core/index.ts';
import { inputText } from './card.ts';
import { clip } from './clip.ts';
import { createLiveTail, type LiveTail } from './live-tail.ts';
import { harmless, oneLine, type Style } from './style.ts';

/** A call while it runs. */
export interface LiveCall {
  readonly name: string;
  /** The tool's name, numbered when it has another call under way. */
  readonly label: string;
  readonly input: unknown;
  readonly tail: LiveTail;
}

export function createLiveCall(name: string, input: unknown, others: Iterable<LiveCall>): LiveCall {
  const same = [...others].filter((other) => other.name === name).length;
  return { name, label: same === 0 ? name : `${name} #${same + 1}`, input, tail: createLiveTail() };
}

/** Which call it is: its sign, its name, what it does. */
export function headLine({ label, input }: LiveCall, columns: number, style: Style): string {
  const name = oneLine(label, columns);
  const row = clip(`● ${name} ${oneLine(inputText(input), columns * 2)}`, columns);
  const end = 2 + name.length;
  return style.cyan(row.slice(0, 2)) + style.bold(row.slice(2, end)) + style.dim(row.slice(end));
}

/** Its heading and the last lines of what it prints, in `rows` rows at the most. */
export function liveRows(call: LiveCall, columns: number, rows: number, style: Style): string[] {
  const lines = rows <= 1 ? [] : call.tail.lines().slice(1 - rows);
  return [
    headLine(call, columns, style),
    ...lines.map(({ stream, text }) => {
      if (columns < 6) return clip(text, columns);
      const shown = clip(text, columns - 4);
      return stream === 'stderr'
        ? `${style.dim('  !')} ${style.yellow(shown)}`
        : `${style.dim('  |')} ${stream === 'info' ? style.dim(shown) : shown}`;
    }),
  ];
}

/** What is left of it at its end: one line. */
export function endedLine(call: LiveCall, result: ToolResult, columns: number, style: Style): string {
  const mark = result.error === undefined ? style.green('✓') : style.red('✗');
  const tone = result.error === undefined ? style.dim : style.red;
  const facts = factsOf(call, result).join(' · ');
  const name = clip(oneLine(call.label, columns), Math.max(4, columns - facts.length - 4));
  const room = Math.max(0, columns - name.length - facts.length - 4);
  const doing = oneLine(inputText(call.input), columns * 2);
  const reason = oneLine(reasonOf(call, result), columns * 2);
  // It may have half of the room, and what the input leaves of the other half.
  const said = reason === '' ? '' : clip(` · ${reason}`, Math.max(room >> 1, room - doing.length));
  return `${mark} ${style.bold(name)} ${style.dim(clip(doing, room - said.length))} ${tone(facts + said)}`;
}

const exitOf = ({ data }: ToolResult) =>
  isObject(data) && typeof data['exit_code'] === 'number' ? data['exit_code'] : undefined;

function linesOf({ tail }: LiveCall, { content }: ToolResult): number {
  const text = textOf(content).trimEnd();
  return tail.count || (text === '' ? 0 : text.split('\n').length);
}

function factsOf(call: LiveCall, result: ToolResult): string[] {
  const { error, data, durationMs } = result;
  const exit = exitOf(result);
  const goesOn = error === undefined && isObject(data) && data['status'] === 'running';
  const hasLines = error === undefined || call.tail.count > 0;
  return [
    timeText(durationMs),
    ...(goesOn ? ['goes on in the background'] : []),
    ...(exit === undefined ? [] : [`exit ${exit}`]),
    ...(error !== undefined && exit === undefined ? [error.code] : []),
    ...(hasLines ? [lineText(linesOf(call, result), call.tail.hasGaps)] : []),
  ];
}

/** Why it failed, where no exit code says so; of a result of one line that line. */
function reasonOf(call: LiveCall, result: ToolResult): string {
  if (result.error !== undefined) return exitOf(result) === undefined ? result.error.message : '';
  const text = harmless(textOf(result.content)).trimEnd();
  return linesOf(call, result) === 1 && !text.includes('\n') ? text : '';
}

function lineText(lines: number, hasGaps: boolean): string {
  if (lines === 0) return 'no output';
  return lines === 1 && !hasGaps ? '1 line' : `${lines.toLocaleString('en-US')}${hasGaps ? '+' : ''} lines`;
}

function timeText(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1_000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
}
