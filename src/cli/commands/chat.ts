import type { Interface } from 'node:readline/promises';
import { messageOf } from '../../core/index.ts';
import { createRuntime, type Session } from '../../runtime/index.ts';
import { type AskPerson, createAskPerson } from '../ask-person.ts';
import { type ChatHistory, openChatHistory } from '../chat-history.ts';
import { runtimeOptions, sessionOptions } from '../flag-options.ts';
import type { RuleFlags, SessionFlags, ToolFlags } from '../flags.ts';
import type { Io } from '../io.ts';
import { knownSession } from '../known-session.ts';
import type { RunDisplay } from '../render/display.ts';
import { createRunDisplay } from '../render/run-display.ts';
import { createStyle } from '../render/style.ts';
import { tellSession } from '../tell-session.ts';

type Flags = ToolFlags & RuleFlags & SessionFlags;

const HELP = `A line is a prompt; a line that ends with \\ goes on in the next one.
/help shows this, /exit leaves. Ctrl-C cancels what runs; at the prompt, or a second time, it leaves.
`;

/** A conversation: prompt after prompt in one session, until the input ends or the person leaves. */
export async function chat(io: Io, flags: Flags): Promise<number> {
  const options = sessionOptions(flags);
  const runtime = await createRuntime(runtimeOptions(flags));
  try {
    for (const warning of runtime.warnings) io.err(`toolwright: ${warning}\n`);
    if (flags.session !== undefined) await knownSession(runtime, flags.session);
    const hasPerson = io.isInteractive && flags.json !== true;
    let prompt: Interface | undefined;
    const screen: { current?: RunDisplay } = {};
    const person = createAskPerson(io, async (callId, body) => {
      const open = prompt;
      if (open === undefined) throw new Error('the prompt is closed');
      return screen.current === undefined ? body(open) : screen.current.aside(callId, () => body(open));
    });
    const session = await runtime.session({ ...options, ...(hasPerson ? { onAsk: person.ask } : {}) });
    tellSession(io, session, runtime);
    if (flags.session !== undefined) {
      for (const repair of await session.resume()) io.err(`toolwright: mended: ${repair}\n`);
    }
    const history = await openChatHistory(runtime.settings.home);
    prompt = await io.openPrompt({ history: history.lines });
    const code = await talk({ io, flags, session, history, prompt, person, hasPerson, screen });
    if (flags.json !== true) io.err(createStyle(io.hasColor).dim(`session ${session.id}\n`));
    return code;
  } finally {
    await runtime.close();
  }
}

interface Talk {
  readonly io: Io;
  readonly flags: Flags;
  readonly session: Session;
  readonly history: ChatHistory;
  readonly prompt: Interface;
  readonly person: AskPerson;
  readonly hasPerson: boolean;
  /** Where the reply under way is shown. */
  readonly screen: { current?: RunDisplay };
}

async function talk(parts: Talk): Promise<number> {
  const { io, flags, session, history, prompt, hasPerson } = parts;
  const tell = flags.json === true ? async (text: string) => io.err(text) : io.out;
  let running = false;
  let interrupts = 0;
  let left = false;
  let failed = false;
  const release = io.onInterrupt(() => {
    interrupts++;
    left ||= !running || interrupts > 1;
    if (left) prompt.close();
    if (running) session.cancel();
  });
  const onGone = () => {
    prompt.close();
    session.cancel();
  };
  io.gone.addEventListener('abort', onGone, { once: true });

  /** False when the person leaves. */
  const take = async (input: string): Promise<boolean> => {
    if (input === '/exit') return false;
    if (input === '/help') await tell(HELP);
    else if (input !== '') {
      if (hasPerson) await history.add(input);
      interrupts = 0;
      running = true;
      const ended = await answer(parts, input);
      running = false;
      if (!ended) failed = true;
    }
    return true;
  };
  let unfinished = '';
  const ask = () => {
    if (!hasPerson) return;
    prompt.setPrompt(unfinished === '' ? '> ' : '… ');
    // What was typed while a reply ran goes on where it was.
    prompt.prompt(true);
  };
  try {
    if (hasPerson) await tell('Type a prompt; /help says more.\n');
    ask();
    let goesOn = true;
    for await (const line of prompt) {
      if (line.endsWith('\\')) unfinished += `${line.slice(0, -1)}\n`;
      else {
        const input = (unfinished + line).trim();
        unfinished = '';
        goesOn = await take(input);
        if (!goesOn) break;
      }
      ask();
    }
    if (goesOn && !left) await take(unfinished.trim());
    if (left) return 130;
    return failed && !hasPerson ? 1 : 0;
  } finally {
    release();
    io.gone.removeEventListener('abort', onGone);
    prompt.close();
  }
}

/** Shows one reply as it comes; false when it failed. */
async function answer({ io, flags, session, person, screen }: Talk, input: string): Promise<boolean> {
  const display = createRunDisplay(io, flags);
  screen.current = display;
  const run = session.run(input);
  try {
    for await (const events of run.batches()) {
      await display.show(events);
      person.shown(events);
    }
    const { reason, error } = await run.result;
    await display.close();
    if (error !== undefined && !io.isInteractive) io.err(`toolwright: ${error.code}: ${error.message}\n`);
    return reason !== 'error';
  } catch (error) {
    await display.close();
    io.err(`toolwright: ${messageOf(error)}\n`);
    return false;
  } finally {
    delete screen.current;
  }
}
