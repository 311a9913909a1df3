import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { parseEnv } from 'node:util';
import { ToolwrightError } from '../core/index.ts';

export type Env = Readonly<Record<string, string | undefined>>;

export interface EnvVariable {
  readonly name: string;
  /** What stands when it is not set; empty: nothing. */
  readonly default: string;
  readonly description: string;
}

/** Every variable that the code reads, and nothing else; `.env.example` is proved from it. */
export const ENV_VARIABLES = [
  { name: 'TOOLWRIGHT_HOME', default: '~/.toolwright', description: 'Folder of the database, outputs and settings.' },
  { name: 'TOOLWRIGHT_MODEL', default: 'manual', description: 'Model of a run that names none, as provider/name.' },
  {
    name: 'FALLBACK_MODEL',
    default: '',
    description: 'Model that serves a turn at which the first one failed for good.',
  },
  { name: 'TOOLWRIGHT_CONTEXT_WINDOW', default: '', description: "The model's input window in tokens." },
  { name: 'TOOLWRIGHT_TOOL_TIMEOUT_MS', default: '120000', description: 'Longest run of a tool that sets no limit.' },
  {
    name: 'TOOLWRIGHT_MAX_TOOL_RESULT_TOKENS',
    default: '12000',
    description: 'Most tokens of one result that a model is shown.',
  },
  { name: 'TOOLWRIGHT_TOOL_PROGRESS_ENABLED', default: 'true', description: 'Live output of running tools as events.' },
  {
    name: 'TOOLWRIGHT_TOOL_PROGRESS_FLUSH_INTERVAL_MS',
    default: '50',
    description: 'How long live output is gathered into one event; 0 sends each piece.',
  },
  {
    name: 'TOOLWRIGHT_TOOL_PROGRESS_FLUSH_BYTES',
    default: '16384',
    description: 'Bytes of live output that are sent at once.',
  },
  {
    name: 'TOOLWRIGHT_NETWORK_ALLOW',
    default: '',
    description: 'Hosts (host or host:port, comma-separated) that tools may reach.',
  },
  { name: 'TOOLWRIGHT_MCP_TOKEN', default: '', description: 'Token of the clients of `mcp serve --http`.' },
  {
    name: 'TOOLWRIGHT_TRUST_PROJECT',
    default: 'false',
    description: "Use the skills, hooks and MCP servers of the working folder's own files unasked.",
  },
  {
    name: 'TOOLWRIGHT_SANDBOX',
    default: 'passthrough',
    description: 'Where commands run: passthrough, local or remote.',
  },
  {
    name: 'TOOLWRIGHT_SANDBOX_TOKEN',
    default: '',
    description: 'Token of a remote sandbox, for `sandbox serve` and for who uses one.',
  },
  {
    name: 'OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT',
    default: 'false',
    description: 'Put arguments and results of calls, masked, into OpenTelemetry spans.',
  },
  { name: 'NO_COLOR', default: '', description: 'When set, the command line prints without colours.' },
  { name: 'FORCE_COLOR', default: '', description: 'When set and not 0, it prints colours to files and pipes, too.' },
  { name: 'TERM', default: '', description: 'When it is dumb, nothing on the terminal is painted over.' },
  { name: 'CI', default: '', description: 'When set, nothing on the terminal is painted over, either.' },
  { name: 'OPENAI_API_KEY', default: '', description: 'Key for openai/NAME.' },
  {
    name: 'OPENAI_BASE_URL',
    default: '',
    description: 'Another server that speaks the same protocol, for openai/NAME.',
  },
  { name: 'ANTHROPIC_API_KEY', default: '', description: 'Key for anthropic/NAME.' },
  { name: 'ANTHROPIC_BASE_URL', default: '', description: 'Another address for anthropic/NAME.' },
  { name: 'GOOGLE_API_KEY', default: '', description: 'Key for google/NAME.' },
  { name: 'GEMINI_API_KEY', default: '', description: 'The same, under its other name.' },
  { name: 'GOOGLE_GENERATIVE_AI_API_KEY', default: '', description: 'The same, under a third name.' },
  { name: 'GOOGLE_BASE_URL', default: '', description: 'Another address for google/NAME.' },
  { name: 'DASHSCOPE_API_KEY', default: '', description: 'Key for dashscope/NAME.' },
  { name: 'DASHSCOPE_BASE_URL', default: '', description: 'Another address for dashscope/NAME.' },
  { name: 'DEEPSEEK_API_KEY', default: '', description: 'Key for deepseek/NAME.' },
  { name: 'DEEPSEEK_BASE_URL', default: '', description: 'Another address for deepseek/NAME.' },
  { name: 'OLLAMA_BASE_URL', default: '', description: 'Another address for ollama/NAME.' },
] as const satisfies readonly EnvVariable[];

type Name = (typeof ENV_VARIABLES)[number]['name'];

/** What the variables say, typed; absent where they say nothing. */
export interface EnvSettings {
  readonly home: string;
  readonly model?: string;
  readonly fallbackModel?: string;
  readonly contextWindow?: number;
  readonly toolTimeoutMs?: number;
  readonly maxResultTokens?: number;
  readonly progressEnabled?: boolean;
  readonly progressIntervalMs?: number;
  readonly progressBytes?: number;
  readonly networkAllow: readonly string[];
  readonly mcpToken?: string;
  readonly trustProject?: boolean;
  readonly sandbox?: string;
}

/** Whose key each address would be sent. */
const KEYS_OF_ADDRESS: Readonly<Record<string, readonly Name[]>> = {
  OPENAI_BASE_URL: ['OPENAI_API_KEY'],
  ANTHROPIC_BASE_URL: ['ANTHROPIC_API_KEY'],
  GOOGLE_BASE_URL: ['GOOGLE_API_KEY', 'GEMINI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
  DASHSCOPE_BASE_URL: ['DASHSCOPE_API_KEY'],
  DEEPSEEK_BASE_URL: ['DEEPSEEK_API_KEY'],
};

/** What a folder may not say of itself. */
const ONLY_OF_THE_PROCESS = [
  'TOOLWRIGHT_HOME',
  'TOOLWRIGHT_TRUST_PROJECT',
  'TOOLWRIGHT_SANDBOX',
] as const satisfies readonly Name[];

export interface HostEnv {
  readonly env: Env;
  /** What of the `.env` was passed over, one line each. */
  readonly warnings: readonly string[];
}

/**
 * The process's variables over those of the folder's `.env`, which may not send a key that it does not hold
 * itself to an address of its choice. The one place that reads `process.env`.
 */
export async function hostEnv(cwd: string, env: Env = process.env): Promise<HostEnv> {
  const path = join(cwd, '.env');
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) return { env, warnings: [] };
  const own = parseEnv(text) as Record<string, string>;
  const warnings: string[] = [];
  for (const [address, keys] of Object.entries(KEYS_OF_ADDRESS)) {
    const key = keys.find((name) => env[name]);
    if (key === undefined || own[address] === undefined || env[address] !== undefined) continue;
    delete own[address];
    warnings.push(`${path}: ${address} has no effect, since ${key} is the process's own; set it there, too`);
  }
  for (const name of ONLY_OF_THE_PROCESS) {
    if (own[name] === undefined || env[name] !== undefined) continue;
    delete own[name];
    warnings.push(`${path}: ${name} has no effect in a file of the folder; set it in the process`);
  }
  return { env: { ...own, ...env }, warnings };
}

/** Throws ToolwrightError `invalid_request` naming the variable that makes no sense. */
export function envSettings(env: Env): EnvSettings {
  const text = (name: Name) => env[name]?.trim() || undefined;
  const number = (name: Name, least: number) => {
    const value = text(name);
    if (value === undefined) return undefined;
    if (/^\d{1,15}$/.test(value) && Number(value) >= least) return Number(value);
    throw new ToolwrightError('invalid_request', `${name} is "${value}", not a whole number of at least ${least}`, {
      hint: `Set ${name} to a number, or unset it for the default.`,
    });
  };
  const flag = (name: Name) => {
    const value = text(name)?.toLowerCase();
    if (value === undefined) return undefined;
    if (['1', 'true', 'yes', 'on'].includes(value)) return true;
    if (['0', 'false', 'no', 'off'].includes(value)) return false;
    throw new ToolwrightError('invalid_request', `${name} is "${value}", not true or false`);
  };
  return defined({
    home: homeFolder(text('TOOLWRIGHT_HOME')),
    model: text('TOOLWRIGHT_MODEL'),
    fallbackModel: text('FALLBACK_MODEL'),
    contextWindow: number('TOOLWRIGHT_CONTEXT_WINDOW', 1),
    toolTimeoutMs: number('TOOLWRIGHT_TOOL_TIMEOUT_MS', 1),
    maxResultTokens: number('TOOLWRIGHT_MAX_TOOL_RESULT_TOKENS', 1),
    progressEnabled: flag('TOOLWRIGHT_TOOL_PROGRESS_ENABLED'),
    progressIntervalMs: number('TOOLWRIGHT_TOOL_PROGRESS_FLUSH_INTERVAL_MS', 0),
    progressBytes: number('TOOLWRIGHT_TOOL_PROGRESS_FLUSH_BYTES', 1),
    mcpToken: text('TOOLWRIGHT_MCP_TOKEN'),
    trustProject: flag('TOOLWRIGHT_TRUST_PROJECT'),
    sandbox: text('TOOLWRIGHT_SANDBOX'),
    networkAllow: (text('TOOLWRIGHT_NETWORK_ALLOW') ?? '')
      .split(',')
      .map((host) => host.trim())
      .filter((host) => host !== ''),
  });
}

function homeFolder(value: string | undefined): string {
  if (value === undefined) return join(homedir(), '.toolwright');
  if (value === '~' || value.startsWith('~/')) return join(homedir(), value.slice(1));
  if (isAbsolute(value)) return value;
  throw new ToolwrightError('invalid_request', `TOOLWRIGHT_HOME is "${value}", which is not an absolute path`);
}

type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** The same object without the keys that hold undefined. */
export function defined<T extends object>(value: T): Defined<T> {
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined)) as Defined<T>;
}
