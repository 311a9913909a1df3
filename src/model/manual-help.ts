import { isObject, type ToolDefinition } from '../core/index.ts';

const MOST_NAMES = 60;

/** What the manual model says when it was given no call. */
export function explainManual(input: string, tools: readonly ToolDefinition[]): string {
  const opening =
    'This is the manual model: it needs no key, understands no prose, and runs exactly the tool calls that you write.';
  if (tools.length === 0) return `${opening}\nNo tools are offered in this request.`;
  const names = tools.map((tool) => tool.name).sort();
  const more = names.length > MOST_NAMES ? `, and ${names.length - MOST_NAMES} more` : '';
  return [
    opening,
    'Write one call a line: the name of a tool and its input as JSON. Lines in a row run in parallel; a line --- begins the next turn.',
    '',
    'For example:',
    exampleOf(tools),
    '',
    `Tools: ${names.slice(0, MOST_NAMES).join(', ')}${more}.`,
    ...(input.trim() === '' ? [] : ['', 'To talk to a language model instead, choose one with --model provider/name.']),
  ].join('\n');
}

function exampleOf(tools: readonly ToolDefinition[]): string {
  const known = tools.find((tool) => tool.name === 'read_file');
  if (known) return 'read_file {"path": "README.md"}';
  const [tool] = tools;
  return tool ? `${tool.name} ${JSON.stringify(sampleOf(tool.inputSchema))}` : '';
}

/** An input with the required fields of an object schema. */
function sampleOf(schema: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required.map(String) : [];
  return Object.fromEntries(required.map((name) => [name, sampleValue(properties[name])]));
}

function sampleValue(schema: unknown): unknown {
  if (!isObject(schema)) return 'text';
  if (Array.isArray(schema.enum)) return schema.enum[0];
  switch (schema.type) {
    case 'integer':
    case 'number':
      return 1;
    case 'boolean':
      return true;
    case 'array':
      return [sampleValue(schema.items)];
    case 'object':
      return sampleOf(schema);
    default:
      return 'text';
  }
}
