import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject, messageOf } from '../core/index.ts';
import type { ConfigFile } from './config.ts';

/** A file that names MCP servers. */
export interface McpSource {
  readonly file: string;
  readonly folder: string;
  readonly text: string;
  readonly servers: unknown;
  /** It came with the project, so it is used only when that is trusted. */
  readonly isProject: boolean;
}

export function mcpSourcesOf(file: ConfigFile | undefined, isProject: boolean): McpSource[] {
  const servers = file?.config.mcpServers;
  if (file === undefined || servers === undefined) return [];
  return [{ file: file.path, folder: file.folder, text: file.text, servers, isProject }];
}

/**
 * The `.mcp.json` of a folder, as other clients of MCP write it. It is theirs, too: one that cannot be read costs its
 * servers and nothing else.
 */
export async function readMcpJson(
  folder: string,
): Promise<{ readonly sources: readonly McpSource[]; readonly warnings: readonly string[] }> {
  const file = join(folder, '.mcp.json');
  try {
    const text = await readFile(file, 'utf8');
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    const servers = isObject(value) ? value['mcpServers'] : undefined;
    return { sources: servers === undefined ? [] : [{ file, folder, text, servers, isProject: true }], warnings: [] };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return { sources: [], warnings: [] };
    return { sources: [], warnings: [`${file}: its MCP servers are not used: ${messageOf(error)}`] };
  }
}
