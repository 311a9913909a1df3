import type { JsonSchema } from '../../../src/core/index.ts';
import { NONE, nest, object, type SchemaSample, string } from './schema-sample.ts';

/** Schemas whose properties need care. */
export const partSamples: readonly SchemaSample[] = [
  { name: 'required names an absent property', schema: object({ a: string }, { required: ['a', 'b'] }), strict: false },
  {
    name: 'required names a forbidden property',
    schema: object({ a: string }, { required: ['a', 'b'], additionalProperties: false }),
  },
  { name: 'array without items', schema: object({ list: { type: 'array' } }), strict: false },
  { name: 'array with items true', schema: object({ list: { type: 'array', items: true } }), strict: false },
  { name: 'array with items false', schema: object({ list: { type: 'array', items: false } }), strict: false },
  {
    name: 'tuple',
    schema: object(
      { p: { type: 'array', prefixItems: [string, { type: 'number' }], items: false, minItems: 2 } },
      { required: ['p'] },
    ),
    lost: { anthropic: [], openai: ['/properties/p prefixItems'] },
  },
  {
    name: 'array bounds',
    schema: object({ p: { type: 'array', items: string, minItems: 1, maxItems: 3, uniqueItems: true } }),
    lost: {
      openai: [],
      anthropic: [],
      gemini: ['/properties/p uniqueItems'],
      'openai-strict': ['/properties/p minItems', '/properties/p maxItems', '/properties/p uniqueItems'],
    },
  },
  { name: 'string enum', schema: object({ m: { enum: ['a', 'b'] } }, { required: ['m'] }), lost: NONE },
  { name: 'optional enum', schema: object({ m: { type: 'string', enum: ['a', 'b'] } }), lost: NONE },
  {
    name: 'number enum',
    schema: object({ m: { type: 'integer', enum: [1, 2] } }),
    lost: { openai: [], anthropic: [], 'openai-strict': [], gemini: ['/properties/m enum'] },
  },
  { name: 'mixed enum', schema: object({ m: { enum: ['auto', 1, true, null] } }) },
  {
    name: 'enum with an empty string',
    schema: object({ m: { type: 'string', enum: ['', 'a'] } }),
    lost: { openai: [], anthropic: [], 'openai-strict': [], gemini: ['/properties/m enum'] },
  },
  { name: 'empty enum', schema: object({ m: { type: 'string', enum: [] } }), lost: { all: ['/properties/m enum'] } },
  { name: 'enum of objects', schema: object({ m: { enum: [{ a: 1 }, { a: 2 }] } }), strict: false },
  {
    name: 'const',
    schema: object({ k: { const: 'x' }, n: { const: 5 } }, { required: ['k'] }),
    lost: { openai: [], anthropic: [], 'openai-strict': [], gemini: ['/properties/n enum'] },
  },
  {
    name: 'nullable by type list',
    schema: object({ a: { type: ['string', 'null'] } }, { required: ['a'] }),
    lost: NONE,
  },
  {
    name: 'nullable by OpenAPI',
    schema: object(
      { a: { type: 'string', nullable: true }, b: { $ref: '#/$defs/B', nullable: true } },
      { $defs: { B: object({ c: string }) } },
    ),
    lost: NONE,
  },
  {
    name: 'nullable by anyOf',
    schema: object({ a: { anyOf: [{ type: 'integer' }, { type: 'null' }], description: 'a count' } }),
    lost: NONE,
  },
  {
    name: 'only null',
    schema: object({ a: { type: 'null' } }),
    lost: { openai: [], anthropic: [], 'openai-strict': [], gemini: ['/properties/a type'] },
  },
  { name: 'several types', schema: object({ a: { type: ['string', 'number', 'boolean'] } }), lost: NONE },
  { name: 'array or string', schema: object({ a: { type: ['array', 'string'], items: string } }), lost: NONE },
  {
    name: 'nested anyOf',
    schema: object({ a: { anyOf: [string, object({ x: { type: 'number' } }, { required: ['x'] })] } }),
    lost: NONE,
  },
  { name: 'nested oneOf by type', schema: object({ a: { oneOf: [string, { type: 'number' }] } }), lost: NONE },
  {
    name: 'nested oneOf by kind',
    schema: object({
      a: {
        oneOf: [
          object({ k: { const: 'a' } }, { required: ['k'] }),
          object({ k: { const: 'b' }, z: string }, { required: ['k'] }),
        ],
      },
    }),
    lost: NONE,
  },
  {
    name: 'nested oneOf that overlaps',
    schema: object({ a: { oneOf: [{ type: 'number' }, { type: 'integer' }] } }),
    lost: { openai: [], anthropic: [], gemini: ['/properties/a oneOf'], 'openai-strict': ['/properties/a oneOf'] },
  },
  {
    name: 'nested allOf',
    schema: object({ a: { allOf: [{ type: 'string' }, { minLength: 2 }, { maxLength: 5 }] } }),
    lost: { openai: [], anthropic: [], gemini: [] },
  },
  {
    name: 'anyOf with type beside',
    schema: object({ a: { type: 'string', anyOf: [{ enum: ['x'] }, { enum: ['y'] }] } }),
    lost: NONE,
  },
  { name: 'anyOf with true', schema: object({ a: { anyOf: [true, string] } }), strict: false },
  { name: 'property true and false', schema: object({ a: true, b: false, c: string }), strict: false },
  { name: 'map of strings', schema: object({ env: { type: 'object', additionalProperties: string } }), strict: false },
  { name: 'open object below', schema: object({ data: { type: 'object' } }), strict: false },
  {
    name: 'open object with fields',
    schema: object({ data: object({ a: string }, { additionalProperties: true }) }),
    lost: { openai: [], anthropic: [], gemini: [], 'openai-strict': ['/properties/data additionalProperties'] },
  },
  { name: 'patternProperties', schema: { type: 'object', patternProperties: { '^x-': string } }, strict: false },
  {
    name: 'propertyNames and counts',
    schema: object({ a: object({ b: string }, { minProperties: 1, propertyNames: { pattern: '^[a-z]+$' } }) }),
  },
  { name: 'contains', schema: object({ a: { type: 'array', items: string, contains: { const: 'x' } } }) },
  {
    name: 'formats',
    schema: object({
      u: { type: 'string', format: 'uri' },
      t: { type: 'string', format: 'date-time' },
      n: { type: 'integer', format: 'int32' },
    }),
    lost: { openai: [], anthropic: [], gemini: ['/properties/u format'] },
  },
  {
    name: 'pattern and lengths',
    schema: object({ a: { type: 'string', pattern: '^x*$', minLength: 1, maxLength: 9 } }),
    lost: {
      openai: [],
      anthropic: [],
      gemini: [],
      'openai-strict': ['/properties/a pattern', '/properties/a minLength', '/properties/a maxLength'],
    },
  },
  {
    name: 'number rules',
    schema: object({ a: { type: 'number', minimum: 1, maximum: 9, multipleOf: 0.5 } }),
    lost: {
      openai: [],
      anthropic: [],
      gemini: ['/properties/a multipleOf'],
      'openai-strict': ['/properties/a minimum', '/properties/a maximum', '/properties/a multipleOf'],
    },
  },
  {
    name: 'exclusive bounds of a whole number',
    schema: object({ a: { type: 'integer', exclusiveMinimum: 0, exclusiveMaximum: 10 } }),
    lost: { openai: [], anthropic: [], gemini: [] },
  },
  {
    name: 'defaults and examples',
    schema: object({ a: { type: 'integer', default: 5, examples: [1, 2], title: 'A' } }),
    lost: { openai: [], anthropic: [] },
  },
  {
    name: 'unknown keywords',
    schema: object({ a: { type: 'string', 'x-mcp-header': 'A', foo: 1 } }, { xml: {} }),
    lost: { all: ['/properties/a x-mcp-header', '/properties/a foo', ' xml'] },
  },
  { name: 'five levels', schema: nest(5), strict: true },
  { name: 'six levels', schema: nest(6), strict: false },
  {
    name: 'many fields',
    schema: object(Object.fromEntries(Array.from({ length: 150 }, (_, i) => [`f${i}`, string]))),
    strict: false,
  },
  {
    name: 'strange names',
    schema: object({ 'a b': string, 名: string, a: string }, { required: ['a b', 'a'] }),
    lost: { openai: [], 'openai-strict': [], gemini: [], anthropic: [' properties'] },
  },
  {
    name: 'names of the prototype',
    schema: JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"}},"required":["constructor"]}',
    ) as JsonSchema,
    lost: { all: [' properties'] },
  },
  {
    name: 'properties named as keywords',
    schema: object({ type: string, properties: string, $ref: string, anyOf: string }, { required: ['type', '$ref'] }),
  },
  {
    name: 'todo list',
    schema: object(
      {
        todos: {
          type: 'array',
          items: object(
            {
              id: string,
              content: string,
              status: { enum: ['pending', 'done'] },
              blocked_by: { type: 'array', items: string },
            },
            { required: ['id', 'content', 'status'] },
          ),
        },
        replace: { type: 'boolean' },
      },
      { required: ['todos'] },
    ),
    lost: NONE,
  },
];
