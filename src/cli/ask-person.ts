import type { Interface } from 'node:readline/promises';
import { cutEnd } from '../core/index.ts';
import type { AgentEvent, Ask, AskHandler, AskReply } from '../runtime/index.ts';
import { fillIn } from './fill-in.ts';
import type { Io } from './io.ts';
import { createStyle, harmless } from './render/style.ts';

/** What is shown of the input: all of it, unless it is huge. */
const INPUT_CHARS = 4_000;

export interface AskPerson {
  readonly ask: AskHandler;
  /** To be told what has been printed: a call is asked about below its own line. */
  shown(events: readonly AgentEvent[]): void;
}

/** Gives the prompt to ask with about a call, for as long as `body` runs. */
export type UsePrompt = <T>(callId: string, body: (prompt: Interface) => Promise<T>) => Promise<T>;

/**
 * Puts asks to the person at the terminal, one after the other. No answer is never taken for one; an ask that ends elsewhere is withdrawn.
 */
export function createAskPerson(io: Io, use: UsePrompt): AskPerson {
  const style = createStyle(io.hasColor);
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
  const put = async (ask: Ask, signal: AbortSignal): Promise<AskReply> => {
    await whenPrinted(ask.callId, signal);
    if (signal.aborted) return { outcome: 'unanswered' };
    return use(ask.callId, async (prompt) => {
      // Answers are no prompts: they stay out of what the arrow keys bring back.
      const forget = (history: string[]) => void history.shift();
      prompt.on('history', forget);
      const question = async (text: string) => (await prompt.question(text, { signal })).trim();
      try {
        return await (ask.kind === 'permission' ? allow(ask, question) : fillIn(ask, io.out, question));
      } finally {
        prompt.off('history', forget);
        if (signal.aborted) await io.out('\n');
      }
    });
  };
  const allow = async (ask: Ask, question: (text: string) => Promise<string>): Promise<AskReply> => {
    const rules = ask.suggestions.flatMap(({ rule, allows }) => (rule === undefined ? [] : [{ rule, allows }]));
    const lines = rules.map(({ rule, allows }, index) => {
      const more = allows === '' ? 'nothing else' : harmless(allows);
      return `    ${index + 1}  ${style.cyan(harmless(rule))} ${style.dim(`- allows ${more}`)}\n`;
    });
    const which = rules.length > 1 ? `1-${rules.length}` : '1';
    const standing =
      rules.length === 0 ? '' : `s${which}: that rule in this session, a${which}: always (kept in the home), `;
    await io.out(`  ${harmless(ask.reason)}\n${inputText(ask.input)}\n${lines.join('')}`);
    for (;;) {
      const text = `  ${style.yellow('Allow it?')} y: yes, once, ${standing}n: no > `;
      const answer = (await question(text)).toLowerCase();
      if (['y', 'yes'].includes(answer)) return { outcome: 'approved' };
      if (['n', 'no'].includes(answer)) return { outcome: 'denied', reason: 'the person said no' };
      const [, letter, number = '1'] = /^([sa])(\d?)$/.exec(answer) ?? [];
      const rule = rules[Number(number) - 1]?.rule;
      if (letter !== undefined && rule !== undefined) {
        return { outcome: 'approved', scope: letter === 's' ? 'session' : 'always', rule };
      }
    }
  };

  return {
    ask(ask, signal) {
      const answer = last.then(() => put(ask, signal)).catch((): AskReply => ({ outcome: 'unanswered' }));
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
export function inputText(input: unknown): string {
  const whole = harmless(JSON.stringify(input, null, 2) ?? '');
  const shown = cutEnd(whole, INPUT_CHARS);
  const rest = whole.length - shown.length;
  return (rest > 0 ? `${shown}… ${rest} more characters` : shown).replace(/^/gm, '  ');
}
