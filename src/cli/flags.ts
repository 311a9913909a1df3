import { type Command, InvalidArgumentError, Option } from 'commander';
import type { PermissionMode } from '../core/index.ts';
import type { AgentMode, SandboxKind, SandboxSettings } from '../runtime/index.ts';

export interface OutputFlags {
  readonly json?: boolean;
  readonly debug?: boolean;
}

export interface RuntimeFlags extends OutputFlags {
  readonly cwd?: string;
  readonly trustProject?: boolean;
}

export interface ToolFlags extends RuntimeFlags {
  readonly tools?: string;
  readonly toolsDir?: readonly string[];
  readonly agentMode?: AgentMode;
  readonly addDir?: readonly string[];
  readonly sandbox?: SandboxSettings['kind'];
  readonly env?: readonly string[];
}

export interface RuleFlags {
  readonly allow?: readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
  readonly permissionMode?: PermissionMode;
}

export interface SessionFlags {
  readonly model?: string;
  readonly session?: string;
  readonly maxSteps?: number;
  readonly thinking?: boolean;
  readonly skills?: string;
}

export function addRuntimeOptions(command: Command): Command {
  return command
    .option('--cwd <dir>', 'work in that folder')
    .option('--trust-project', "use the skills, hooks and MCP servers of that folder's own files");
}

export function addToolOptions(command: Command): Command {
  return command
    .option('--tools <names>', 'only these tools, comma-separated; an empty list means none')
    .option('--tools-dir <dir>', 'load every tool that the modules of that folder export (repeatable)', gather)
    .option('--add-dir <dir>', 'another folder that tools may touch (repeatable)', gather)
    .addOption(new Option('--agent-mode <mode>', 'which helpers there are').choices(['solo', 'fibre', 'team']));
}

/** Written out: --help and --version load no room. */
const KINDS: readonly SandboxSettings['kind'][] = ['passthrough', 'local', 'remote'];

/** For commands that run tools. */
export function addSandboxOptions(command: Command): Command {
  return command
    .addOption(new Option('--sandbox <kind>', 'where commands run').choices(KINDS))
    .option('--env <name>', 'a variable that commands get, too; NAME=value sets one (repeatable)', gather);
}

export function addRuleOptions(command: Command): Command {
  return command
    .option('--allow <rule>', 'a call that needs no asking, such as run_bash (repeatable)', gather)
    .option('--ask <rule>', 'a call that must be asked for (repeatable)', gather)
    .option('--deny <rule>', 'a call that is refused (repeatable)', gather)
    .addOption(
      new Option('--permission-mode <mode>', 'what becomes of a call that no rule names').choices([
        'open',
        'standard',
        'strict',
      ]),
    );
}

export function addSessionOptions(command: Command): Command {
  return command
    .option('--model <model>', 'provider/name, script:FILE, replay:SESSION or manual')
    .option('--skills <names>', 'only these skills, comma-separated; an empty list means none')
    .option('--session <id>', 'go on with that session')
    .option('--max-steps <n>', 'model replies at the most', positiveInteger)
    .option('--thinking', 'ask the model to think first');
}

const SERVED_KINDS: readonly SandboxKind[] = ['passthrough', 'local'];

export function addSandboxServeOptions(command: Command): Command {
  return command
    .option('--port <n>', 'port to listen on; 0 takes any that is free', portNumber, 4171)
    .option('--host <host>', 'address to listen on; any but a loopback one needs a token of your own', '127.0.0.1')
    .option('--root <dir>', 'a folder that may be used; the default is the working folder (repeatable)', gather)
    .option('--token-env <name>', 'variable that holds the token', 'TOOLWRIGHT_SANDBOX_TOKEN')
    .option('--lease <minutes>', 'what nobody asks for is ended after so long', positiveInteger, 10)
    .addOption(
      new Option('--kind <kind>', 'what stands between commands and this machine')
        .choices(SERVED_KINDS)
        .default('passthrough'),
    );
}

function portNumber(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) < 65_536) return Number(text);
  throw new InvalidArgumentError('It is a number from 0 to 65535.');
}

export function addMcpOptions(command: Command): Command {
  return command
    .option('--project', "write the folder's own settings instead of the home's")
    .addOption(new Option('--transport <kind>', 'how it is reached').choices(['stdio', 'http', 'sse']))
    .option('--env <name=value>', 'a variable of the server (repeatable)', gather)
    .option('--header <name: value>', 'a header of each request (repeatable)', gather)
    .option('--trusted', 'believe what the server says about its tools')
    .option('--parallel', 'let its calls run side by side')
    .option('--pinned', 'ask again for a tool whose definition has changed');
}

export function positiveInteger(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It is a whole number of at least 1.');
}

const gather = (value: string, earlier: readonly string[] = []) => [...earlier, value];
