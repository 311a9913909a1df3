import { isObject, type JsonSchema, nearNames } from '../core/index.ts';
import {
  COUNT_KEYWORDS,
  IN_PLACE_KEYWORDS,
  LIST_KEYWORDS,
  MAP_KEYWORDS,
  NOTE_KEYWORDS,
  NUMBER_KEYWORDS,
  pointerStep,
  SCHEMA_KEYWORDS,
  TYPES,
  type TypeName,
} from './keywords.ts';
import { compilePattern } from './pattern.ts';
import { badSchema, copyJson, requirePlainSchema } from './plain-schema.ts';
import { collectReferences, type References, ROOT_BASE } from './references.ts';

export type Schema = JsonSchema | boolean;

/** A keyword of a schema that something cannot take. */
export interface LostKeyword {
  /** Place of the subschema, as JSON pointer into the schema that was given. */
  readonly pointer: string;
  readonly keyword: string;
  readonly why: string;
}

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

interface Work {
  readonly references: References;
  readonly origin: WeakMap<object, string>;
  readonly lost: LostKeyword[];
  /** The name that a reference's target has under `$defs`. */
  nameOf(pointer: string): string;
}

function convert(schema: JsonSchema): ModernSchema {
  if (!isObject(schema)) throw badSchema('', 'something other than an object or a boolean stands');
  requirePlainSchema(schema);
  const references = collectReferences(schema);
  const names = new Map<string, string>();
  const taken = new Set<string>();
  const waiting: string[] = [];
  const work: Work = {
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

const DROPPED = new Set([
  '$schema',
  '$id',
  'id',
  '$anchor',
  '$dynamicAnchor',
  '$recursiveAnchor',
  '$vocabulary',
  '$comment',
  '$defs',
  'definitions',
  'additionalItems',
  'nullable',
  '~standard',
]);
const REFERENCES = new Set(['$ref', '$dynamicRef', '$recursiveRef']);
const MAY_BE_NULL = new Set(['const', 'default']);

function modernize(schema: unknown, pointer: string, outer: string, work: Work): Schema {
  if (typeof schema === 'boolean') return schema;
  if (!isObject(schema)) throw badSchema(pointer, 'a schema was expected and something else stands');
  const base = work.references.baseOf(schema, outer);
  const out: Record<string, unknown> = {};
  const sub = (value: unknown, ...steps: (string | number)[]) =>
    modernize(value, pointer + steps.map(pointerStep).join(''), base, work);
  const map = (value: unknown, keyword: string) => {
    if (!isObject(value)) throw badSchema(pointer + pointerStep(keyword), 'an object of schemas was expected');
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, sub(inner, keyword, name)]));
  };
  const lose = (keyword: string, why: string) => void work.lost.push({ pointer, keyword, why });
  const bad = (keyword: string, problem: string, hint?: string) =>
    badSchema(pointer + pointerStep(keyword), problem, hint);

  for (const [key, value] of Object.entries(schema)) {
    if (value === undefined || (value === null && !MAY_BE_NULL.has(key)) || DROPPED.has(key)) continue;
    if (REFERENCES.has(key)) {
      if (typeof value !== 'string') throw bad(key, 'a reference must be a string and something else stands');
      const target = work.references.resolve(value, base);
      if (target === undefined || work.references.at(target) === undefined) {
        throw bad(
          key,
          `the reference ${JSON.stringify(value)} leads nowhere in this document`,
          'References are never fetched: put what they name under $defs.',
        );
      }
      out['$ref'] = target === '' ? '#' : `#/$defs/${work.nameOf(target)}`;
    } else if (key === 'type') {
      const types = readTypes(value, bad);
      if (types !== undefined) out['type'] = types.length === 1 ? types[0] : types;
    } else if (key === 'items' && Array.isArray(value)) {
      out['prefixItems'] = value.map((item, index) => sub(item, 'items', index));
      const rest = schema['additionalItems'];
      if (rest !== undefined && rest !== null) out['items'] = sub(rest, 'additionalItems');
    } else if (SCHEMA_KEYWORDS.has(key)) out[key] = sub(value, key);
    else if (MAP_KEYWORDS.has(key)) {
      out[key] = map(value, key);
      if (key === 'patternProperties') for (const name of Object.keys(value as object)) readPattern(name, key, bad);
    } else if (LIST_KEYWORDS.has(key)) {
      if (!Array.isArray(value)) throw bad(key, 'a list of schemas was expected');
      if (value.length === 0) lose(key, 'the list is empty');
      else out[key] = value.map((item, index) => sub(item, key, index));
    } else if (key === 'required') {
      if (typeof value === 'boolean') continue;
      if (!Array.isArray(value) || value.some((name) => typeof name !== 'string')) {
        throw bad(key, 'a list of names was expected');
      }
      if (value.length > 0) out['required'] = [...new Set(value as string[])];
    } else if (key === 'dependencies' || key === 'dependentRequired') {
      if (!isObject(value)) throw bad(key, 'an object was expected');
      for (const [name, needs] of Object.entries(value)) {
        const into = Array.isArray(needs) ? 'dependentRequired' : 'dependentSchemas';
        const held = isObject(out[into]) ? out[into] : {};
        out[into] = { ...held, [name]: Array.isArray(needs) ? needs.map(String) : sub(needs, key, name) };
      }
    } else if (COUNT_KEYWORDS.has(key)) {
      if (typeof value !== 'number' || !Number.isInteger(value) || value < 0) throw bad(key, 'a count was expected');
      out[key] = value;
    } else if (NUMBER_KEYWORDS.has(key)) {
      if (typeof value === 'boolean' && key.startsWith('exclusive')) continue;
      if (typeof value !== 'number' || !Number.isFinite(value) || (key === 'multipleOf' && value <= 0)) {
        throw bad(key, 'a number was expected');
      }
      out[key] = value;
    } else if (key === 'pattern') {
      if (typeof value !== 'string') throw bad(key, 'a regular expression was expected');
      readPattern(value, key, bad);
      out[key] = value;
    } else if (key === 'enum') {
      if (!Array.isArray(value)) throw bad(key, 'a list of values was expected');
      if (value.length === 0) lose(key, 'the list is empty');
      else out[key] = copyJson(value);
    } else if (key === 'const') out[key] = copyJson(value);
    else if (key === 'uniqueItems') out[key] = value === true;
    else if (key === 'format' || key === 'title' || key === 'description') {
      if (typeof value === 'string') out[key] = value;
      else lose(key, 'it is not a string');
    } else if (key === 'example') out['examples'] ??= [copyJson(value)];
    else if (key === 'examples') out[key] = Array.isArray(value) ? copyJson(value) : [copyJson(value)];
    else if (NOTE_KEYWORDS.has(key)) out[key] = copyJson(value);
    else lose(key, 'it is no keyword of JSON Schema');
  }
  exclusiveBound(schema, out, 'minimum', 'exclusiveMinimum', lose);
  exclusiveBound(schema, out, 'maximum', 'exclusiveMaximum', lose);
  requireMarked(schema, out);
  const done = schema['nullable'] === true ? nullable(out) : out;
  work.origin.set(done, pointer);
  return done;
}

type Bad = (keyword: string, problem: string, hint?: string) => Error;

function readTypes(value: unknown, bad: Bad): TypeName[] | undefined {
  const names = Array.isArray(value) ? value : [value];
  if (names.length === 0) throw bad('type', 'an empty list stands');
  if (names.includes('any')) return undefined;
  const types = names.map((name) => {
    const type = typeof name === 'string' ? TYPES.find((one) => one === name.toLowerCase()) : undefined;
    if (type !== undefined) return type;
    const near = typeof name === 'string' ? nearNames(name, TYPES)[0] : undefined;
    const hint = near === undefined ? `Types are ${TYPES.join(', ')}.` : `Did you mean "${near}"?`;
    throw bad('type', `the unknown type ${JSON.stringify(name)} stands`, hint);
  });
  return [...new Set(types)];
}

function readPattern(pattern: string, keyword: string, bad: Bad): void {
  if (compilePattern(pattern) === undefined) {
    throw bad(keyword, `the regular expression ${JSON.stringify(pattern)} cannot be read`);
  }
}

/** Draft 4 wrote `minimum: 0, exclusiveMinimum: true` for what is `exclusiveMinimum: 0` now. */
function exclusiveBound(
  schema: JsonSchema,
  out: Record<string, unknown>,
  bound: string,
  exclusive: string,
  lose: (keyword: string, why: string) => void,
): void {
  if (schema[exclusive] !== true) return;
  if (out[bound] === undefined) {
    lose(exclusive, `there is no ${bound} that it could make exclusive`);
    return;
  }
  out[exclusive] = out[bound];
  delete out[bound];
}

/** Draft 3 marked a property itself as required. */
function requireMarked(schema: JsonSchema, out: Record<string, unknown>): void {
  if (!isObject(schema['properties'])) return;
  const marked = Object.entries(schema['properties'])
    .filter(([, inner]) => isObject(inner) && inner['required'] === true)
    .map(([name]) => name);
  if (marked.length === 0) return;
  out['required'] = [...new Set([...((out['required'] as string[] | undefined) ?? []), ...marked])];
}

/** OpenAPI 3.0 says `nullable: true` for what is a union with null. */
function nullable(out: Record<string, unknown>): Record<string, unknown> {
  if (Array.isArray(out['enum']) && !out['enum'].includes(null)) out['enum'] = [...out['enum'], null];
  const type = out['type'];
  if (type !== undefined) {
    out['type'] = [...new Set([...(Array.isArray(type) ? type : [type]), 'null'])];
    return out;
  }
  const { description, title, ...rest } = out;
  if (Object.keys(rest).length === 0) return out;
  return {
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    anyOf: [rest, { type: 'null' }],
  };
}
