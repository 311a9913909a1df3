import { mcpConfigPath, type ServerEntry, writeServer } from '../../runtime/index.ts';
import { runtimeOptions } from '../flag-options.ts';
import type { RuntimeFlags } from '../flags.ts';
import type { Io } from '../io.ts';
import { UsageError } from '../report-error.ts';

export interface McpAddFlags extends RuntimeFlags {
  readonly project?: boolean;
  readonly transport?: 'stdio' | 'http' | 'sse';
  readonly env?: readonly string[];
  readonly header?: readonly string[];
  readonly trusted?: boolean;
  readonly parallel?: boolean;
  readonly pinned?: boolean;
}

/** Writes a server into the settings of the home, or with --project of the folder. Nothing is started. */
export async function mcpAdd(
  io: Io,
  flags: McpAddFlags,
  name: string,
  target: string,
  args: readonly string[],
): Promise<number> {
  if (name.trim() === '') throw new UsageError('the name of the server is empty');
  const path = await mcpConfigPath(runtimeOptions(flags), flags.project === true);
  await writeServer(path, name, entryOf(flags, target, args));
  await io.out(flags.json === true ? `${JSON.stringify({ name, path })}\n` : `${name} was added to ${path}\n`);
  return 0;
}

function entryOf(flags: McpAddFlags, target: string, args: readonly string[]): ServerEntry {
  const isUrl = flags.transport === undefined ? /^https?:\/\//.test(target) : flags.transport !== 'stdio';
  const shared = {
    ...(flags.transport === undefined ? {} : { type: flags.transport }),
    ...(flags.trusted === undefined ? {} : { trusted: flags.trusted }),
    ...(flags.parallel === undefined ? {} : { parallel: flags.parallel }),
    ...(flags.pinned === undefined ? {} : { pinned: flags.pinned }),
  };
  if (isUrl) {
    if (args.length > 0) throw new UsageError('a server at an address takes no arguments');
    if (!URL.canParse(target)) throw new UsageError('the address of the server is no URL');
    return {
      ...shared,
      url: target,
      ...(flags.header === undefined ? {} : { headers: pairs(flags.header, ':', '--header') }),
    };
  }
  return {
    ...shared,
    command: target,
    ...(args.length === 0 ? {} : { args: [...args] }),
    ...(flags.env === undefined ? {} : { env: pairs(flags.env, '=', '--env') }),
  };
}

/** `NAME=value` or `Name: value`; an error names the flag and never the value. */
function pairs(lines: readonly string[], mark: string, flag: string): Record<string, string> {
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf(mark);
      if (at < 1) throw new UsageError(`a ${flag} has no "${mark}" after its name`);
      return [line.slice(0, at).trim(), line.slice(at + 1).trim()];
    }),
  );
}
