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
  const { content, error, data, durationMs } = result;
  const exit = isObject(data) && typeof data['exit_code'] === 'number' ? data['exit_code'] : undefined;
  const goesOn = error === undefined && isObject(data) && data['status'] === 'running';
  const text = harmless(textOf(content)).trimEnd();
  const lines = call.tail.count || (text === '' ? 0 : text.split('\n').length);
  const facts = [
    timeText(durationMs ?? 0),
    ...(goesOn ? ['goes on in the background'] : []),
    ...(exit === undefined ? [] : [`exit ${exit}`]),
    ...(error !== undefined && exit === undefined ? [error.code] : []),
    lines === 0
      ? 'no output'
      : lines === 1
        ? '1 line'
        : `${lines.toLocaleString('en-US')}${call.tail.hasGaps ? '+' : ''} lines`,
  ].join(' · ');
  const mark = error === undefined ? style.green('✓') : style.red('✗');
  const name = clip(oneLine(call.label, columns), Math.max(4, columns - facts.length - 4));
  const room = columns - name.length - facts.length - 5;
  const why =
    error !== undefined && exit === undefined ? error.message : lines === 1 && !text.includes('\n') ? text : '';
  const whole = [inputText(call.input), why].map((part) => oneLine(part, columns * 2)).filter((part) => part !== '');
  // The reason has the first right to the room that is there.
  const said = clip(
    whole[1] ?? '',
    Math.max(0, Math.min(room - 3, Math.max(room >> 1, room - (whole[0]?.length ?? 0) - 3))),
  );
  const what = clip(whole[0] ?? '', room - (said === '' ? 0 : said.length + 3));
  const tone = error === undefined ? style.dim : style.red;
  return `${mark} ${style.bold(name)} ${style.dim(what)} ${tone(facts)}${said === '' ? '' : ` ${tone('·')} ${tone(said)}`}`;
}

function timeText(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1_000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
}
