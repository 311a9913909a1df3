import { expect } from 'vitest';
import type { JsonSchema } from '../../../src/core/index.ts';
import { parseInput, projectSchema, toJsonSchema } from '../../../src/schema/index.ts';
import { verifies } from '../../verifies.ts';
import { broken, meta, PROVIDERS } from './broken-projection.ts';

const hopeless: readonly [name: string, schema: unknown, pointer: string][] = [
  ['unknown type', { type: 'strng' }, '/type'],
  ['unknown type below', { properties: { a: { items: { type: 'strng' } } } }, '/properties/a/items/type'],
  ['root false', false, ''],
  ['root is a list', [], ''],
  ['root is text', 'object', ''],
  ['reference to nowhere', { properties: { a: { $ref: '#/$defs/none' } } }, '/properties/a/$ref'],
  ['reference to the network', { properties: { a: { $ref: 'https://example.org/x.json' } } }, '/properties/a/$ref'],
  ['reference that is no text', { properties: { a: { $ref: 5 } } }, '/properties/a/$ref'],
  ['reference to itself', { $ref: '#' }, ''],
  [
    'references in a ring',
    { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { anyOf: [{ $ref: '#/$defs/a' }] } } },
    '',
  ],
  ['properties that are a list', { type: 'object', properties: ['a'] }, '/properties'],
  ['a property that is text', { properties: { a: 'string' } }, '/properties/a'],
  ['broken expression', { properties: { a: { type: 'string', pattern: '(' } } }, '/properties/a/pattern'],
  ['bound that is text', { properties: { a: { minLength: 'x' } } }, '/properties/a/minLength'],
  ['required that is text', { required: 'a' }, '/required'],
];

for (const [name, schema, pointer] of hopeless) {
  verifies('REG-03', `refused with its pointer: ${name}`, () => {
    for (const provider of PROVIDERS) {
      let caught: unknown;
      try {
        projectSchema(schema as JsonSchema, provider);
      } catch (error) {
        caught = error;
      }
      expect(caught).toMatchObject({ name: 'ToolwrightError', code: 'invalid_request' });
      if (name !== 'references in a ring' && name !== 'reference to itself') {
        expect(caught).toMatchObject({ data: { pointer } });
        expect((caught as Error).message).toContain(pointer || '/');
      }
    }
  });
}

const reported: readonly [name: string, schema: unknown, input: unknown][] = [
  ['nothing', {}, { a: 1 }],
  ['only a type', { type: 'object' }, { a: 1 }],
  ['no type', { properties: { a: { type: 'string' } } }, { a: 'x' }],
  [
    'oneOf',
    {
      oneOf: [
        { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
        { type: 'object', properties: { b: { type: 'number' } }, required: ['b'] },
      ],
    },
    { a: 'x' },
  ],
  [
    'anyOf',
    { anyOf: [{ properties: { a: { type: 'string' } } }, { properties: { b: { type: 'number' } } }] },
    { b: 1 },
  ],
  ['allOf', { allOf: [{ properties: { a: { type: 'string' } } }, { required: ['a'] }] }, { a: 'x' }],
  ['$ref', { $ref: '#/$defs/A', $defs: { A: { type: 'object', properties: { a: { type: 'string' } } } } }, { a: 'x' }],
  [
    'old bounds',
    { type: 'object', properties: { n: { type: 'number', exclusiveMinimum: true, minimum: 0 } } },
    { n: 1 },
  ],
  ['object or null', { type: ['object', 'null'], properties: { a: { type: 'string' } } }, { a: 'x' }],
  ['array', { type: 'array', items: { type: 'string' } }, ['x']],
  ['true', true, { a: 1 }],
  [
    'absent required',
    { type: 'object', properties: { a: { type: 'string' } }, required: ['a', 'b'] },
    { a: 'x', b: 1 },
  ],
  [
    'draft-04',
    { $schema: 'http://json-schema.org/draft-04/schema#', type: 'object', properties: { a: { type: 'string' } } },
    { a: 'x' },
  ],
];

for (const [name, schema, input] of reported) {
  verifies('REG-03', `a plain object schema, and the server gets its own shape: ${name}`, async () => {
    for (const provider of PROVIDERS) {
      const projection = projectSchema(schema as JsonSchema, provider);
      expect(projection.schema).toMatchObject({ type: 'object', properties: expect.any(Object) });
      expect(broken(projection, provider)).toEqual([]);
      const sent = projection.wrap === undefined ? input : { [projection.wrap.key]: input };
      if (provider === 'openai' || provider === 'anthropic') expect(meta.validate(projection.schema, sent)).toBe(true);
      const unwrapped = projection.wrap === undefined ? sent : (sent as Record<string, unknown>)[projection.wrap.key];
      expect(await parseInput(toJsonSchema(schema as JsonSchema), unwrapped)).toEqual({ ok: true, value: input });
    }
  });
}

verifies('REG-03', 'a schema object that holds itself, is endless deep or huge is refused', () => {
  const cyclic: Record<string, unknown> = { type: 'object', properties: {} };
  (cyclic['properties'] as Record<string, unknown>)['self'] = { items: cyclic };
  expect(() => projectSchema(cyclic, 'openai')).toThrow(/holds itself.*\/properties\/self\/items/);
  let deep: Record<string, unknown> = { type: 'string' };
  for (let i = 0; i < 5_000; i++) deep = { items: deep };
  expect(() => projectSchema(deep, 'gemini')).toThrow(/levels deep/);
  const wide = { properties: Object.fromEntries(Array.from({ length: 60_000 }, (_, i) => [`p${i}`, {}])) };
  expect(() => projectSchema(wide, 'openai')).toThrow(/more than 50000 values/);
});

verifies('REG-03', 'references that multiply are bounded and told', () => {
  const $defs: Record<string, unknown> = { d0: { type: 'string' } };
  for (let i = 1; i <= 30; i++) {
    $defs[`d${i}`] = {
      type: 'object',
      properties: { l: { $ref: `#/$defs/d${i - 1}` }, r: { $ref: `#/$defs/d${i - 1}` } },
    };
  }
  const projection = projectSchema({ $ref: '#/$defs/d30', $defs }, 'openai');
  expect(JSON.stringify(projection.schema).length).toBeLessThan(1_000_000);
  expect(projection.lost.length).toBeGreaterThan(0);
});
