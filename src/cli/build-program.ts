import { Command, Option } from 'commander';
import {
  addMcpOptions,
  addRuleOptions,
  addRuntimeOptions,
  addSandboxServeOptions,
  addSessionOptions,
  addToolOptions,
  positiveInteger,
} from './flags.ts';
import type { Io } from './io.ts';

/** Where a command puts its exit code. */
export interface Outcome {
  code: number;
}

export interface ProgramOptions {
  readonly io: Io;
  readonly version: string;
  readonly outcome: Outcome;
  /** Gets the help that stands in for a missing command. */
  readonly onHelp: (text: string) => void;
}

/** The command line. Each command's own file is read when that command runs. */
export function buildProgram({ io, version, outcome, onHelp }: ProgramOptions): Command {
  const program = new Command('toolwright')
    .description('The tool-and-skill layer of an AI agent, on the command line.')
    .version(version, '-V, --version')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void io.out(text),
      writeErr: onHelp,
    })
    .configureHelp({ showGlobalOptions: true })
    .showSuggestionAfterError(true);
  const command = (parent: Command, spec: string, about: string) => {
    const made = parent
      .command(spec)
      .description(about)
      .option('--json', 'print machine-readable output and nothing else')
      .option('--debug', 'with an error, print its trace');
    return made;
  };
  /** Runs a command's file with the arguments that commander gives before its own objects. */
  const runs =
    <Arguments extends unknown[]>(
      load: () => Promise<(io: Io, options: never, ...args: Arguments) => Promise<number>>,
    ) =>
    async (...given: unknown[]) => {
      const args = given.slice(0, -2) as Arguments;
      outcome.code = await (await load())(io, given.at(-2) as never, ...args);
    };

  const run = command(
    program,
    'run [prompt]',
    'run a prompt to its end; the prompt is read from stdin when it is not given',
  );
  addSessionOptions(addRuleOptions(addToolOptions(addRuntimeOptions(run))));
  run.action(runs(async () => (await import('./commands/run.ts')).run));

  const chat = command(program, 'chat', 'prompt after prompt in one session');
  addSessionOptions(addRuleOptions(addToolOptions(addRuntimeOptions(chat))));
  chat.action(runs(async () => (await import('./commands/chat.ts')).chat));

  const tools = program.command('tools').description('the tools: what there is, what they take, one call by hand');
  const list = command(tools, 'list', 'the tools of this folder');
  addToolOptions(addRuntimeOptions(list)).option('--format <provider>', 'as that provider is sent them');
  list.action(runs(async () => (await import('./commands/tools-list.ts')).toolsList));
  const show = command(tools, 'show <name>', 'one tool: its input, traits and other names');
  addToolOptions(addRuntimeOptions(show)).option('--format <provider>', 'as that provider is sent it');
  show.action(runs(async () => (await import('./commands/tools-show.ts')).toolsShow));
  const call = command(tools, 'call <name> [input]', 'call one tool, its input as JSON');
  addRuleOptions(addToolOptions(addRuntimeOptions(call))).option('--session <id>', 'keep the call with that session');
  call.action(runs(async () => (await import('./commands/tools-call.ts')).toolsCall));
  const search = command(tools, 'search <query>', 'tools whose name or description has these words');
  addToolOptions(addRuntimeOptions(search)).option('--limit <n>', 'tools at the most', positiveInteger, 10);
  search.action(runs(async () => (await import('./commands/tools-search.ts')).toolsSearch));

  const sessions = program.command('sessions').description('what was run: the kept conversations');
  const sessionList = command(sessions, 'list', 'sessions, newest first');
  addRuntimeOptions(sessionList).option('--limit <n>', 'sessions at the most', positiveInteger, 20);
  sessionList.action(runs(async () => (await import('./commands/sessions-list.ts')).sessionsList));
  const sessionShow = command(sessions, 'show <id>', 'one session with its messages');
  addRuntimeOptions(sessionShow);
  sessionShow.action(runs(async () => (await import('./commands/sessions-show.ts')).sessionsShow));

  const sessionResume = command(sessions, 'resume <id>', 'mend what a crash left of a session; nothing is run');
  addToolOptions(addRuntimeOptions(sessionResume));
  sessionResume.action(runs(async () => (await import('./commands/sessions-resume.ts')).sessionsResume));
  const sessionExport = command(sessions, 'export <id>', 'all that is kept of a session');
  addRuntimeOptions(sessionExport).addOption(
    new Option('--format <format>', 'JSON with messages and events, or a page to read').choices(['json', 'md']),
  );
  sessionExport.action(runs(async () => (await import('./commands/sessions-export.ts')).sessionsExport));
  const sessionReplay = command(sessions, 'replay <id>', 'show a session as it was shown when it ran');
  addRuntimeOptions(sessionReplay);
  sessionReplay.action(runs(async () => (await import('./commands/sessions-replay.ts')).sessionsReplay));

  const sandbox = program.command('sandbox').description('where commands and files happen');
  const serve = command(sandbox, 'serve', 'let others run commands and use files on this machine, with a token');
  addSandboxServeOptions(serve);
  serve.action(runs(async () => (await import('./commands/sandbox-serve.ts')).sandboxServe));

  const mcp = program.command('mcp').description('MCP servers: which there are, and whether they are well');
  const mcpList = command(mcp, 'list', 'the configured servers, each tried once');
  addRuntimeOptions(mcpList).action(runs(async () => (await import('./commands/mcp-list.ts')).mcpList));
  const mcpAdd = command(
    mcp,
    'add <name> <target> [args...]',
    'add a server: a command and its arguments, or an address',
  );
  addMcpOptions(addRuntimeOptions(mcpAdd)).action(runs(async () => (await import('./commands/mcp-add.ts')).mcpAdd));
  const mcpRemove = command(mcp, 'remove <name>', 'take a server out of the settings');
  addRuntimeOptions(mcpRemove)
    .option('--project', "of the folder's own settings instead of the home's")
    .action(runs(async () => (await import('./commands/mcp-remove.ts')).mcpRemove));
  const mcpTest = command(mcp, 'test <name>', 'connect one server, list its tools, and tell how long it took');
  addRuntimeOptions(mcpTest)
    .option('--login', 'without a terminal, too, wait for a login where the server asks for one')
    .action(runs(async () => (await import('./commands/mcp-test.ts')).mcpTest));

  const demo = command(program, 'demo', 'a tour in which real tools work on a real folder, with no key and offline');
  demo.action(runs(async () => (await import('./commands/demo.ts')).demo));
  const doctor = command(program, 'doctor', 'what this machine and this folder have, and what is missing');
  addRuntimeOptions(doctor);
  doctor.action(runs(async () => (await import('./commands/doctor.ts')).doctor));
  return program;
}
