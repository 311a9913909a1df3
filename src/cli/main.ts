import { readFile } from 'node:fs/promises';
import { CommanderError } from 'commander';
import { buildProgram, type Outcome } from './build-program.ts';
import { type Io, processIo } from './io.ts';
import { type ReportOptions, reportError, UsageError } from './report-error.ts';

/** How long what a finished command left behind may keep the process alive. */
const LINGER_MS = 1_000;

/** Runs one command line; gives its exit code: 0 ok, 1 failed, 2 usage, 130 interrupted. */
export async function main(argv: readonly string[], given?: Io): Promise<number> {
  const io = given ?? processIo();
  const json = argv.includes('--json');
  const debug = argv.includes('--debug');
  const outcome: Outcome = { code: 0 };
  const help: string[] = [];
  let code: number;
  try {
    const program = buildProgram({ io, version: await version(), outcome, onHelp: (text) => help.push(text) });
    if (argv.length === 0) program.outputHelp();
    else await program.parseAsync(argv, { from: 'user' });
    code = outcome.code;
  } catch (error) {
    code = await codeOf(error, io, { json, debug }, help);
  }
  if (given === undefined) {
    process.exitCode = code;
    setTimeout(() => process.exit(code), LINGER_MS).unref();
  }
  return code;
}

async function codeOf(error: unknown, io: Io, options: ReportOptions, help: string[]): Promise<number> {
  if (!(error instanceof CommanderError)) return reportError(error, io, options);
  if (error.exitCode === 0) return 0;
  if (error.code === 'commander.help') {
    if (!options.json) io.err(help.join(''));
    return options.json ? reportError(new UsageError('a command is missing'), io, options) : 2;
  }
  const message = error.message.replace(/^error: /, '');
  return reportError(new UsageError(message, 'Run the command with --help to see what it takes.'), io, options);
}

/** Read here, so that --version and --help load nothing else. */
async function version(): Promise<string> {
  const text = await readFile(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
