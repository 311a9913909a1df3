import type { JsonSchema, ToolDefinition } from '../core/index.ts';
import { projectSchema, type SchemaProvider } from '../schema/index.ts';

/**
 * A tool's schema as the provider accepts it. One that cannot be said becomes an open object, so that
 * it costs its own precision and not the whole request; inputs are checked before the tool runs anyway.
 */
export function toolSchema(tool: ToolDefinition, provider: SchemaProvider): JsonSchema {
  try {
    return projectSchema(tool.inputSchema, provider).schema;
  } catch {
    return { type: 'object' };
  }
}
