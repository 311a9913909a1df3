import type { AgentEvent, ToolResult } from '../../core/index.ts';
import type { Session } from '../../runtime/index.ts';
import type { Style } from '../render/style.ts';
import type { TourState, TourStop } from './tour.ts';

export interface TourSessions {
  readonly granted: Session;
  readonly bare: Session;
}

/** Where the tour goes: what it says itself, and what the runs' events say. */
export interface TourPrinter {
  prose(text: string): Promise<void>;
  events(events: readonly AgentEvent[]): Promise<void>;
}

/** Takes every stop; says what went wrong as one did not come to the results that it is about. */
export async function takeTour(
  stops: readonly TourStop[],
  sessions: TourSessions,
  state: TourState,
  printer: TourPrinter,
  style: Style,
): Promise<string | undefined> {
  for (const [index, stop] of stops.entries()) {
    const session = stop.withoutGrants ? sessions.bare : sessions.granted;
    const prompt = stop.prompt(state);
    await printer.prose(`\n${style.bold(`${index + 1}. ${stop.title}`)}\n${stop.about}\n`);
    for (const line of prompt.split('\n')) await printer.prose(`${style.dim(`  > ${line}`)}\n`);
    const results: ToolResult[] = [];
    let began = 0;
    let ended = 0;
    for await (const events of session.run(prompt).batches()) {
      for (const event of events) {
        if (event.type === 'tool_result') results.push(event.result);
        if (event.type === 'run_start') began = event.ts;
        ended = event.ts;
      }
      await printer.events(events);
    }
    state.stored = results.find((result) => result.stored !== undefined)?.stored?.path ?? state.stored;
    const wrong = mismatch(stop, results);
    if (wrong !== undefined) return `the stop "${stop.title}" went wrong: ${wrong}`;
    const spent = results.reduce((sum, result) => sum + result.durationMs, 0);
    await printer.prose(
      style.dim(
        `${count(results.length, 'call')}, ${count(results.length, 'result')}; ${Math.round((ended - began) * 1_000)} ms in all, ${Math.round(spent)} ms of it in tools\n`,
      ),
    );
  }
  return undefined;
}

function mismatch(stop: TourStop, results: readonly ToolResult[]): string | undefined {
  const seen = results.map((result) => label(result.name, result.error?.code)).sort();
  const wanted = stop.expects.map((expected) => label(expected.tool, expected.error)).sort();
  if (seen.join() === wanted.join()) return undefined;
  return `expected ${wanted.join(', ')}, got ${seen.join(', ') || 'nothing'}`;
}

const label = (tool: string, error: string | undefined) => (error === undefined ? tool : `${tool} (${error})`);
const count = (n: number, word: string) => `${n} ${word}${n === 1 ? '' : 's'}`;
