import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isToolwrightError } from '../../../src/core/index.ts';
import { parseInput, projectSchema } from '../../../src/schema/index.ts';
import { verifies } from '../../verifies.ts';
import { anySchema } from './any-schema.ts';
import { broken, meta, PROVIDERS } from './broken-projection.ts';
import { partSamples } from './part-samples.ts';
import { rootSamples } from './root-samples.ts';
import { sampleInstances } from './sample-instances.ts';

const schemaSamples = [...rootSamples, ...partSamples];

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
