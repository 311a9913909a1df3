import fc from 'fast-check';
import type { JsonSchema } from '../../../src/core/index.ts';

const name = fc.constantFrom('a', 'b', 'c', 'type', '名', 'x y');
const type = fc.constantFrom('string', 'number', 'integer', 'boolean', 'object', 'array', 'null');
const scalar = fc.oneof(
  fc.constantFrom('x', 'y', ''),
  fc.integer({ min: -3, max: 3 }),
  fc.boolean(),
  fc.constant(null),
  fc.constant(1.5),
);
const count = fc.integer({ min: 0, max: 3 });
const reference = fc.constantFrom('#', '#/$defs/A', '#/definitions/B', '#/properties/a', '#anchor');

const { schema } = fc.letrec<{ schema: JsonSchema | boolean }>((tie) => {
  const inner = tie('schema');
  const map = fc.dictionary(name, inner, { maxKeys: 3 });
  const list = fc.array(inner, { minLength: 0, maxLength: 3 });
  const keywords = fc.record(
    {
      type: fc.oneof(
        { weight: 6, arbitrary: type },
        { weight: 2, arbitrary: fc.uniqueArray(type, { minLength: 1, maxLength: 3 }) },
      ),
      properties: map,
      required: fc.uniqueArray(name, { maxLength: 3 }),
      additionalProperties: inner,
      patternProperties: fc.dictionary(fc.constantFrom('^x', 'y$'), inner, { maxKeys: 1 }),
      propertyNames: inner,
      items: fc.oneof(inner, list),
      additionalItems: inner,
      prefixItems: list,
      contains: fc.constantFrom(true, { const: 'x' }, { type: 'string' }),
      uniqueItems: fc.boolean(),
      minItems: count,
      maxItems: count,
      minLength: count,
      minimum: count,
      maximum: count,
      exclusiveMinimum: fc.oneof(count, fc.boolean()),
      multipleOf: fc.constantFrom(1, 0.5, 2),
      enum: fc.array(scalar, { maxLength: 4 }),
      const: scalar,
      anyOf: list,
      oneOf: list,
      allOf: list,
      not: inner,
      if: inner,
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: inner,
      dependencies: fc.dictionary(name, fc.oneof(inner, fc.array(name, { maxLength: 2 })), { maxKeys: 2 }),
      $ref: reference,
      nullable: fc.boolean(),
      format: fc.constantFrom('uri', 'date-time', 'int32', 'enum'),
      pattern: fc.constantFrom('^a', '[0-9]+'),
      description: fc.constantFrom('', 'text'),
      title: fc.constant('Title'),
      default: scalar,
      'x-own': scalar,
    },
    { requiredKeys: [] },
  );
  /** Few keywords at a time: with all of them every schema would be a contradiction. */
  const some = fc.tuple(keywords, fc.array(fc.nat({ max: 60 }), { minLength: 1, maxLength: 4 })).map(([all, picks]) => {
    const entries = Object.entries(all);
    return Object.fromEntries(
      picks.map((pick) => entries[pick % Math.max(1, entries.length)]).filter((entry) => entry !== undefined),
    );
  });
  return {
    schema: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.boolean(),
      type.map((one) => ({ type: one })),
      some,
    ),
  };
});

/** Schemas as strangers write them, contradictions and recursion included. */
export const anySchema: fc.Arbitrary<JsonSchema> = fc.tuple(schema, schema, schema).map(([root, a, b]) => ({
  ...(typeof root === 'boolean' ? {} : root),
  $defs: { A: a, C: { $anchor: 'anchor', type: 'string' } },
  definitions: { B: b },
}));
