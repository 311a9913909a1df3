import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createRuntime, type Runtime, type Session } from '../../runtime/index.ts';
import { runtimeOptions, sessionOptions } from '../flag-options.ts';
import type { RuleFlags, SessionFlags, ToolFlags } from '../flags.ts';
import type { Io } from '../io.ts';
import { knownSession } from '../known-session.ts';
import { createRunView } from '../render/run-view.ts';
import { createStyle } from '../render/style.ts';

type Flags = ToolFlags & RuleFlags & SessionFlags;

const HISTORY_LINES = 500;
const HELP = `A line is a prompt; a line that ends with \\ goes on in the next one.
/help shows this, /exit leaves. Ctrl-C cancels what runs; at the prompt, or a second time, it leaves.
`;

/** A conversation: prompt after prompt in one session, until the input ends or the person leaves. */
export async function chat(io: Io, flags: Flags): Promise<number> {
  const options = sessionOptions(flags);
  const runtime = await createRuntime(runtimeOptions(flags));
  try {
    if (flags.session !== undefined) await knownSession(runtime, flags.session);
    const session = await runtime.session(options);
    const code = await talk(io, flags, runtime, session);
    io.err(createStyle(io.hasColor).dim(`session ${session.id}\n`));
    return code;
  } finally {
    await runtime.close();
  }
}

async function talk(io: Io, flags: Flags, runtime: Runtime, session: Session): Promise<number> {
  const historyFile = join(runtime.settings.home, 'history');
  const prompt = await io.openPrompt({ history: await readHistory(historyFile) });
  let running = false;
  let interrupts = 0;
  const onInterrupt = () => {
    interrupts++;
    if (!running || interrupts > 1) prompt.close();
    if (running) session.cancel();
  };
  const release = io.onInterrupt(onInterrupt);
  prompt.on('SIGINT', onInterrupt);
  let unfinished = '';
  try {
    if (io.isInteractive) await io.out('Type a prompt; /help says more.\n');
    const ask = () => {
      prompt.setPrompt(unfinished === '' ? '> ' : '… ');
      if (io.isInteractive) prompt.prompt();
    };
    ask();
    for await (const line of prompt) {
      if (line.endsWith('\\')) {
        unfinished += `${line.slice(0, -1)}\n`;
        ask();
        continue;
      }
      const input = (unfinished + line).trim();
      unfinished = '';
      if (input === '/exit') break;
      if (input === '/help') await io.out(HELP);
      else if (input !== '') {
        if (io.isInteractive) await appendFile(historyFile, `${input.replaceAll('\n', ' ')}\n`).catch(() => {});
        running = true;
        interrupts = 0;
        await answer(io, flags, session, input);
        running = false;
      }
      ask();
    }
    return interrupts > 0 ? 130 : 0;
  } finally {
    release();
    prompt.close();
  }
}

async function answer(io: Io, flags: Flags, session: Session, input: string): Promise<void> {
  const view = createRunView({
    style: createStyle(io.hasColor),
    width: io.columns,
    thinking: flags.thinking === true,
  });
  const run = session.run(input);
  for await (const events of run.batches()) await io.out(events.map((event) => view.push(event)).join(''));
  const { reason, error } = await run.result;
  if (reason === 'error') io.err(`toolwright: ${error?.code}: ${error?.message}\n`);
}

/** Newest first, as a prompt takes it. */
async function readHistory(file: string): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.slice(-HISTORY_LINES).reverse();
}
