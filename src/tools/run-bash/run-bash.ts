import {
  type CallError,
  callError,
  defineTool,
  type ToolContext,
  type ToolOutput,
  ToolwrightError,
  toCallError,
} from '../../core/index.ts';
import { DEFAULT_BLOCK_MS, DEFAULT_LIMIT_MS, REPORT_MS, type RunBashInput, runBashInput } from './command-options.ts';
import { createShellTask, stillRunning } from './shell-task.ts';
import { type Job, startJob } from './start-job.ts';
import { waitForJob } from './wait-for-job.ts';

/** Longest wait inside of the call, for the case that nothing can be left in the background. */
const limitOf = ({ timeout_ms, block_until_ms = DEFAULT_BLOCK_MS }: RunBashInput) =>
  timeout_ms ?? Math.max(DEFAULT_LIMIT_MS, block_until_ms);

/** Runs a command in a shell; waits for its end, or leaves it in the background. */
export const runBash = defineTool({
  name: 'run_bash',
  description: `Runs a command with bash and waits until it ends. Each command starts anew in the working folder: cd and variables do not last from one to the next; write cd x && y, or give cwd. There is no terminal and no input: commands that would ask fail or get an empty answer, so use flags such as --yes. The answer holds stdout and stderr as they came, without colours and redrawn lines, and the exit code when it is not 0. A command that still runs after block_until_ms goes on in the background: the answer then says running and gives its task_id for await_shell and kill_shell. Give background: true to a server or a watcher. With timeout_ms it is ended after that time with all that it started. Prefer read_file, grep_files, glob_files, file_edit and file_write for files.`,
  input: runBashInput,
  traits: { interrupt: 'cancel', timeoutMs: (input) => limitOf(input) + REPORT_MS },
  aliases: [
    { name: 'execute_shell_command', input: { workdir: 'cwd', env_vars: 'env' } },
    { name: 'Bash', input: { timeout: 'timeout_ms', run_in_background: 'background' } },
  ],
  subjects: ({ command, env }) => [{ kind: 'command', value: command, ...(env === undefined ? {} : { env }) }],
  async run(input, ctx): Promise<ToolOutput> {
    if (input.command.trim() === '') throw new ToolwrightError('invalid_input', 'command: it is empty.');
    if (input.background && !ctx.tasks) {
      throw new ToolwrightError('unavailable', 'background: there is nothing here that keeps a command running.', {
        hint: 'Run it without background.',
      });
    }
    if (ctx.signal.aborted) throw new ToolwrightError('cancelled', 'The command was cancelled before it started.');
    const cwd = await findFolder(input.cwd ?? '.', ctx);
    const job = await startJob({ command: input.command, env: input.env, cwd }, ctx);
    const offProgress = job.listen((raw, stream) => ctx.progress(raw, stream));
    try {
      return await runJob(job, input, ctx);
    } finally {
      offProgress();
    }
  },
});

async function findFolder(path: string, ctx: ToolContext): Promise<string> {
  const folder = await ctx.roots.resolve(path, 'read');
  const stat = await ctx.sandbox.stat(folder.real);
  if (stat?.kind === 'directory') return folder.real;
  throw new ToolwrightError(
    stat ? 'invalid_input' : 'failed',
    `cwd: ${path} ${stat ? 'is not a folder' : 'does not exist'}.`,
    {
      hint: 'Leave cwd out to run in the working folder.',
    },
  );
}

async function runJob(job: Job, input: RunBashInput, ctx: ToolContext): Promise<ToolOutput> {
  const { timeout_ms, background = false } = input;
  const limit = timeout_ms ?? (ctx.tasks ? undefined : limitOf(input));
  let timer = limit === undefined ? undefined : ctx.clock.after(limit, () => void endForTime(job, limit));
  void job.ended.then(() => timer && ctx.clock.clear(timer));

  const block = background ? 0 : (input.block_until_ms ?? DEFAULT_BLOCK_MS);
  let end = await waitForJob(job, ctx.tasks ? block : Number.POSITIVE_INFINITY, ctx);
  if (end === 'time' && ctx.tasks) {
    const id = ctx.tasks.newId();
    const task = createShellTask(id, job);
    if (ctx.tasks.adopt(task)) {
      await job.keep();
      const output = job.output(id);
      if (job.status !== 'running') {
        ctx.tasks.told(id);
        return output;
      }
      const why = background ? 'started' : `still running after ${block / 1_000} s`;
      return { ...output, content: [output.content, stillRunning(task, why)].filter((part) => part !== '').join('\n') };
    }
    if (background) {
      await job.stop({ status: 'killed', error: tooMany() });
      return job.output(undefined);
    }
    const rest = limitOf(input) - job.durationMs;
    if (timeout_ms === undefined) timer = ctx.clock.after(rest, () => void endForTime(job, limitOf(input)));
    end = await waitForJob(job, Number.POSITIVE_INFINITY, ctx);
  }
  if (end === 'aborted') {
    await job.stop({ status: 'cancelled', error: toCallError(ctx.signal.reason, 'cancelled') });
  }
  return job.output(undefined);
}

function endForTime(job: Job, ms: number): Promise<void> {
  const message = `ended after ${ms / 1_000} s, its time limit, with all that it had started`;
  const hint = 'Give it less to do, or a longer timeout_ms.';
  return job.stop({ status: 'timeout', error: callError('timeout', message, { hint, retryable: true }) });
}

function tooMany(): CallError {
  return callError('failed', 'too many commands are running in the background, so it was ended', {
    hint: 'End one with kill_shell, or wait for one with await_shell.',
    retryable: true,
  });
}
