import { isObject } from '../core/index.ts';
import { typeOf } from './keywords.ts';
import { listText, orText, shown } from './say.ts';

const MOST_DEPTH = 3;

/** What a schema takes, in few words: `"a" or "b"`, `array of string`, `object {path, limit?}`. */
export function describeShape(schema: unknown, depth = 0): string {
  if (!isObject(schema)) return schema === false ? 'nothing' : 'any value';
  if (Object.hasOwn(schema, 'const')) return shown(schema['const']);
  if (Array.isArray(schema['enum'])) return `one of ${listText(schema['enum'].map(shown), 10)}`;
  const choices = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(choices) && depth < MOST_DEPTH) {
    return orText([...new Set(choices.map((choice) => describeShape(choice, depth + 1)))]);
  }
  const type = schema['type'] ?? inferred(schema);
  if (Array.isArray(type)) return orText(type.map(String));
  if (type === 'array' && depth < MOST_DEPTH) {
    const items = schema['items'];
    return isObject(items) && Object.keys(items).length > 0 ? `array of ${describeShape(items, depth + 1)}` : 'array';
  }
  if (type === 'object' && depth < MOST_DEPTH && isObject(schema['properties'])) {
    const required: unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
    const names = Object.keys(schema['properties']).map((name) => (required.includes(name) ? name : `${name}?`));
    return names.length === 0 ? 'object' : `object {${listText(names, 12)}}`;
  }
  return typeof type === 'string' ? type : 'any value';
}

function inferred(schema: Record<string, unknown>): string | undefined {
  if (isObject(schema['properties'])) return 'object';
  if (schema['items'] !== undefined) return 'array';
  return Object.hasOwn(schema, 'default') ? typeOf(schema['default']) : undefined;
}
