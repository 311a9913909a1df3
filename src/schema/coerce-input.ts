import { isObject, type JsonSchema } from '../core/index.ts';
import { type TypeName, typeOf } from './keywords.ts';
import { modernSchema } from './modern-schema.ts';
import { createShapeReader, mayFit, type Shape, type ShapeReader, type Shapes, typesOf } from './shapes.ts';

const MOST_DEPTH = 64;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const readers = new WeakMap<object, ShapeReader>();

/**
 * What a model meant where it wrote JSON as a string: `"[1]"` where only an array may stand, `"2"` where only
 * a number, `"true"` where only a boolean, and a null for a property that is optional and takes none. A value
 * that may stand as it is stays as it is; a string stays a string wherever a string may stand. The value is
 * never changed: what differs is copied.
 */
export function coerceInput(schema: JsonSchema, value: unknown): unknown {
  const modern = modernSchema(schema);
  let reader = readers.get(schema);
  if (reader === undefined) {
    reader = createShapeReader(modern);
    readers.set(schema, reader);
  }
  return coerce(value, reader.of(modern.root), reader, 0);
}

function coerce(value: unknown, shapes: Shapes, reader: ShapeReader, depth: number): unknown {
  if (shapes === undefined || depth > MOST_DEPTH) return value;
  const fits = (shape: Shape) => mayFit(shape, value);
  const fitting = shapes.every(fits) ? shapes : shapes.filter(fits);
  if (fitting.length === 0) {
    const decoded = typeof value === 'string' ? decode(value, shapes) : undefined;
    return decoded === undefined ? value : coerce(decoded.value, shapes, reader, depth + 1);
  }
  if (Array.isArray(value)) return coerceItems(value, fitting, reader, depth);
  return isObject(value) ? coerceProperties(value, fitting, reader, depth) : value;
}

function coerceItems(value: readonly unknown[], fitting: readonly Shape[], reader: ShapeReader, depth: number) {
  let copy: unknown[] | undefined;
  const first = fitting.flat().reduce((most, schema) => Math.max(most, lengthOf(schema['prefixItems'])), 0);
  const rest = reader.inside(fitting, first);
  for (const [index, item] of value.entries()) {
    const inner = coerce(item, index < first ? reader.inside(fitting, index) : rest, reader, depth + 1);
    if (inner === item) continue;
    copy ??= [...value];
    copy[index] = inner;
  }
  return copy ?? value;
}

const lengthOf = (value: unknown) => (Array.isArray(value) ? value.length : 0);

function coerceProperties(
  value: Record<string, unknown>,
  fitting: readonly Shape[],
  reader: ShapeReader,
  depth: number,
): unknown {
  let changed = false;
  const entries: [string, unknown][] = [];
  for (const [key, item] of Object.entries(value)) {
    const shapes = reader.inside(fitting, key);
    if (item === null && isNeedless(key, shapes, fitting)) {
      changed = true;
      continue;
    }
    const inner = coerce(item, shapes, reader, depth + 1);
    if (inner !== item) changed = true;
    entries.push([key, inner]);
  }
  return changed ? Object.fromEntries(entries) : value;
}

/** A null that says no more than leaving the property out. */
function isNeedless(key: string, shapes: Shapes, fitting: readonly Shape[]): boolean {
  if (shapes === undefined || shapes.length === 0 || shapes.some((shape) => typesOf(shape).has('null'))) return false;
  return !fitting.some((shape) =>
    shape.some((schema) => Array.isArray(schema['required']) && schema['required'].includes(key)),
  );
}

/** The value that a string holds, when one of the shapes takes that type. */
function decode(text: string, shapes: readonly Shape[]): { readonly value: unknown } | undefined {
  const allowed = new Set(shapes.flatMap((shape) => [...typesOf(shape)]));
  const trimmed = text.trim();
  const value = read(trimmed);
  if (value === undefined) return undefined;
  const type: TypeName = typeOf(value);
  if (!allowed.has(type) && !(type === 'integer' && allowed.has('number'))) return undefined;
  return { value };
}

function read(text: string): unknown {
  if (text === 'true' || text === 'True') return true;
  if (text === 'false' || text === 'False') return false;
  if (text === 'null' || text === 'None') return null;
  if (NUMBER.test(text)) {
    const number = Number(text);
    const exact = Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number));
    return exact ? number : undefined;
  }
  if (!text.startsWith('{') && !text.startsWith('[')) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
