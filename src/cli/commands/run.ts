import { type Model, messageOf, ToolwrightError } from '../../core/index.ts';
import { createRuntime, type Session } from '../../runtime/index.ts';
import { type AskPerson, createAskPerson } from '../ask-person.ts';
import { runtimeOptions, sessionOptions } from '../flag-options.ts';
import type { RuleFlags, SessionFlags, ToolFlags } from '../flags.ts';
import type { Io } from '../io.ts';
import { knownSession } from '../known-session.ts';
import type { RunDisplay } from '../render/display.ts';
import { createRunDisplay } from '../render/run-display.ts';
import { createStyle } from '../render/style.ts';
import { UsageError } from '../report-error.ts';
import { tellSession } from '../tell-session.ts';

type Flags = ToolFlags & RuleFlags & SessionFlags;

/** One prompt to its end. The first interrupt cancels, the second does not wait, the third leaves at once. */
export async function run(io: Io, flags: Flags, prompt: string | undefined): Promise<number> {
  const options = sessionOptions(flags);
  const input = prompt === undefined || prompt === '-' ? (await io.readInput())?.replace(/\r?\n$/, '') : prompt;
  if (input === undefined || input.trim() === '') {
    throw new UsageError('there is no prompt', 'Give it as an argument, or through stdin.');
  }
  const runtime = await createRuntime(runtimeOptions(flags));
  try {
    for (const warning of runtime.warnings) io.err(`toolwright: ${warning}\n`);
    if (flags.session !== undefined) await knownSession(runtime, flags.session);
    const model = await runtime.model(flags.model);
    const hasPerson = io.isInteractive && flags.json !== true;
    const display = createRunDisplay(io, flags);
    const person = createAskPerson(io, (callId, body) =>
      display.aside(callId, async () => {
        const prompt = await io.openPrompt();
        return body(prompt).finally(() => prompt.close());
      }),
    );
    const session = await runtime.session({ ...options, model, ...(hasPerson ? { onAsk: person.ask } : {}) });
    tellSession(io, session, runtime);
    const code = await follow({ io, flags, session, display, person }, input);
    if (code === 0) checkScript(model);
    return code;
  } finally {
    await runtime.close();
  }
}

/** A scripted model with steps left was not followed. */
function checkScript(model: Model): void {
  if (!('assertDone' in model) || typeof model.assertDone !== 'function') return;
  try {
    model.assertDone();
  } catch (error) {
    throw new ToolwrightError('failed', messageOf(error), { hint: 'Mend the script, or set its `strict` to false.' });
  }
}

interface Following {
  readonly io: Io;
  readonly flags: Flags;
  readonly session: Session;
  readonly display: RunDisplay;
  readonly person: AskPerson;
}

async function follow({ io, flags, session, display, person }: Following, input: string): Promise<number> {
  let interrupts = 0;
  const stop = () => {
    interrupts++;
    session.cancel();
  };
  const release = io.onInterrupt(() => {
    stop();
    if (interrupts > 2) process.exit(130);
    if (interrupts === 1) display.tell('\ntoolwright: stopping; once more to stop at once\n');
  });
  // Nobody reads any more: there is nobody to tell.
  io.gone.addEventListener('abort', stop, { once: true });
  try {
    const running = session.run(input);
    let began = false;
    for await (const events of running.batches()) {
      if (!began) for (const repair of session.repairs) display.tell(`toolwright: mended: ${repair}\n`);
      began = true;
      await display.show(events);
      person.shown(events);
    }
    await display.close();
    const { reason, error } = await running.result;
    if (flags.json !== true && !io.isTerminal && error !== undefined)
      io.err(`toolwright: ${error.code}: ${error.message}\n`);
    if (flags.json !== true) io.err(createStyle(io.hasColor).dim(`session ${session.id}\n`));
    if (interrupts > 0 || reason === 'cancelled') return 130;
    return reason === 'stop' ? 0 : 1;
  } finally {
    await display.close();
    release();
  }
}
