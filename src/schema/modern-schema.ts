import { isObject, type JsonSchema } from '../core/index.ts';
import { IN_PLACE_KEYWORDS } from './keywords.ts';
import { type LostKeyword, type ModernWork, modernize, type Schema } from './modernize.ts';
import { badSchema, requirePlainSchema } from './plain-schema.ts';
import { collectReferences, type References, ROOT_BASE } from './references.ts';

/**
 * A schema of any draft as draft 2020-12: a copy without ids and anchors, each `$ref` either `#` or
 * `#/$defs/<name>`, each definition at the root and only those that are used.
 */
export interface ModernSchema {
  readonly root: Schema;
  readonly defs: ReadonlyMap<string, Schema>;
  /** Where a subschema of the copy stood in the schema that was given. */
  readonly origin: WeakMap<object, string>;
  readonly lost: readonly LostKeyword[];
}

const known = new WeakMap<object, ModernSchema>();

/** Converts once and remembers; refuses with the JSON pointer what no draft gives a meaning. */
export function modernSchema(schema: Schema): ModernSchema {
  if (typeof schema === 'boolean') return { root: schema, defs: new Map(), origin: new WeakMap(), lost: [] };
  const found = known.get(schema);
  if (found !== undefined) return found;
  const fresh = convert(schema);
  known.set(schema, fresh);
  return fresh;
}

function convert(schema: JsonSchema): ModernSchema {
  if (!isObject(schema)) throw badSchema('', 'something other than an object or a boolean stands');
  requirePlainSchema(schema);
  const references = collectReferences(schema);
  const names = new Map<string, string>();
  const taken = new Set<string>();
  const waiting: string[] = [];
  const work: ModernWork = {
    references,
    origin: new WeakMap(),
    lost: [],
    nameOf(pointer) {
      const named = names.get(pointer);
      if (named !== undefined) return named;
      const wish = (pointer.split('/').at(-1) ?? '').replaceAll(/[^\w.-]/g, '_') || 'schema';
      let name = wish;
      for (let n = 2; taken.has(name); n++) name = `${wish}_${n}`;
      taken.add(name);
      names.set(pointer, name);
      waiting.push(pointer);
      return name;
    },
  };
  const root = modernize(schema, '', ROOT_BASE, work);
  const defs = new Map<string, Schema>();
  for (let pointer = waiting.shift(); pointer !== undefined; pointer = waiting.shift()) {
    const target = modernize(references.at(pointer), pointer, baseAt(pointer, references), work);
    defs.set(names.get(pointer) as string, target);
  }
  refuseEndless(root, defs, work.origin);
  if (defs.size === 0 || typeof root === 'boolean') return { root, defs, origin: work.origin, lost: work.lost };
  const whole = { ...root, $defs: Object.fromEntries(defs) };
  work.origin.set(whole, '');
  return { root: whole, defs, origin: work.origin, lost: work.lost };
}

/** The base that holds around a pointer: that of the innermost `$id` above it. */
function baseAt(pointer: string, references: References): string {
  let base = ROOT_BASE;
  let path = '';
  for (const step of pointer.split('/').slice(0, -1)) {
    path = step === '' && path === '' ? '' : `${path}/${step}`;
    const value = references.at(path);
    if (isObject(value)) base = references.baseOf(value, base);
  }
  return base;
}

/** A schema that leads back to itself without looking deeper into the value would be judged for ever. */
function refuseEndless(root: Schema, defs: ReadonlyMap<string, Schema>, origin: WeakMap<object, string>): void {
  const done = new Set<Schema>();
  const path = new Set<Schema>();
  const visit = (schema: unknown): void => {
    if (!isObject(schema) || done.has(schema)) return;
    if (path.has(schema)) throw badSchema(origin.get(schema) ?? '', 'a $ref that only leads back to itself stands');
    path.add(schema);
    const reference = schema['$ref'];
    if (typeof reference === 'string') visit(reference === '#' ? root : defs.get(reference.slice('#/$defs/'.length)));
    for (const keyword of IN_PLACE_KEYWORDS) {
      const inner = schema[keyword];
      if (Array.isArray(inner)) inner.forEach(visit);
      else if (keyword === 'dependentSchemas') Object.values(inner ?? {}).forEach(visit);
      else visit(inner);
    }
    path.delete(schema);
    done.add(schema);
  };
  visit(root);
  for (const schema of defs.values()) visit(schema);
}
