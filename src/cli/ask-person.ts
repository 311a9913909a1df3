import type { Interface } from 'node:readline/promises';
import { cutEnd } from '../core/index.ts';
import type { AgentEvent, AskAnswer, AskPermission, AskRequest } from '../runtime/index.ts';
import type { Io } from './io.ts';
import { createStyle, harmless } from './render/style.ts';

/** How long a question for permission stays open. */
const EXPIRY_MS = 30 * 60_000;
/** What is shown of the input: all of it, unless it is huge. */
const INPUT_CHARS = 4_000;

export interface AskPerson {
  readonly ask: AskPermission;
  /** To be told what has been printed: a call is asked about below its own line. */
  shown(events: readonly AgentEvent[]): void;
}

/**
 * Puts permission questions to the person at the terminal, one after the other. `use` gives the prompt to ask
 * with for as long as its body runs. No answer is never taken for one.
 */
export function createAskPerson(io: Io, use: <T>(body: (prompt: Interface) => Promise<T>) => Promise<T>): AskPerson {
  const style = createStyle(io.hasColor);
  const always = new Set<string>();
  /** Calls that have been printed in this run, and who waits for one. */
  const printed = new Set<string>();
  const waiting = new Map<string, () => void>();
  let last: Promise<unknown> = Promise.resolve();

  const whenPrinted = (callId: string, signal: AbortSignal): Promise<void> => {
    if (printed.has(callId) || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      waiting.set(callId, resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  };
  const ask = async ({ callId, tool, input, reason }: AskRequest, signal: AbortSignal): Promise<AskAnswer> => {
    if (always.has(tool)) return { outcome: 'approved' };
    await whenPrinted(callId, signal);
    if (signal.aborted) return { outcome: 'unanswered' };
    const name = harmless(tool);
    await io.out(`  ${harmless(reason)}\n${inputText(input)}\n`);
    const text = `  ${style.yellow('Allow it?')} y: yes, a: ${name} from now on in this session, n: no > `;
    return use(async (prompt) => {
      // Answers are no prompts: they stay out of what the arrow keys bring back.
      const forget = (history: string[]) => void history.shift();
      prompt.on('history', forget);
      try {
        for (;;) {
          const answer = (await prompt.question(text, { signal })).trim().toLowerCase();
          if (answer === 'a' || answer === 'always') always.add(tool);
          if (['y', 'yes', 'a', 'always'].includes(answer)) return { outcome: 'approved' };
          if (['n', 'no'].includes(answer)) return { outcome: 'denied', reason: 'the person said no' };
        }
      } finally {
        prompt.off('history', forget);
      }
    });
  };

  return {
    ask(request, cancel) {
      const signal = AbortSignal.any([cancel, AbortSignal.timeout(EXPIRY_MS)]);
      const answer = last.then(() => ask(request, signal)).catch((): AskAnswer => ({ outcome: 'unanswered' }));
      last = answer;
      return answer;
    },
    shown(events) {
      for (const event of events) {
        if (event.type === 'run_end') printed.clear();
        if (event.type !== 'tool_call') continue;
        printed.add(event.callId);
        waiting.get(event.callId)?.();
        waiting.delete(event.callId);
      }
    },
  };
}

/** What would run, line for line: nothing of it may hide behind the edge of the screen. */
function inputText(input: unknown): string {
  const whole = harmless(JSON.stringify(input, null, 2) ?? '');
  const shown = cutEnd(whole, INPUT_CHARS);
  const rest = whole.length - shown.length;
  return (rest > 0 ? `${shown}… ${rest} more characters` : shown).replace(/^/gm, '  ');
}
