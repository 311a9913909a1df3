import { stripVTControlCharacters } from 'node:util';
import { isToolwrightError, messageOf, ToolwrightError } from '../core/index.ts';
import type { Io } from './io.ts';

/** The command line itself was wrong: exit code 2. */
export class UsageError extends ToolwrightError {
  constructor(message: string, hint?: string) {
    super('invalid_request', message, hint === undefined ? {} : { hint });
  }
}

export interface ReportOptions {
  readonly json: boolean;
  readonly debug: boolean;
}

/** Tells an error: code, what was wrong, what to do next; gives the exit code. A stack only with `--debug`. */
export async function reportError(error: unknown, io: Io, { json, debug }: ReportOptions): Promise<number> {
  const code = isToolwrightError(error) ? error.code : 'internal';
  const hint = isToolwrightError(error) ? error.hint : 'Run it again with --debug for the whole trace, and report it.';
  const message = messageOf(error);
  if (json) await io.out(`${JSON.stringify({ error: { code, message, ...(hint === undefined ? {} : { hint }) } })}\n`);
  const lines = [`toolwright: ${code}: ${message}`];
  if (hint !== undefined) lines.push(`  ${hint}`);
  if (debug && error instanceof Error && error.stack !== undefined) lines.push(error.stack);
  io.err(`${stripVTControlCharacters(lines.join('\n'))}\n`);
  return error instanceof UsageError ? 2 : 1;
}
