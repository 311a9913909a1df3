import fc from 'fast-check';
import { expect } from 'vitest';
import { z } from 'zod';
import { anySchema } from '../../test/unit/schema/any-schema.ts';
import { verifies } from '../../test/verifies.ts';
import { type AnySchema, isToolwrightError, type StandardSchema } from '../core/index.ts';
import { coerceInput } from './coerce-input.ts';
import { compileSchema } from './compile-schema.ts';
import { checkOutput, parseInput, toJsonSchema } from './index.ts';

const todo = z.object({ id: z.string(), done: z.boolean().optional(), rank: z.number().int().optional() });
const asZod = z.object({
  todos: z.array(todo).optional(),
  plan: z.array(z.object({ steps: z.array(z.string()) })).optional(),
  path: z.string().optional(),
  content: z.string().optional(),
  limit: z.number().optional(),
  mode: z.enum(['append', 'overwrite']).optional(),
  either: z.union([z.string(), z.array(z.string())]).optional(),
  shape: z
    .discriminatedUnion('kind', [
      z.object({ kind: z.literal('a'), list: z.array(z.number()) }),
      z.object({ kind: z.literal('b'), list: z.string() }),
    ])
    .optional(),
  env: z.record(z.string(), z.array(z.number())).optional(),
  maybe: z.number().nullable().optional(),
});
const asJson = JSON.parse(JSON.stringify(toJsonSchema(asZod))) as AnySchema;
const both: readonly [string, AnySchema][] = [
  ['zod', asZod],
  ['JSON Schema', asJson],
];

const coerced: readonly [name: string, given: unknown, value: unknown][] = [
  ['a list as text', { todos: '[{"id":"1"}]' }, { todos: [{ id: '1' }] }],
  ['an object inside a list as text', { todos: ['{"id":"1","rank":"2"}'] }, { todos: [{ id: '1', rank: 2 }] }],
  ['a list inside a list as text', { plan: [{ steps: '["x"]' }] }, { plan: [{ steps: ['x'] }] }],
  ['text in text in text', { plan: '[{"steps":"[\\"x\\"]"}]' }, { plan: [{ steps: ['x'] }] }],
  ['the decoy: a string stays', { path: 'p.json', content: '[1,2]' }, { path: 'p.json', content: '[1,2]' }],
  [
    'strings that look like numbers stay strings',
    { todos: [{ id: '1' }], content: 'true' },
    { todos: [{ id: '1' }], content: 'true' },
  ],
  ['a choice that takes strings', { either: '["x"]' }, { either: '["x"]' }],
  [
    'numbers and booleans',
    { limit: '2.5', todos: [{ id: 'a', done: 'true', rank: '7' }] },
    { limit: 2.5, todos: [{ id: 'a', done: true, rank: 7 }] },
  ],
  ['the branch that the kind tells', { shape: { kind: 'a', list: '[1]' } }, { shape: { kind: 'a', list: [1] } }],
  ['the other branch', { shape: { kind: 'b', list: '[1]' } }, { shape: { kind: 'b', list: '[1]' } }],
  ['values of a map', { env: { a: '[1]' } }, { env: { a: [1] } }],
  [
    'needless nulls',
    { path: null, limit: null, maybe: null, todos: [{ id: 'a', rank: null }] },
    { maybe: null, todos: [{ id: 'a' }] },
  ],
  ['null as text where null is taken', { maybe: 'null' }, { maybe: null }],
];

for (const [kind, schema] of both) {
  for (const [name, given, value] of coerced) {
    verifies('ARGS-02', `${kind}: ${name}`, async () => {
      const before = JSON.stringify(given);
      expect(await parseInput(schema, given)).toEqual({ ok: true, value });
      expect(JSON.stringify(given)).toBe(before);
    });
  }
  verifies('ARGS-02', `${kind}: what does not hold the type is left to the judge`, async () => {
    for (const given of [
      { todos: '{"id":"1"}' },
      { todos: 'none' },
      { limit: '12px' },
      { limit: '' },
      { todos: [{ id: 'a', rank: '1.5' }] },
      { todos: [{ id: 'a', rank: '99999999999999999999' }] },
      { mode: null, path: 5 },
    ]) {
      expect(await parseInput(schema, given)).toMatchObject({ ok: false });
    }
  });
}

verifies('ARGS-02', 'through references, allOf and tuples', () => {
  const schema = {
    $defs: {
      List: { type: 'array', items: { $ref: '#/$defs/Item' } },
      Item: { allOf: [{ type: 'object' }, { properties: { n: { type: 'integer' }, more: { $ref: '#/$defs/List' } } }] },
    },
    type: 'object',
    properties: {
      list: { $ref: '#/$defs/List' },
      pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }] },
    },
  };
  expect(parseInput(schema, { list: '[{"n":"1","more":"[{\\"n\\":\\"2\\"}]"}]', pair: ['1', '1'] })).toEqual({
    ok: true,
    value: { list: [{ n: 1, more: [{ n: 2 }] }], pair: ['1', 1] },
  });
});

verifies('ARGS-02', 'a value that is valid is never changed', () => {
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom('x', '', '[1]', '{"a":1}', '2', 'true', 'null', 1, 0, true, null),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('a', 'b', 'c', 'type'), tie('value'), { maxKeys: 3, noNullPrototype: true }),
    ),
  }));
  let valid = 0;
  fc.assert(
    fc.property(anySchema, fc.array(value, { minLength: 3, maxLength: 3 }), (schema, values) => {
      try {
        compileSchema(schema);
      } catch (error) {
        if (isToolwrightError(error)) return;
        throw error;
      }
      for (const one of values) {
        const before = JSON.stringify(one);
        const changed = coerceInput(schema, one);
        expect(JSON.stringify(one)).toBe(before);
        if (!compileSchema(schema)(one)) continue;
        valid++;
        expect(changed).toBe(one);
      }
    }),
    { numRuns: 200, seed: 11 },
  );
  expect(valid).toBeGreaterThan(100);
});

verifies('schema/parse-input', 'answers without a promise unless the schema is asynchronous', async () => {
  expect(parseInput(asZod, { path: 'a' })).toEqual({ ok: true, value: { path: 'a' } });
  expect(parseInput(asJson, { path: 'a' })).toEqual({ ok: true, value: { path: 'a' } });
  const slow: StandardSchema = { '~standard': { version: 1, vendor: 'own', validate: async (value) => ({ value }) } };
  expect(parseInput(slow, 5)).toBeInstanceOf(Promise);
  expect(await parseInput(slow, 5)).toEqual({ ok: true, value: 5 });
});

verifies('schema/parse-input', 'gives what the schema made of the input', async () => {
  const schema = z.object({ n: z.number().default(3), s: z.string().transform((text) => text.length) });
  expect(await parseInput(schema, { n: null, s: 'four' })).toEqual({ ok: true, value: { n: 3, s: 4 } });
});

verifies('schema/parse-input', 'a schema that prints no JSON Schema still judges', () => {
  const schema = z.object({ when: z.date() });
  expect(parseInput(schema, { when: new Date(0) })).toMatchObject({ ok: true });
  expect(parseInput(schema, {})).toMatchObject({ ok: false, issues: [{ path: '/when' }] });
});

verifies('schema/parse-input', 'names of the prototype are ordinary names', () => {
  const schema = {
    type: 'object',
    properties: { a: { type: 'array', items: { type: 'number' } } },
    additionalProperties: false,
  };
  for (const text of ['{"__proto__":{"admin":true},"a":"[1]"}', '{"constructor":1}', '{"toString":"[1]"}']) {
    expect(parseInput(schema, JSON.parse(text))).toMatchObject({ ok: false });
  }
  const open = { type: 'object', properties: { a: { type: 'array' } } };
  const outcome = parseInput(open, JSON.parse('{"__proto__":{"admin":true},"a":"[1]"}'));
  expect(outcome).toMatchObject({ ok: true, value: { a: [1] } });
  expect((outcome as unknown as { value: Record<string, unknown> }).value['admin']).toBeUndefined();
});

verifies('schema/check-output', 'the pointer of what breaks the promise; nothing is mended', async () => {
  const schema = {
    type: 'object',
    properties: { list: { type: 'array', items: { type: 'integer' } } },
    required: ['list'],
  };
  expect(await checkOutput(schema, { list: [1] })).toEqual({ ok: true });
  expect(await checkOutput(schema, { list: [1, 'x'] })).toMatchObject({ ok: false, pointer: '/list/1' });
  expect(await checkOutput(schema, { list: '[1]' })).toMatchObject({ ok: false, pointer: '/list' });
  expect(await checkOutput(schema, {})).toMatchObject({ ok: false, pointer: '/list' });
  expect(await checkOutput(z.object({ n: z.number() }), { n: '1' })).toMatchObject({ ok: false, pointer: '/n' });
  expect(await checkOutput(schema, undefined)).toMatchObject({ ok: false, pointer: '' });
});

verifies(
  'schema/pattern',
  'a pattern that would take for ever is a fault within a moment, and a plain one matches',
  () => {
    const hostile = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } };
    const began = performance.now();
    expect(parseInput(hostile, { a: `${'a'.repeat(40)}!` })).toMatchObject({ ok: false });
    expect(performance.now() - began).toBeLessThan(5_000);
    expect(parseInput(hostile, { a: 'aaa' })).toMatchObject({ ok: true });
  },
);
