import { isObject } from '../../../src/core/index.ts';

/**
 * The providers' published rules for a tool's schema, as a check that knows nothing of the projection:
 * a walk that reports every rule that a schema breaks.
 */
export type Provider = 'openai' | 'openai-strict' | 'anthropic' | 'gemini';

const TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];
const GEMINI_TYPES = TYPES.filter((type) => type !== 'null');
const GEMINI_KEYS = [
  ...['type', 'format', 'description', 'nullable', 'enum', 'items', 'properties', 'required', 'anyOf'],
  ...['minItems', 'maxItems', 'minimum', 'maximum', 'minLength', 'maxLength', 'pattern'],
];
const GEMINI_FORMATS: Record<string, string[]> = {
  string: ['enum', 'date-time'],
  number: ['float', 'double'],
  integer: ['int32', 'int64'],
};
const STRICT_REFUSED = [
  ...['default', 'allOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentRequired', 'dependentSchemas'],
  ...['minLength', 'maxLength', 'pattern', 'format', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
  ...['multipleOf', 'patternProperties', 'unevaluatedProperties', 'propertyNames', 'minProperties', 'maxProperties'],
  ...[
    'unevaluatedItems',
    'contains',
    'minContains',
    'maxContains',
    'minItems',
    'maxItems',
    'uniqueItems',
    'prefixItems',
  ],
];
const MAPS = ['properties', 'patternProperties', 'dependentSchemas'];
const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const SINGLES = ['items', 'additionalProperties', 'contains', 'propertyNames', 'not', 'if', 'then', 'else'];

export function brokenRules(schema: unknown, provider: Provider): string[] {
  const broken: string[] = [];
  if (!isObject(schema)) return ['the root is no object'];
  if (schema['type'] !== 'object') broken.push('root: type is not object');
  if (!isObject(schema['properties'])) broken.push('root: there are no properties');
  for (const key of ['oneOf', 'anyOf', 'allOf', 'not', 'enum', 'const', 'if', 'then', 'else']) {
    if (key in schema) broken.push(`root: ${key}`);
  }
  if (provider === 'anthropic') {
    for (const name of Object.keys(schema['properties'] ?? {})) {
      if (!/^[a-zA-Z0-9_.-]{1,64}$/.test(name)) broken.push(`root: the property ${name}`);
    }
  }
  walk(schema, '', 1, provider, true, broken);
  return broken;
}

function walk(
  schema: Record<string, unknown>,
  at: string,
  level: number,
  provider: Provider,
  isRoot: boolean,
  broken: string[],
): void {
  const say = (text: string) => void broken.push(`${at || '/'}: ${text}`);
  const types = [schema['type']].flat().filter((type) => type !== undefined);
  for (const type of types) if (!TYPES.includes(type as string)) say(`the type ${String(type)}`);
  for (const key of ['$ref', '$defs', 'definitions', '$id', 'id', '$schema', '$anchor', 'nullable']) {
    if (key in schema && !(key === 'nullable' && provider === 'gemini')) say(`the keyword ${key}`);
  }
  for (const key of ['exclusiveMinimum', 'exclusiveMaximum'])
    if (typeof schema[key] === 'boolean') say(`${key} is boolean`);
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const required = schema['required'];
  if (required !== undefined) {
    if (!Array.isArray(required) || new Set(required).size !== required.length) say('required is no list of names');
    else for (const name of required) if (!Object.hasOwn(properties, name as string)) say(`required ${name} is absent`);
  }
  if (types.includes('array') && !isObject(schema['items'])) say('array without items');
  if (provider === 'openai' && 'prefixItems' in schema) say('prefixItems');
  if (provider === 'openai-strict') strictRules(schema, types, properties, level, say);
  if (provider === 'gemini') geminiRules(schema, types, properties, isRoot, say);

  const next = types.includes('object') || types.includes('array') ? level + 1 : level;
  const visit = (inner: unknown, path: string, mayBeBoolean: boolean) => {
    if (isObject(inner)) walk(inner, path, next, provider, false, broken);
    else if (!(mayBeBoolean && typeof inner === 'boolean')) broken.push(`${path}: is no schema`);
  };
  for (const key of MAPS) {
    for (const [name, inner] of Object.entries(schema[key] ?? {})) visit(inner, `${at}/${key}/${name}`, false);
  }
  for (const key of LISTS) {
    if (!(key in schema)) continue;
    const list = schema[key];
    if (!Array.isArray(list) || list.length === 0) say(`${key} is no list`);
    else list.forEach((inner, index) => void visit(inner, `${at}/${key}/${index}`, false));
  }
  for (const key of SINGLES) if (key in schema) visit(schema[key], `${at}/${key}`, key !== 'items');
}

function strictRules(
  schema: Record<string, unknown>,
  types: unknown[],
  properties: Record<string, unknown>,
  level: number,
  say: (text: string) => void,
): void {
  for (const key of STRICT_REFUSED) if (key in schema) say(`the refused keyword ${key}`);
  if (types.length === 0 && !('anyOf' in schema)) say('there is neither type nor anyOf');
  if (types.includes('object')) {
    if (schema['additionalProperties'] !== false) say('additionalProperties is not false');
    const required = (schema['required'] as string[] | undefined) ?? [];
    for (const name of Object.keys(properties)) if (!required.includes(name)) say(`${name} is not required`);
  }
  if ((types.includes('object') || types.includes('array')) && level > 5) say('nested deeper than 5');
}

function geminiRules(
  schema: Record<string, unknown>,
  types: unknown[],
  properties: Record<string, unknown>,
  isRoot: boolean,
  say: (text: string) => void,
): void {
  for (const key of Object.keys(schema)) if (!GEMINI_KEYS.includes(key)) say(`the unknown field ${key}`);
  if ('anyOf' in schema) {
    if (Object.keys(schema).length > 1) say('other fields beside anyOf');
    return;
  }
  const type = schema['type'];
  if (typeof type !== 'string' || !GEMINI_TYPES.includes(type)) {
    say(`type is ${JSON.stringify(type)}`);
    return;
  }
  if ('nullable' in schema && typeof schema['nullable'] !== 'boolean') say('nullable is not boolean');
  const values = schema['enum'];
  if (values !== undefined) {
    if (type !== 'string') say('an enum of something other than strings');
    if (!Array.isArray(values) || values.length === 0) say('an empty enum');
    else if (values.some((value) => typeof value !== 'string' || value === '')) say('an enum with something other');
  }
  if ('format' in schema && !GEMINI_FORMATS[type]?.includes(schema['format'] as string))
    say(`the format ${schema['format']}`);
  if (types.includes('object') && !isRoot && 'properties' in schema && Object.keys(properties).length === 0) {
    say('an object with an empty list of properties');
  }
}
