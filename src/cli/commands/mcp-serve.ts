import { randomBytes } from 'node:crypto';
import { createRuntime, packageVersion, type Runtime, serveMcpOnHttp, serveMcpOnStdio } from '../../runtime/index.ts';
import { runtimeOptions, sessionOptions } from '../flag-options.ts';
import type { RuleFlags, ToolFlags } from '../flags.ts';
import type { Io } from '../io.ts';
import { UsageError } from '../report-error.ts';

interface Flags extends ToolFlags, RuleFlags {
  readonly http?: string;
  readonly host?: string;
}

/** The house for MCP clients: on stdin and stdout, or by HTTP with a token. Stdout carries nothing but the protocol. */
export async function mcpServe(io: Io, flags: Flags): Promise<number> {
  const port = flags.http === undefined ? undefined : portNumber(flags.http);
  const runtime = await createRuntime(runtimeOptions(flags));
  try {
    for (const warning of runtime.warnings) io.err(`toolwright: ${warning}\n`);
    await runtime.mcp.ready();
    const door = await open(io, flags, port, runtime);
    const release = io.onInterrupt(() => void door.close());
    await door.closed;
    release();
    return 0;
  } finally {
    await runtime.close();
  }
}

async function open(io: Io, flags: Flags, port: number | undefined, runtime: Runtime) {
  const shared = { runtime, session: sessionOptions(flags), version: await packageVersion() };
  if (port === undefined) return serveMcpOnStdio({ ...shared, ...io.pipes });
  const { mcpToken } = runtime.settings;
  const token = mcpToken ?? randomBytes(24).toString('base64url');
  const door = await serveMcpOnHttp({
    ...shared,
    port,
    token,
    ...(flags.host === undefined ? {} : { host: flags.host }),
  });
  io.err(`toolwright: ${door.url}\n`);
  if (mcpToken === undefined) io.err(`toolwright: authorization: Bearer ${token}\n`);
  return door;
}

function portNumber(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) < 65_536) return Number(text);
  throw new UsageError(`"${text}" is no port`, 'Give a number from 0 (any free one) to 65535.');
}
