import type { Tool, ToolDefinition } from '../core/index.ts';
import { toJsonSchema } from '../schema/index.ts';

/** What a model is shown of a tool. Schemas are converted once a tool, when first asked for. */
export function definitionOf(tool: Tool, set: { names(): readonly string[] }): ToolDefinition {
  const description = typeof tool.description === 'string' ? tool.description : tool.description(set);
  return { name: tool.name, description, inputSchema: toJsonSchema(tool.input) };
}

export const byName = (a: { readonly name: string }, b: { readonly name: string }) =>
  a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
