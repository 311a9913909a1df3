import { expect } from 'vitest';
import { z } from 'zod';
import { verifies } from '../../test/verifies.ts';
import type { JsonSchema, StandardSchema } from '../core/index.ts';
import { compileSchema } from './compile-schema.ts';
import { parseInput, toJsonSchema } from './index.ts';

verifies('schema/to-json-schema', 'plain JSON Schema by identity, Standard Schemas printed once', () => {
  const plain = { type: 'object', properties: {} };
  expect(toJsonSchema(plain)).toBe(plain);
  const schema = z.object({ a: z.string(), b: z.number().default(1) });
  const printed = toJsonSchema(schema);
  expect(printed).toMatchObject({ type: 'object', properties: { a: { type: 'string' } }, required: ['a'] });
  expect(toJsonSchema(schema)).toBe(printed);
  expect(Object.keys(printed)).not.toContain('~standard');
  expect(toJsonSchema(true)).toEqual({});
});

verifies('schema/to-json-schema', 'other vendors print by the standard', () => {
  const own = {
    '~standard': {
      version: 1,
      vendor: 'own',
      validate: (value: unknown) => ({ value }),
      jsonSchema: { input: () => ({ type: 'object' }) },
    },
  } as StandardSchema;
  expect(toJsonSchema(own)).toEqual({ type: 'object' });
});

verifies('schema/to-json-schema', 'what cannot be printed is refused', () => {
  const mute: StandardSchema = { '~standard': { version: 1, vendor: 'mute', validate: (value) => ({ value }) } };
  for (const schema of [mute, z.object({ when: z.date() }), 'text' as unknown as JsonSchema, false]) {
    expect(() => toJsonSchema(schema)).toThrow(expect.objectContaining({ code: 'invalid_request' }));
  }
  expect(() => toJsonSchema(mute)).toThrow(/mute schema cannot be printed/);
});

const drafts: readonly [name: string, schema: JsonSchema, valid: unknown, invalid: unknown][] = [
  [
    'draft-07',
    { $schema: 'http://json-schema.org/draft-07/schema#', items: [{ type: 'string' }], additionalItems: false },
    ['a'],
    ['a', 'b'],
  ],
  [
    'draft-07 dependencies',
    { $schema: 'http://json-schema.org/draft-07/schema', dependencies: { a: ['b'] } },
    { a: 1, b: 1 },
    { a: 1 },
  ],
  [
    'draft-04',
    { $schema: 'http://json-schema.org/draft-04/schema#', id: 'http://x/y', minimum: 0, exclusiveMinimum: true },
    1,
    0,
  ],
  [
    '2019-09',
    {
      $schema: 'https://json-schema.org/draft/2019-09/schema',
      properties: { a: { $recursiveRef: '#' } },
      required: ['b'],
    },
    { b: 1 },
    { b: 1, a: {} },
  ],
  [
    '2020-12',
    { $schema: 'https://json-schema.org/draft/2020-12/schema', prefixItems: [{ type: 'string' }] },
    ['a'],
    [1],
  ],
  ['an unknown dialect', { $schema: 'https://example.org/none', type: 'string' }, 'a', 1],
  ['OpenAPI nullable', { type: 'string', nullable: true }, null, 1],
  [
    'references by id',
    {
      $id: 'https://example.org/a.json',
      properties: { a: { $ref: 'b.json#/$defs/n' } },
      $defs: { B: { $id: 'b.json', $defs: { n: { type: 'number' } } } },
    },
    { a: 1 },
    { a: 'x' },
  ],
  ['formats', { type: 'string', format: 'uri' }, 'https://a.b/c', 'no uri'],
  ['an unknown format', { type: 'string', format: 'paper-id' }, 'anything', 5],
  ['a pattern of older engines', { type: 'string', pattern: '^[\\w\\-]+$' }, 'a-b', 'a b'],
  ['$async is no promise', { $async: true, type: 'string' }, 'a', 1],
];

for (const [name, schema, valid, invalid] of drafts) {
  verifies('schema/compile', name, () => {
    expect(parseInput(schema, valid)).toMatchObject({ ok: true });
    expect(parseInput(schema, invalid)).toMatchObject({ ok: false });
  });
}

verifies('schema/compile', 'two schemas may have one id, and a schema is compiled once', () => {
  const first = { $id: 'https://example.org/same', type: 'string' };
  const second = { $id: 'https://example.org/same', type: 'number' };
  expect(parseInput(first, 'a')).toMatchObject({ ok: true });
  expect(parseInput(second, 1)).toMatchObject({ ok: true });
  expect(compileSchema(first)).toBe(compileSchema(first));
});

verifies('schema/compile', 'what cannot be judged is refused with its pointer', () => {
  for (const [schema, pointer] of [
    [{ properties: { a: { $ref: 'https://example.org/net.json' } } }, '/properties/a/$ref'],
    [{ properties: { a: { $ref: '#/none' } } }, '/properties/a/$ref'],
    [{ items: { type: 'strng' } }, '/items/type'],
    [{ properties: { a: { pattern: '(' } } }, '/properties/a/pattern'],
  ] as const) {
    expect(() => parseInput(schema, {})).toThrow(
      expect.objectContaining({ code: 'invalid_request', data: { pointer } }),
    );
  }
});

verifies('schema/compile', 'recursive schemas judge deep values without a crash', () => {
  const schema = { $ref: '#/$defs/N', $defs: { N: { type: 'object', properties: { n: { $ref: '#/$defs/N' } } } } };
  let deep: unknown = {};
  for (let i = 0; i < 100_000; i++) deep = { n: deep };
  expect(parseInput(schema, deep)).toMatchObject({
    ok: false,
    issues: [{ message: expect.stringContaining('too deeply') }],
  });
});

verifies('schema/compile', 'fields named as methods of objects do not crash the judge', () => {
  const schema = { properties: { list: { type: 'array', uniqueItems: true } } };
  for (const name of ['valueOf', 'toString', 'hasOwnProperty', 'length']) {
    const outcome = parseInput(schema, { list: [{ [name]: 1 }, { [name]: 2 }] });
    expect(outcome).toHaveProperty('ok');
  }
});
