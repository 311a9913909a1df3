/** The seven types of JSON Schema. */
export const TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'] as const;
export type TypeName = (typeof TYPES)[number];

/** Keywords that hold one schema. */
export const SCHEMA_KEYWORDS: ReadonlySet<string> = new Set([
  'items',
  'additionalProperties',
  'contains',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
  'unevaluatedItems',
  'unevaluatedProperties',
  'contentSchema',
]);

/** Keywords that hold a list of schemas. */
export const LIST_KEYWORDS: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);

/** Keywords that hold schemas by name. */
export const MAP_KEYWORDS: ReadonlySet<string> = new Set(['properties', 'patternProperties', 'dependentSchemas']);

/** Keywords whose schemas judge the same value as the schema they stand in. */
export const IN_PLACE_KEYWORDS = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas'] as const;

export const COUNT_KEYWORDS: ReadonlySet<string> = new Set([
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'minContains',
  'maxContains',
]);

export const NUMBER_KEYWORDS: ReadonlySet<string> = new Set([
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
]);

/** Keywords that only tell something, as data. */
export const NOTE_KEYWORDS: ReadonlySet<string> = new Set([
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  'contentEncoding',
  'contentMediaType',
]);

const TYPE_OF_KEYWORD: Readonly<Record<string, TypeName>> = {
  properties: 'object',
  required: 'object',
  additionalProperties: 'object',
  patternProperties: 'object',
  propertyNames: 'object',
  minProperties: 'object',
  maxProperties: 'object',
  unevaluatedProperties: 'object',
  dependentRequired: 'object',
  dependentSchemas: 'object',
  items: 'array',
  prefixItems: 'array',
  contains: 'array',
  minItems: 'array',
  maxItems: 'array',
  uniqueItems: 'array',
  minContains: 'array',
  maxContains: 'array',
  unevaluatedItems: 'array',
  minLength: 'string',
  maxLength: 'string',
  pattern: 'string',
  format: 'string',
  contentEncoding: 'string',
  contentMediaType: 'string',
  minimum: 'number',
  maximum: 'number',
  exclusiveMinimum: 'number',
  exclusiveMaximum: 'number',
  multipleOf: 'number',
};

const NUMBER_FORMATS = new Set<unknown>(['int32', 'int64', 'float', 'double']);

/** The type that a keyword with this value speaks of; undefined when it holds for every type. */
export function keywordType(keyword: string, value: unknown): TypeName | undefined {
  if (keyword === 'format' && NUMBER_FORMATS.has(value)) return 'number';
  return Object.hasOwn(TYPE_OF_KEYWORD, keyword) ? TYPE_OF_KEYWORD[keyword] : undefined;
}

/** The type of a value; a whole number is an `integer`. */
export function typeOf(value: unknown): TypeName {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  if (typeof value === 'string' || typeof value === 'boolean') return typeof value as TypeName;
  return 'object';
}

/** One step of a JSON pointer, escaped. */
export function pointerStep(key: string | number): string {
  return `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
