import { isObject } from '../../core/index.ts';
import type { Connection } from './connection.ts';

/** A tool as its server lists it; nothing of it is trusted to have the right type. */
export type ListedTool = Readonly<Record<string, unknown>>;

export interface ListedTools {
  readonly tools: readonly ListedTool[];
  readonly warnings: readonly string[];
}

const MOST_PAGES = 200;
const MOST_TOOLS = 10_000;
const METHOD_NOT_FOUND = -32_601;

/** All pages of a server's tools. A cursor that comes again and a list without end are cut, with a warning. */
export async function listTools(connection: Pick<Connection, 'request'>, signal: AbortSignal): Promise<ListedTools> {
  const tools: ListedTool[] = [];
  const warnings: string[] = [];
  const seen = new Set<string>();
  for (let cursor: string | undefined, page = 1; ; page++) {
    const result = await askPage(connection, cursor, signal);
    if (!Array.isArray(result['tools'])) throw new Error('its answer to tools/list holds no list of tools');
    for (const tool of result['tools']) {
      if (isObject(tool)) tools.push(tool);
      else warnings.push('an entry of its tool list is no object');
    }
    const next = result['nextCursor'];
    if (next === undefined || next === null) break;
    cursor = String(next);
    if (seen.has(cursor)) {
      warnings.push(`its tool list gave the cursor ${JSON.stringify(cursor.slice(0, 50))} twice; read up to there`);
      break;
    }
    seen.add(cursor);
    if (page >= MOST_PAGES || tools.length >= MOST_TOOLS) {
      warnings.push(`its tool list did not end after ${page} pages; the first ${tools.length} tools are used`);
      break;
    }
  }
  return { tools, warnings };
}

async function askPage(
  connection: Pick<Connection, 'request'>,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  try {
    const result = await connection.request('tools/list', cursor === undefined ? {} : { cursor }, { signal });
    return isObject(result) ? result : {};
  } catch (error) {
    // A server of prompts or resources only.
    if (isObject(error) && error['code'] === METHOD_NOT_FOUND && cursor === undefined) return { tools: [] };
    throw error;
  }
}
