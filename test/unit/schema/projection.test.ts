import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isToolwrightError, type JsonSchema } from '../../../src/core/index.ts';
import { parseInput, projectSchema, type SchemaProvider, toJsonSchema } from '../../../src/schema/index.ts';
import { verifies } from '../../verifies.ts';
import { anySchema } from './any-schema.ts';
import { brokenRules } from './provider-rules.ts';
import { sampleInstances } from './sample-instances.ts';
import { schemaSamples } from './schema-samples.ts';

const PROVIDERS: readonly SchemaProvider[] = ['openai', 'openai-strict', 'anthropic', 'gemini'];
const meta = new Ajv2020({ strict: false, allErrors: true });
(addFormats as unknown as (ajv: Ajv2020) => void)(meta);

/** The rules that hold for a projection: those of strict mode only when it says that it is strict. */
function broken(projection: ReturnType<typeof projectSchema>, provider: SchemaProvider): string[] {
  const rules = provider === 'openai-strict' && !projection.strict ? 'openai' : provider;
  const found = brokenRules(projection.schema, rules);
  if (rules !== 'gemini' && !meta.validateSchema(projection.schema)) found.push(meta.errorsText(meta.errors));
  return found;
}

verifies('schema/project', 'the table has at least 60 schemas with names of their own', () => {
  expect(schemaSamples.length).toBeGreaterThanOrEqual(60);
  expect(new Set(schemaSamples.map((sample) => sample.name)).size).toBe(schemaSamples.length);
});

for (const provider of PROVIDERS) {
  for (const sample of schemaSamples) {
    verifies('schema/project', `${provider}: ${sample.name}`, () => {
      const before = JSON.stringify(sample.schema);
      const projection = projectSchema(sample.schema, provider);
      expect(broken(projection, provider)).toEqual([]);
      expect(JSON.stringify(sample.schema)).toBe(before);
      expect(projectSchema(sample.schema, provider)).toEqual(projection);
      expect(JSON.parse(JSON.stringify(projection.schema))).toEqual(projection.schema);
      expect(projection.wrap).toEqual(sample.wrapped === true ? { key: 'input' } : undefined);
      if (provider !== 'openai-strict') expect(projection.strict).toBe(false);
      else if (sample.strict !== undefined) expect(projection.strict).toBe(sample.strict);
      const lost = projection.lost.map((entry) => `${entry.pointer} ${entry.keyword}`);
      const expected = sample.lost?.[provider] ?? sample.lost?.all;
      if (expected !== undefined) expect(lost.sort()).toEqual([...expected].sort());
      if (!projection.strict && provider === 'openai-strict')
        expect(lost.some((entry) => entry.endsWith(' strict'))).toBe(true);
    });
  }
}

/** Gemini's `nullable` is no keyword of JSON Schema: here it is one of two choices. */
function readable(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(readable);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { nullable, ...rest } = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, readable(value)]),
  ) as Record<string, unknown>;
  return nullable === true ? { anyOf: [rest, { type: 'null' }] } : rest;
}

for (const provider of PROVIDERS) {
  verifies('schema/project', `${provider}: what fits a projection that lost nothing fits the schema itself`, () => {
    let checked = 0;
    for (const { schema, name } of schemaSamples) {
      const projection = projectSchema(schema, provider);
      if (projection.lost.length > 0 || typeof schema === 'boolean') continue;
      for (const instance of sampleInstances(projection.schema)) {
        const fits = meta.validate(readable(projection.schema) as object, instance);
        if (!fits) continue;
        const value =
          projection.wrap === undefined ? instance : (instance as Record<string, unknown>)[projection.wrap.key];
        expect({ name, value, ...parseInput(schema, value) }).toMatchObject({ name, ok: true });
        checked++;
      }
    }
    expect(checked).toBeGreaterThan(60);
  });
}

verifies('schema/project', 'generated schemas never break the rules of a provider', () => {
  fc.assert(
    fc.property(anySchema, (schema) => {
      for (const provider of PROVIDERS) {
        let projection: ReturnType<typeof projectSchema>;
        try {
          projection = projectSchema(schema, provider);
        } catch (error) {
          if (isToolwrightError(error) && error.code === 'invalid_request') continue;
          throw error;
        }
        const found = broken(projection, provider);
        if (found.length > 0) throw new Error(`${provider}: ${found.join('; ')}\n${JSON.stringify(projection.schema)}`);
      }
    }),
    { numRuns: 400, seed: 20_261_201 },
  );
});

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

test('what a provider is told of merged choices, dropped rules and cut recursion', () => {
  const choice = projectSchema(
    schemaSamples.find((sample) => sample.name === 'root oneOf by kind')?.schema ?? {},
    'anthropic',
  );
  expect(choice.schema).toEqual({
    type: 'object',
    description: 'Give exactly one of these sets of fields: {kind: "a", x} or {kind: "b", y}.',
    properties: { kind: { type: 'string', enum: ['a', 'b'] }, x: { type: 'number' }, y: { type: 'string' } },
    required: ['kind'],
  });
  const strict = projectSchema(
    {
      properties: {
        n: { type: 'integer', minimum: 1, default: 5, description: 'Count' },
        mode: { enum: ['a', 'b'] },
        tags: { type: 'array', items: { type: 'string' } },
      },
      required: ['n'],
    },
    'openai-strict',
  );
  expect(strict).toEqual({
    schema: {
      type: 'object',
      properties: {
        n: { type: 'integer', description: 'Count\nAt least 1.\nDefault: 5.' },
        mode: { type: ['string', 'null'], enum: ['a', 'b', null] },
        tags: { anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'null' }] },
      },
      required: ['n', 'mode', 'tags'],
      additionalProperties: false,
    },
    lost: [
      { pointer: '/properties/n', keyword: 'minimum', why: expect.any(String) },
      { pointer: '/properties/n', keyword: 'default', why: expect.any(String) },
    ],
    strict: true,
  });
  const gemini = projectSchema(
    {
      properties: {
        a: { anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }], description: 'Either' },
        n: { enum: [1, 2] },
      },
    },
    'gemini',
  );
  expect(gemini.schema).toEqual({
    type: 'object',
    properties: {
      a: {
        anyOf: [
          { type: 'string', description: 'Either', nullable: true },
          { type: 'integer', description: 'Either', nullable: true },
        ],
      },
      n: { type: 'integer', description: 'One of: 1, 2.' },
    },
  });
  const tree = projectSchema(schemaSamples.find((sample) => sample.name === 'recursive tree')?.schema ?? {}, 'openai');
  expect(tree.lost).toEqual([
    {
      pointer: '/$defs/Node/properties/children/items',
      keyword: '$ref',
      why: expect.stringContaining('stands inside itself'),
    },
  ]);
});
