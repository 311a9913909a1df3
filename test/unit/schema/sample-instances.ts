import { isObject } from '../../../src/core/index.ts';

/** A few values that a projected schema accepts: as little as it may be, all that it may be, nulls where they may be. */
export function sampleInstances(schema: unknown): unknown[] {
  return ['least', 'most', 'null'].map((kind) => sample(schema, kind, 0));
}

function sample(schema: unknown, kind: string, turn: number): unknown {
  if (!isObject(schema)) return 'any';
  const types = [schema['type']].flat();
  const optionalNull = kind === 'null' && (types.includes('null') || schema['nullable'] === true);
  if (optionalNull) return null;
  if ('const' in schema) return schema['const'];
  const values = schema['enum'];
  if (Array.isArray(values)) return values[kind === 'most' ? values.length - 1 : 0];
  for (const key of ['anyOf', 'oneOf']) {
    const choices = schema[key];
    if (!Array.isArray(choices)) continue;
    const nullish = choices.find((choice) => isObject(choice) && choice['type'] === 'null');
    if (kind === 'null' && nullish !== undefined) return null;
    const choice = choices[kind === 'most' ? choices.length - 1 : 0];
    return sample(isObject(choice) && choice['type'] === 'null' ? choices[0] : choice, kind, turn);
  }
  const low = number(schema['minimum']) ?? plus(schema['exclusiveMinimum'], 1);
  const high = number(schema['maximum']) ?? plus(schema['exclusiveMaximum'], -1);
  switch (types.find((type) => type !== 'null') ?? types[0]) {
    case 'object': {
      const properties = isObject(schema['properties']) ? schema['properties'] : {};
      const required = Array.isArray(schema['required']) ? schema['required'] : [];
      const names = Object.keys(properties).filter((name) => kind !== 'least' || required.includes(name));
      return Object.fromEntries(names.map((name) => [name, sample(properties[name], kind, turn)]));
    }
    case 'array': {
      const first: unknown[] = Array.isArray(schema['prefixItems']) ? schema['prefixItems'] : [];
      const most = Math.min(Math.max(1, first.length), number(schema['maxItems']) ?? 1);
      const count = Math.max(number(schema['minItems']) ?? 0, kind === 'most' ? most : 0);
      return Array.from({ length: count }, (_, index) => sample(first[index] ?? schema['items'], kind, index));
    }
    case 'integer':
    case 'number':
      return (kind === 'most' ? (high ?? low) : (low ?? high)) ?? turn;
    case 'boolean':
      return kind === 'most';
    case 'string':
      return 'x'.repeat(
        Math.max(number(schema['minLength']) ?? 0, kind === 'most' ? Math.min(3, number(schema['maxLength']) ?? 3) : 0),
      );
    case 'null':
      return null;
    default:
      return { any: turn };
  }
}

const number = (value: unknown) => (typeof value === 'number' ? value : undefined);
const plus = (value: unknown, step: number) => (typeof value === 'number' ? value + step : undefined);
