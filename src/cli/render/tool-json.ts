import type { ToolDefinition, ToolSet } from '../../core/index.ts';
import type { Runtime } from '../../runtime/index.ts';
import { projectSchema, type SchemaProvider } from '../../schema/index.ts';
import { UsageError } from '../report-error.ts';

const PROVIDERS = ['openai', 'openai-strict', 'anthropic', 'gemini'] as const satisfies readonly SchemaProvider[];

export function providerOf(name: string): SchemaProvider {
  const known = PROVIDERS.find((provider) => provider === name);
  if (known !== undefined) return known;
  throw new UsageError(`--format ${name} is not known`, `Known: ${PROVIDERS.join(', ')}.`);
}

/** A definition in the shape that the provider's request has it. */
export function toProvider({ name, description, inputSchema }: ToolDefinition, provider: SchemaProvider): unknown {
  const { schema } = projectSchema(inputSchema, provider);
  switch (provider) {
    case 'anthropic':
      return { name, description, input_schema: schema };
    case 'gemini':
      return { name, description, parameters: schema };
    default:
      return {
        type: 'function',
        function: { name, description, parameters: schema, ...(provider === 'openai-strict' ? { strict: true } : {}) },
      };
  }
}

export interface ToolFacts {
  readonly name: string;
  readonly description: string;
  readonly input: unknown;
  readonly source?: string;
  readonly aliases: readonly string[];
  /** The declared ones; a trait that depends on the input says so. */
  readonly traits: Record<string, unknown>;
}

export function toolToJson(definition: ToolDefinition, tools: ToolSet, runtime: Runtime): ToolFacts {
  const tool = tools.get(definition.name);
  const traits = Object.entries(tool?.traits ?? {}).map(([key, value]) => [
    key,
    typeof value === 'function' ? 'depends on the input' : value,
  ]);
  const source = runtime.registry.sourceOf(definition.name);
  return {
    name: definition.name,
    description: definition.description,
    input: definition.inputSchema,
    ...(source === undefined ? {} : { source }),
    aliases: (tool?.aliases ?? []).map((alias) => alias.name),
    traits: Object.fromEntries(traits),
  };
}
