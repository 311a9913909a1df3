import { isObject, type JsonSchema } from '../core/index.ts';
import { TYPES, type TypeName, typeOf } from './keywords.ts';
import type { ModernSchema } from './modern-schema.ts';
import type { Schema } from './modernize.ts';

/** Schemas that must all hold at once; a value has to fit one of several shapes. */
export type Shape = readonly JsonSchema[];
/** Shapes one of which must fit; undefined: anything may, or there are too many to tell. */
export type Shapes = readonly Shape[] | undefined;

const MOST_SHAPES = 64;
const MOST_DEPTH = 32;
const MOST_KEYS = 500;

/** Reads a schema as a choice of shapes, `$ref`, `allOf`, `anyOf` and `oneOf` taken apart. */
export interface ShapeReader {
  of(schema: Schema): Shapes;
  /** What may stand at a property or at an index of a value that fits one of the shapes. */
  inside(shapes: readonly Shape[], key: string | number): Shapes;
}

export function createShapeReader(modern: ModernSchema): ShapeReader {
  const known = new Map<Schema, Shapes>();
  const of = (schema: Schema, depth = 0): Shapes => {
    if (known.has(schema)) return known.get(schema);
    const shapes = depth > MOST_DEPTH ? undefined : expand(schema, depth);
    known.set(schema, shapes);
    return shapes;
  };
  const expand = (schema: Schema, depth: number): Shapes => {
    if (typeof schema === 'boolean') return schema ? [[]] : [];
    let shapes: Shapes = [[schema]];
    const reference = schema['$ref'];
    if (typeof reference === 'string') {
      const target = reference === '#' ? modern.root : modern.defs.get(reference.slice('#/$defs/'.length));
      shapes = both(shapes, of(target ?? true, depth + 1));
    }
    for (const part of listOf(schema['allOf'])) shapes = both(shapes, of(part, depth + 1));
    for (const keyword of ['anyOf', 'oneOf']) {
      if (Array.isArray(schema[keyword])) {
        shapes = both(shapes, either(listOf(schema[keyword]).map((one) => of(one, depth + 1))));
      }
    }
    return shapes;
  };
  const insides = new WeakMap<readonly Shape[], Map<string | number, Shapes>>();
  const inside = (shapes: readonly Shape[], key: string | number): Shapes =>
    either(
      shapes.map((shape) => shape.reduce<Shapes>((inner, schema) => both(inner, of(innerSchema(schema, key))), [[]])),
    );
  return {
    of: (schema) => of(schema),
    inside(shapes, key) {
      const found = insides.get(shapes) ?? new Map<string | number, Shapes>();
      insides.set(shapes, found);
      if (found.has(key)) return found.get(key);
      const fresh = inside(shapes, key);
      if (found.size < MOST_KEYS) found.set(key, fresh);
      return fresh;
    },
  };
}

const listOf = (value: unknown): readonly Schema[] => (Array.isArray(value) ? (value as Schema[]) : []);

function both(left: Shapes, right: Shapes): Shapes {
  if (left === undefined) return right;
  if (right === undefined) return left;
  if (left.length * right.length > MOST_SHAPES) return undefined;
  return left.flatMap((one) => right.map((other) => [...one, ...other]));
}

function either(choices: readonly Shapes[]): Shapes {
  const all: Shape[] = [];
  for (const shapes of choices) {
    if (shapes === undefined || all.length + shapes.length > MOST_SHAPES) return undefined;
    all.push(...shapes);
  }
  return all;
}

/** The schema that one schema has for a property or an item; true where it says nothing. */
function innerSchema(schema: JsonSchema, key: string | number): Schema {
  if (typeof key === 'number') {
    const first = schema['prefixItems'];
    if (Array.isArray(first) && key < first.length) return first[key] as Schema;
    return (schema['items'] as Schema | undefined) ?? true;
  }
  const properties = schema['properties'];
  if (isObject(properties) && Object.hasOwn(properties, key)) return properties[key] as Schema;
  if (schema['patternProperties'] !== undefined) return true;
  return (schema['additionalProperties'] as Schema | undefined) ?? true;
}

interface ShapeFacts {
  readonly types: ReadonlySet<TypeName>;
  /** Properties that must be one constant: they tell shapes apart. */
  readonly constants: readonly (readonly [name: string, value: unknown])[];
}

const facts = new WeakMap<Shape, ShapeFacts>();

function factsOf(shape: Shape): ShapeFacts {
  const found = facts.get(shape);
  if (found !== undefined) return found;
  const fresh = { types: openTypes(shape), constants: shape.flatMap(constantsOf) };
  facts.set(shape, fresh);
  return fresh;
}

function openTypes(shape: Shape): ReadonlySet<TypeName> {
  let types = new Set<TypeName>(TYPES);
  for (const schema of shape) {
    const type = schema['type'];
    if (type !== undefined) types = common(types, new Set((Array.isArray(type) ? type : [type]) as TypeName[]));
    if (Array.isArray(schema['enum'])) types = common(types, new Set(schema['enum'].map(typeOf)));
    if (Object.hasOwn(schema, 'const')) types = common(types, new Set([typeOf(schema['const'])]));
  }
  return types;
}

function common(left: Set<TypeName>, right: Set<TypeName>): Set<TypeName> {
  const widened = right.has('number') ? new Set([...right, 'integer' as const]) : right;
  return new Set([...left].filter((type) => widened.has(type)));
}

function constantsOf(schema: JsonSchema): [string, unknown][] {
  if (!isObject(schema['properties'])) return [];
  return Object.entries(schema['properties']).flatMap(([name, inner]): [string, unknown][] =>
    isObject(inner) && Object.hasOwn(inner, 'const') ? [[name, inner['const']]] : [],
  );
}

/** The types that a shape leaves open. `integer` without `number` means whole numbers only. */
export const typesOf = (shape: Shape): ReadonlySet<TypeName> => factsOf(shape).types;

/** False when the value cannot fit the shape: by its type, or by a constant that one of its properties must be. */
export function mayFit(shape: Shape, value: unknown): boolean {
  const { types, constants } = factsOf(shape);
  if (!types.has(typeOf(value))) return false;
  if (constants.length === 0 || !isObject(value)) return true;
  return constants.every(
    ([name, constant]) => !Object.hasOwn(value, name) || typeof value[name] === 'object' || value[name] === constant,
  );
}
