import { resolve } from 'node:path';
import { changeSettingsFile, ToolwrightError } from '../../runtime/index.ts';
import type { RuntimeFlags } from '../flags.ts';
import type { Io } from '../io.ts';
import { UsageError } from '../report-error.ts';

export interface McpAddFlags extends RuntimeFlags {
  readonly project?: boolean;
  readonly type?: string;
  readonly env?: readonly string[];
  readonly header?: readonly string[];
  readonly trusted?: boolean;
  readonly parallel?: boolean;
}

/** Writes a server's entry into the home's settings, or the project's; an entry of that name is not written over. */
export async function mcpAdd(io: Io, flags: McpAddFlags, name: string, words: readonly string[]): Promise<number> {
  const entry = toEntry(flags, words);
  const { path } = await changeSettingsFile(
    { cwd: resolve(flags.cwd ?? '.'), project: flags.project === true },
    (settings) => {
      const servers = (settings['mcpServers'] ?? {}) as Record<string, unknown>;
      if (name in servers) {
        throw new ToolwrightError('conflict', `there is a server ${name} already`, {
          hint: `Remove it first: toolwright mcp remove ${name}`,
        });
      }
      return { ...settings, mcpServers: { ...servers, [name]: entry } };
    },
  );
  await io.out(
    flags.json === true
      ? `${JSON.stringify({ name, path, entry })}\n`
      : `${name} is in ${path} now. Try it: toolwright mcp test ${name}\n`,
  );
  return 0;
}

function toEntry(
  { type, env = [], header = [], trusted, parallel }: McpAddFlags,
  words: readonly string[],
): Record<string, unknown> {
  const [first, ...args] = words;
  if (first === undefined)
    throw new UsageError('a command or an address is missing', 'toolwright mcp add NAME -- COMMAND ARG…, or NAME URL');
  const flags = { ...(trusted ? { trusted } : {}), ...(parallel ? { parallel } : {}) };
  if (/^https?:\/\//i.test(first)) {
    if (args.length > 0) throw new UsageError(`"${args[0]}" stands behind the address`, 'An address stands alone.');
    return { ...(type === undefined ? {} : { type }), url: first, ...pairs('headers', header, ':'), ...flags };
  }
  return { command: first, ...(args.length > 0 ? { args } : {}), ...pairs('env', env, '='), ...flags };
}

function pairs(key: string, texts: readonly string[], sign: string): Record<string, unknown> {
  if (texts.length === 0) return {};
  const entries = texts.map((text) => {
    const at = text.indexOf(sign);
    if (at <= 0) throw new UsageError(`"${text}" has no "${sign}"`, `Write NAME${sign}VALUE.`);
    return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
  });
  return { [key]: Object.fromEntries(entries) };
}
