import type { JsonSchema } from '../../../src/core/index.ts';

export interface SchemaSample {
  readonly name: string;
  readonly schema: JsonSchema | boolean;
  /** The root is no object: what it takes is put under a key. */
  readonly wrapped?: boolean;
  /** False: strict mode cannot hold it. */
  readonly strict?: boolean;
  /** `pointer keyword` of each loss, for every provider, or for the providers named; absent: not pinned. */
  readonly lost?: Partial<Record<'openai' | 'openai-strict' | 'anthropic' | 'gemini' | 'all', readonly string[]>>;
}

const object = (properties: Record<string, unknown>, more: Record<string, unknown> = {}) => ({
  type: 'object',
  properties,
  ...more,
});
const string = { type: 'string' };
const nest = (depth: number): JsonSchema => (depth === 0 ? string : object({ inner: nest(depth - 1) }));
const NONE = { all: [] };

export const schemaSamples: readonly SchemaSample[] = [
  { name: 'empty', schema: {}, lost: NONE },
  { name: 'true', schema: true, lost: NONE },
  { name: 'object without properties', schema: { type: 'object' }, lost: NONE },
  {
    name: 'no arguments',
    schema: { type: 'object', additionalProperties: false },
    lost: { openai: [], anthropic: [], 'openai-strict': [], gemini: [' additionalProperties'] },
  },
  { name: 'null where maps should be', schema: { type: 'object', properties: null, required: null }, lost: NONE },
  { name: 'missing type', schema: { properties: { a: string }, required: ['a'] }, lost: NONE },
  {
    name: 'missing types below',
    schema: object({ a: { minLength: 1 }, b: { properties: { c: string } }, d: { items: string } }),
    lost: { openai: [], anthropic: [], gemini: [], 'openai-strict': ['/properties/a minLength'] },
  },
  {
    name: 'one required, one optional',
    schema: object({ a: string, b: { type: 'integer' } }, { required: ['a'] }),
    lost: NONE,
  },
  { name: 'upper case types', schema: { type: 'OBJECT', properties: { a: { type: 'STRING' } } }, lost: NONE },
  { name: 'any as type', schema: object({ a: { type: 'any' } }), strict: false },
  {
    name: 'root anyOf of objects',
    schema: {
      anyOf: [
        object({ path: string }, { required: ['path'] }),
        object({ url: string, depth: { type: 'integer' } }, { required: ['url'] }),
      ],
    },
    lost: { all: [' anyOf'] },
  },
  {
    name: 'root oneOf by kind',
    schema: {
      type: 'object',
      oneOf: [
        object({ kind: { const: 'a' }, x: { type: 'number' } }, { required: ['kind', 'x'] }),
        object({ kind: { const: 'b' }, y: string }, { required: ['kind', 'y'] }),
      ],
    },
    lost: { all: [' oneOf'] },
  },
  {
    name: 'root anyOf of required lists',
    schema: object({ a: string, b: string }, { anyOf: [{ required: ['a'] }, { required: ['b'] }] }),
    lost: { all: [' anyOf'] },
  },
  {
    name: 'root allOf',
    schema: { allOf: [object({ a: string }, { required: ['a'] }), object({ b: { type: 'number' } })] },
    lost: NONE,
  },
  {
    name: 'root allOf with ref',
    schema: {
      $defs: { Base: object({ id: string }, { required: ['id'] }) },
      allOf: [{ $ref: '#/$defs/Base' }, { properties: { b: string } }],
    },
    lost: NONE,
  },
  {
    name: 'closed parts of allOf',
    schema: { allOf: [object({ a: string }, { additionalProperties: false }), object({ b: string })] },
  },
  {
    name: 'root $ref',
    schema: { $ref: '#/$defs/A', $defs: { A: object({ a: string }, { required: ['a'] }) } },
    lost: NONE,
  },
  {
    name: 'root $ref to definitions',
    schema: { $ref: '#/definitions/A', definitions: { A: object({ a: string }) } },
    lost: NONE,
  },
  {
    name: 'ref with siblings',
    schema: object(
      { a: { $ref: '#/$defs/S', description: 'of a' } },
      { $defs: { S: { type: 'string', description: 'of s' } } },
    ),
    lost: NONE,
  },
  {
    name: 'ref by $id',
    schema: object(
      { a: { $ref: 'thing.json' } },
      { $id: 'https://example.org/root.json', $defs: { T: { $id: 'thing.json', type: 'string' } } },
    ),
    lost: NONE,
  },
  {
    name: 'ref by anchor',
    schema: object({ a: { $ref: '#name' } }, { $defs: { T: { $anchor: 'name', type: 'integer' } } }),
    lost: NONE,
  },
  {
    name: 'ref into a property',
    schema: object(
      { a: object({ x: string }, { required: ['x'] }), b: { $ref: '#/properties/a' } },
      { required: ['b'] },
    ),
    lost: NONE,
  },
  {
    name: 'ref outside the known places',
    schema: object(
      { a: { $ref: '#/components/schemas/P' } },
      { components: { schemas: { P: { type: 'number', minimum: 0, exclusiveMinimum: true } } } },
    ),
  },
  {
    name: 'escaped pointer',
    schema: object({ a: { $ref: '#/$defs/x~1y%20z' } }, { $defs: { 'x/y z': string } }),
    lost: NONE,
  },
  {
    name: 'recursive tree',
    schema: {
      $ref: '#/$defs/Node',
      $defs: {
        Node: object(
          { value: string, children: { type: 'array', items: { $ref: '#/$defs/Node' } } },
          { required: ['value'] },
        ),
      },
    },
  },
  { name: 'recursion by root', schema: object({ next: { $ref: '#' }, id: string }, { required: ['id'] }) },
  { name: 'recursion by $dynamicRef', schema: object({ next: { $dynamicRef: '#node' } }, { $dynamicAnchor: 'node' }) },
  {
    name: 'two that hold each other',
    schema: object(
      { a: { $ref: '#/$defs/A' } },
      { $defs: { A: object({ b: { $ref: '#/$defs/B' } }), B: object({ a: { $ref: '#/$defs/A' } }) } },
    ),
  },
  {
    name: 'draft 4 bounds',
    schema: {
      $schema: 'http://json-schema.org/draft-04/schema#',
      ...object({ n: { type: 'number', minimum: 0, exclusiveMinimum: true } }, { required: ['n'] }),
    },
    lost: {
      openai: [],
      anthropic: [],
      gemini: ['/properties/n exclusiveMinimum'],
      'openai-strict': ['/properties/n exclusiveMinimum'],
    },
  },
  {
    name: 'draft 4 bound without number',
    schema: object({ n: { type: 'number', exclusiveMaximum: true } }),
    lost: { all: ['/properties/n exclusiveMaximum'] },
  },
  {
    name: 'draft 4 id',
    schema: {
      id: 'http://example.org/x#',
      $schema: 'http://json-schema.org/draft-04/schema',
      type: 'object',
      properties: { id: { type: 'string' } },
    },
    lost: NONE,
  },
  {
    name: 'draft 3 required',
    schema: object({ a: { type: 'string', required: true }, b: { type: 'string', required: false } }),
    lost: NONE,
  },
  {
    name: 'draft 7 tuple',
    schema: {
      $schema: 'http://json-schema.org/draft-07/schema#',
      ...object({ p: { type: 'array', items: [{ type: 'number' }, { type: 'number' }], additionalItems: false } }),
    },
  },
  {
    name: 'draft 7 dependencies',
    schema: object({ a: string, b: string }, { dependencies: { a: ['b'] } }),
    lost: { openai: [], anthropic: [], gemini: [' dependentRequired'], 'openai-strict': [' dependentRequired'] },
  },
  {
    name: 'unknown draft',
    schema: { $schema: 'https://example.org/my-dialect', ...object({ a: string }) },
    lost: NONE,
  },
  {
    name: 'root object or null',
    schema: { type: ['object', 'null'], properties: { a: string } },
    lost: { all: [' type'] },
  },
  { name: 'root object or string', schema: { type: ['object', 'string'], properties: { a: string } }, wrapped: true },
  { name: 'root array', schema: { type: 'array', items: string }, wrapped: true, lost: NONE },
  { name: 'root array without items', schema: { type: 'array' }, wrapped: true, strict: false },
  { name: 'root string', schema: { type: 'string', description: 'a name' }, wrapped: true, lost: NONE },
  { name: 'root enum', schema: { enum: ['a', 'b'] }, wrapped: true, lost: NONE },
  {
    name: 'root anyOf with a scalar',
    schema: { anyOf: [object({ a: string }, { additionalProperties: false }), { type: 'string' }] },
    wrapped: true,
  },
  {
    name: 'root anyOf with null',
    schema: { anyOf: [object({ a: string }), { type: 'null' }] },
    lost: { all: [' type'] },
  },
  {
    name: 'root not',
    schema: object({ a: string, b: string }, { not: { required: ['a', 'b'] } }),
    lost: { all: [' not'] },
  },
  {
    name: 'root if then else',
    schema: object(
      { a: string, b: string },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      { if: { properties: { a: { const: 'x' } } }, then: { required: ['b'] }, else: {} },
    ),
    lost: { all: [' if', ' then', ' else'] },
  },
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
