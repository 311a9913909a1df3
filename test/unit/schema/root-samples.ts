import { NONE, object, type SchemaSample, string } from './schema-sample.ts';

/** Schemas whose root, references or dialect need care. */
export const rootSamples: readonly SchemaSample[] = [
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
];
