import { isObject, isStandardSchema, TOOL_NAME, type Tool, ToolwrightError } from '../core/index.ts';

/** Refuses what is no tool and says which field is wrong. Looks at the shape only; no schema is converted. */
export function checkTool(value: unknown): asserts value is Tool {
  if (!isObject(value)) throw invalid('a tool', 'must be an object', 'Give {name, description, input, run}.');
  const { name, description, input, run, aliases } = value;
  if (typeof name !== 'string' || !TOOL_NAME.test(name)) {
    throw invalid(
      typeof name === 'string' ? `the tool ${JSON.stringify(name.slice(0, 100))}` : 'a tool',
      'has a bad field "name"',
      'A name is 1 to 64 of the characters a-z, A-Z, 0-9, _ and -.',
    );
  }
  const who = `the tool ${name}`;
  if (typeof description !== 'function' && (typeof description !== 'string' || description.trim() === '')) {
    throw invalid(who, 'has no field "description"', 'Say in a text what it does and when to use it.');
  }
  if (!isObject(input) && !isStandardSchema(input)) {
    throw invalid(who, 'has no field "input"', 'Give a zod 4 schema, or JSON Schema such as {"type": "object"}.');
  }
  if (typeof run !== 'function') throw invalid(who, 'has no field "run"', 'Give a function run(input, context).');
  if (aliases !== undefined && !(Array.isArray(aliases) && aliases.every(isAlias))) {
    throw invalid(who, 'has a bad field "aliases"', 'Give a list such as [{"name": "old_name"}].');
  }
}

const isAlias = (alias: unknown) => isObject(alias) && typeof alias.name === 'string' && TOOL_NAME.test(alias.name);

function invalid(who: string, what: string, hint: string): ToolwrightError {
  return new ToolwrightError('invalid_request', `${who} ${what}`, { hint });
}
