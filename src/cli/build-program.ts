import { Command, Option } from 'commander';
import {
  addMcpOptions,
  addRuleOptions,
  addRuntimeOptions,
  addSandboxOptions,
  addSandboxServeOptions,
  addSessionOptions,
  addToolOptions,
  positiveInteger,
} from './flags.ts';

import type { Io } from './io.ts';
import { addSkillCommands } from './skill-commands.ts';
import { addTaskCommands } from './task-commands.ts';

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
  addSessionOptions(addSandboxOptions(addRuleOptions(addToolOptions(addRuntimeOptions(run)))));
  run.action(runs(async () => (await import('./commands/run.ts')).run));

  const chat = command(program, 'chat', 'prompt after prompt in one session');
  addSessionOptions(addSandboxOptions(addRuleOptions(addToolOptions(addRuntimeOptions(chat)))));
  chat.action(runs(async () => (await import('./commands/chat.ts')).chat));

  const tools = program.command('tools').description('the tools: what there is, what they take, one call by hand');
  const list = command(tools, 'list', 'the tools of this folder');
  addToolOptions(addRuntimeOptions(list)).option('--format <provider>', 'as that provider is sent them');
  list.action(runs(async () => (await import('./commands/tools-list.ts')).toolsList));
  const show = command(tools, 'show <name>', 'one tool: its input, traits and other names');
  addToolOptions(addRuntimeOptions(show)).option('--format <provider>', 'as that provider is sent it');
  show.action(runs(async () => (await import('./commands/tools-show.ts')).toolsShow));
  const call = command(tools, 'call <name> [input]', 'call one tool, its input as JSON');
  addSandboxOptions(addRuleOptions(addToolOptions(addRuntimeOptions(call)))).option(
    '--session <id>',
    'keep the call with that session',
  );
  call.action(runs(async () => (await import('./commands/tools-call.ts')).toolsCall));
  const search = command(tools, 'search <query>', 'tools whose name or description has these words');
  addToolOptions(addRuntimeOptions(search)).option('--limit <n>', 'tools at the most', positiveInteger, 10);
  search.action(runs(async () => (await import('./commands/tools-search.ts')).toolsSearch));

  addSkillCommands(program, command, runs);

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

  addTaskCommands(program, command, runs);

  const sandbox = program.command('sandbox').description('where commands and files happen');
  const serve = command(sandbox, 'serve', 'let others run commands and use files on this machine, with a token');
  addSandboxServeOptions(serve);
  serve.action(runs(async () => (await import('./commands/sandbox-serve.ts')).sandboxServe));
  const audit = command(program, 'audit', 'who decided what, and what came of it');
  addRuntimeOptions(audit)
    .option('--session <id>', 'of that session only')
    .option('--limit <n>', 'newest rows at the most', positiveInteger, 50)
    .option('--verify', 'prove that no row was changed, dropped, put in or cut off');
  audit.action(runs(async () => (await import('./commands/audit.ts')).audit));

  const policy = program.command('policy').description('the rules: what they say of a call, and what others would say');
  const explain = command(policy, 'explain <name> [input]', 'what would become of a call and why; nothing runs');
  addRuleOptions(addToolOptions(addRuntimeOptions(explain)));
  explain.action(runs(async () => (await import('./commands/policy-explain.ts')).policyExplain));
  const policyReplay = command(policy, 'replay <file>', 'judge all kept calls again by the rules of a file');
  addRuntimeOptions(policyReplay);
  policyReplay.action(runs(async () => (await import('./commands/policy-replay.ts')).policyReplay));
  const asks = program.command('asks').description('questions to the person that wait, in this and other terminals');
  const askList = command(asks, 'list', 'what waits for an answer');
  addRuntimeOptions(askList).option('--session <id>', 'of that session only');
  askList.action(runs(async () => (await import('./commands/asks-list.ts')).asksList));
  const askAnswer = command(asks, 'answer <id> <answer>', 'yes, no, or answers to questions as a JSON object');
  addRuntimeOptions(askAnswer)
    .addOption(new Option('--for <scope>', 'how long a yes stands').choices(['once', 'session', 'always']))
    .option('--rule <rule>', 'one of the suggested rules; default: the narrowest')
    .addOption(new Option('--place <place>', 'where an always is written').choices(['home', 'project']))
    .option('--hash <hash>', 'the hash that was shown: refuse when something else is asked')
    .option('--reason <text>', 'why');
  askAnswer.action(runs(async () => (await import('./commands/asks-answer.ts')).asksAnswer));

  const mcp = program.command('mcp').description('MCP: servers whose tools are used here, and this house as a server');
  const mcpServe = command(mcp, 'serve', 'serve the tools to MCP clients, on stdin and stdout or by HTTP');
  addRuleOptions(addToolOptions(addRuntimeOptions(mcpServe)))
    .option('--http <port>', 'by Streamable HTTP, with a token (TOOLWRIGHT_MCP_TOKEN, or a new one on stderr)')
    .option('--host <address>', 'listen on that address instead of 127.0.0.1');
  mcpServe.action(runs(async () => (await import('./commands/mcp-serve.ts')).mcpServe));
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
