import { z } from 'zod';
import { defineTool, type ToolContext, type ToolOutput, textOf } from '../../core/index.ts';
import { blockMs, REPORT_MS } from '../run-bash/command-options.ts';
import { findShellTask, type ShellTask, stillRunning } from '../run-bash/shell-task.ts';
import { createTextTail, type TextTail } from '../run-bash/text-tail.ts';
import { waitForJob } from '../run-bash/wait-for-job.ts';
import { createLinePattern, type LinePattern } from './line-pattern.ts';

const DEFAULT_BLOCK_MS = 600_000;
const BEFORE_CHARS = 4_096;

const input = z.strictObject({
  task_id: z.string().min(1).describe('As run_bash gave it.'),
  block_until_ms: blockMs(DEFAULT_BLOCK_MS),
  pattern: z
    .string()
    .min(1)
    .optional()
    .describe(
      'A JavaScript regular expression: return as soon as it is found in what was printed since the start (of older output the last 64 KB).',
    ),
});

/** Waits for a background command: for its end, for a text, or for some time. */
export const awaitShell = defineTool({
  name: 'await_shell',
  description:
    'Waits until a background command of run_bash has ended, or has printed what pattern describes, or block_until_ms has passed, and gives what there is: the whole result, or the output so far. Waiting costs nothing and never ends the command.',
  input,
  traits: {
    readOnly: true,
    waits: true,
    polling: true,
    interrupt: 'cancel',
    timeoutMs: ({ block_until_ms = DEFAULT_BLOCK_MS }) => block_until_ms + REPORT_MS,
  },
  claims: () => [],
  async run({ task_id, block_until_ms = DEFAULT_BLOCK_MS, pattern }, ctx): Promise<ToolOutput> {
    const find = pattern === undefined ? undefined : createLinePattern(pattern);
    const { task, tasks } = findShellTask(ctx, task_id);
    const found = await waitForText(task, block_until_ms, find, ctx);
    const output = task.job.output(task.id);
    const data = { ...(output.data as object), matched_pattern: found !== undefined, matched_text: found ?? null };
    if (task.job.status !== 'running') {
      tasks.told(task.id);
      return { ...output, data };
    }
    const why =
      found === undefined ? `still running after ${block_until_ms / 1_000} s` : `printed ${JSON.stringify(found)}`;
    return {
      content: [textOf(output.content), stillRunning(task, why)].filter((part) => part !== '').join('\n'),
      data,
    };
  },
});

/** What the pattern found, once there is something to tell. Shows what is printed meanwhile. */
async function waitForText(
  { job }: ShellTask,
  ms: number,
  find: LinePattern | undefined,
  ctx: ToolContext,
): Promise<string | undefined> {
  let found = find?.(job.recentOf('stdout')) ?? find?.(job.recentOf('stderr'));
  /** A text may come in pieces: what stands before a piece on its own stream is looked at again. */
  const before = { stdout: linesBefore(job.recentOf('stdout')), stderr: linesBefore(job.recentOf('stderr')) };
  let fault: unknown;
  const end = await waitForJob(job, found === undefined ? ms : 0, ctx, (stop) =>
    job.listen((raw, stream, lines, line) => {
      ctx.progress(raw, stream);
      if (!find || found !== undefined || fault !== undefined) return;
      try {
        found = find(before[stream].text + lines + line);
        before[stream].add(lines);
      } catch (error) {
        fault = error;
      }
      if (found !== undefined || fault !== undefined) stop();
    }),
  );
  if (fault !== undefined) throw fault;
  if (end === 'aborted') throw ctx.signal.reason;
  return found;
}

/** The whole lines of a text: the unfinished one comes again with its rest. */
function linesBefore(text: string): TextTail {
  const tail = createTextTail(BEFORE_CHARS);
  tail.add(text.slice(0, text.lastIndexOf('\n') + 1));
  return tail;
}
