import type { Client } from '@modelcontextprotocol/client';
import { isObject, type JsonSchema } from '../../core/index.ts';
import { anyResult } from './any-result.ts';

/** A tool as a server describes it; nothing of it is trusted. */
export interface RemoteTool {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly annotations: Readonly<Record<string, unknown>>;
  /** The tool can only be called as a task of its own, which this client does not do. */
  readonly needsTask: boolean;
}

export interface ToolList {
  readonly tools: readonly RemoteTool[];
  readonly warnings: readonly string[];
}

const MOST_PAGES = 100;
const MOST_TOOLS = 5_000;

/**
 * All pages of `tools/list`. An absent or null cursor ends it; so does one that came before, and the hundredth page.
 * Entries that are no tools are left out and told.
 */
export async function listTools(client: Client, timeoutMs: number, signal: AbortSignal): Promise<ToolList> {
  const tools = new Map<string, RemoteTool>();
  const warnings: string[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let page = 1; ; page++) {
    const params = cursor === undefined ? {} : { cursor };
    const result = await client.request({ method: 'tools/list', params }, anyResult, { timeout: timeoutMs, signal });
    const list = Array.isArray(result['tools']) ? (result['tools'] as unknown[]) : undefined;
    if (list === undefined) warnings.push('its answer to tools/list has no list');
    for (const entry of list ?? []) addTool(entry, tools, warnings);
    const next = result['nextCursor'];
    if (typeof next !== 'string') break;
    if (seen.has(next)) {
      warnings.push(`it gave the cursor ${JSON.stringify(next.slice(0, 40))} twice; the list ends there`);
      break;
    }
    if (page >= MOST_PAGES || tools.size >= MOST_TOOLS) {
      warnings.push(`its list has more than ${page} pages; the rest is left out`);
      break;
    }
    seen.add(next);
    cursor = next;
  }
  return { tools: [...tools.values()], warnings };
}

function addTool(entry: unknown, tools: Map<string, RemoteTool>, warnings: string[]): void {
  if (!isObject(entry) || typeof entry['name'] !== 'string' || entry['name'] === '') {
    warnings.push('an entry of its list has no name');
    return;
  }
  const { name } = entry;
  if (tools.has(name)) {
    warnings.push(`the tool ${JSON.stringify(name.slice(0, 100))} is in its list twice; the first one counts`);
    return;
  }
  const annotations = isObject(entry['annotations']) ? entry['annotations'] : {};
  const title = [entry['title'], annotations['title']].find((text) => typeof text === 'string' && text !== '');
  const execution = isObject(entry['execution']) ? entry['execution'] : {};
  tools.set(name, {
    name,
    ...(typeof title === 'string' ? { title } : {}),
    description: typeof entry['description'] === 'string' ? entry['description'] : '',
    inputSchema: isObject(entry['inputSchema']) ? entry['inputSchema'] : { type: 'object' },
    ...(isObject(entry['outputSchema']) ? { outputSchema: entry['outputSchema'] } : {}),
    annotations,
    needsTask: execution['taskSupport'] === 'required',
  });
}
