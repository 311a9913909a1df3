import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type AgentEvent, ToolwrightError } from '../../core/index.ts';
import { createRuntime, hostEnv, type RuntimeOptions } from '../../runtime/index.ts';
import { encodeEvent } from '../../wire/index.ts';
import { lobby } from '../demo/lobby.ts';
import { type TourPrinter, takeTour } from '../demo/take-tour.ts';
import { TOUR, TOUR_GRANTS, type TourState } from '../demo/tour.ts';
import type { OutputFlags } from '../flags.ts';
import type { Io } from '../io.ts';
import { createRunView, type RunView } from '../render/run-view.ts';
import { createStyle } from '../render/style.ts';

const CHECKOUT = resolve(fileURLToPath(new URL('../../../', import.meta.url)));

/** The tour on this very checkout, in a home and a scratch folder of its own that are gone afterwards. */
export async function demo(io: Io, flags: OutputFlags, options: RuntimeOptions = {}): Promise<number> {
  const style = createStyle(io.hasColor);
  const view = createRunView({ style, width: io.columns });
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'toolwright-demo-')));
  const scratch = join(folder, 'scratch');
  await mkdir(scratch);
  const env = { ...(await hostEnv(folder)).env, TOOLWRIGHT_HOME: join(folder, 'home') };
  const runtime = await createRuntime({ cwd: CHECKOUT, env, model: 'manual', ...options });
  let interrupted = false;
  const release = io.onInterrupt(() => {
    if (interrupted) process.exit(130);
    interrupted = true;
    void runtime.close();
  });
  try {
    const granted = await runtime.session({ addDirs: [scratch], allow: TOUR_GRANTS, mode: 'standard' });
    const bare = await runtime.session({ addDirs: [scratch], mode: 'standard' });
    const state: TourState = {
      scratch,
      files: ['package.json', 'README.md', 'LICENSE', 'bin/toolwright.js'].filter((file) =>
        existsSync(join(CHECKOUT, file)),
      ),
      sources: existsSync(join(CHECKOUT, 'src')) ? 'src' : 'dist',
      stored: undefined,
    };
    const printer = flags.json === true ? jsonPrinter(io) : textPrinter(io, view);
    await printer.prose(
      `${style.bold('Toolwright: a tour')}\nNo key, no network: the model is "manual", which turns your lines into tool calls.\nThe tools are real and work on ${CHECKOUT}\n`,
    );
    const wrong = await takeTour(TOUR, { granted, bare }, state, printer, style);
    if (interrupted) return 130;
    if (wrong !== undefined) throw new ToolwrightError('failed', wrong, { hint: 'See what `toolwright doctor` says.' });
    await printer.prose(`\n${style.bold('What to try next')}\n${NEXT.map((line) => `  ${line}\n`).join('')}`);
    if (io.isInteractive && flags.json !== true) await lobby(io, granted, view);
    return 0;
  } catch (error) {
    if (interrupted) return 130;
    throw error;
  } finally {
    release();
    await runtime.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The manual model's own words would only repeat what the tour says. */
function textPrinter(io: Io, view: RunView): TourPrinter {
  const isAboutCalls = ({ type }: AgentEvent) => type !== 'text_delta' && type !== 'thinking_delta';
  return {
    prose: (text) => io.out(text),
    events: (events) =>
      io.out(
        events
          .filter(isAboutCalls)
          .map((event) => view.push(event))
          .join(''),
      ),
  };
}

function jsonPrinter(io: Io): TourPrinter {
  return { prose: async () => {}, events: (events) => io.out(events.map(encodeEvent).join('')) };
}

const NEXT = [
  `node bin/toolwright.js run 'read_file {"path":"package.json"}'`,
  `node bin/toolwright.js tools list`,
  `node bin/toolwright.js tools call grep_files '{"pattern":"defineTool","path":"src"}'`,
  `node bin/toolwright.js run --model openai/gpt-5 "What does this folder do?"   (with OPENAI_API_KEY set)`,
  `node bin/toolwright.js doctor`,
];
