import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isObject, messageOf, ToolwrightError } from '../../core/index.ts';
import { jsonFault, jsonLine } from '../../schema/index.ts';
import type { Variables } from './expand-variables.ts';
import { type EntryFault, readServerConfig, type ServerConfig, unknownKeys } from './server-config.ts';

/** One server as a file names it. */
export interface NamedServer {
  readonly name: string;
  /** The file; `runtime` for one that was added by code. */
  readonly source: string;
  readonly config?: ServerConfig;
  /** Why there is no config: names file, key and line. */
  readonly fault?: string;
}

export interface ServerFile {
  readonly servers: readonly NamedServer[];
  readonly warnings: readonly string[];
}

/** The text of a file that may be missing. */
export async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new ToolwrightError('invalid_request', `${path} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}

/** The JSON object of a settings file. Errors name the line, and never what stands on it. */
export function parseObject(path: string, text: string): Record<string, unknown> {
  const wrong = jsonFault(text);
  const value: unknown = wrong === undefined ? JSON.parse(text.replace(/^\uFEFF/, '')) : undefined;
  if (wrong === undefined && isObject(value)) return value;
  const where = wrong === undefined ? 'line 1 is no object' : `line ${wrong.line}, column ${wrong.column}`;
  throw new ToolwrightError('invalid_request', `${path} is not valid JSON: ${where}`, {
    hint: 'Mend the file; comments and trailing commas are not JSON.',
  });
}

/** The `mcpServers` of a file; none when it is missing. One bad entry costs itself; a file that is no JSON is an error. */
export async function readServers(path: string, variables: Variables): Promise<ServerFile> {
  const text = await readText(path);
  if (text === undefined) return { servers: [], warnings: [] };
  const entries = parseObject(path, text)['mcpServers'];
  if (entries === undefined) return { servers: [], warnings: [] };
  const at = (...steps: (string | number)[]) =>
    `${path}:${jsonLine(text, ['mcpServers', ...steps])}: ${['mcpServers', ...steps].join('.')}`;
  if (!isObject(entries)) {
    throw new ToolwrightError('invalid_request', `${at()}: an object of servers was expected`);
  }
  const warnings: string[] = [];
  const servers = Object.entries(entries).map(([name, entry]): NamedServer => {
    if (name.trim() === '') return { name, source: path, fault: `${at(name)}: the name of the server is empty` };
    try {
      const config = readServerConfig(entry, dirname(path), variables);
      for (const { key, near } of unknownKeys(entry as object)) {
        warnings.push(`${at(name, key)} has no effect${near === undefined ? '' : `; did you mean "${near}"?`}`);
      }
      return { name, source: path, config };
    } catch (error) {
      const { path: steps, message } = (error as ToolwrightError).data as EntryFault;
      return { name, source: path, fault: `${at(name, ...steps)}: ${message}` };
    }
  });
  return { servers, warnings };
}
