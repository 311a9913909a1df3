import { isObject, type JsonSchema } from '../core/index.ts';
import { exclusiveBound, nullable, requireMarked } from './draft-forms.ts';
import {
  COUNT_KEYWORDS,
  LIST_KEYWORDS,
  MAP_KEYWORDS,
  NOTE_KEYWORDS,
  NUMBER_KEYWORDS,
  pointerStep,
  SCHEMA_KEYWORDS,
  TYPES,
  type TypeName,
} from './keywords.ts';
import { nearNames } from './near-names.ts';
import { compilePattern } from './pattern.ts';
import { badSchema, copyJson } from './plain-schema.ts';
import type { References } from './references.ts';

export type Schema = JsonSchema | boolean;

/** A keyword of a schema that something cannot take. */
export interface LostKeyword {
  /** Place of the subschema, as JSON pointer into the schema that was given. */
  readonly pointer: string;
  readonly keyword: string;
  readonly why: string;
}

/** What the conversion of one document shares. */
export interface ModernWork {
  readonly references: References;
  readonly origin: WeakMap<object, string>;
  readonly lost: LostKeyword[];
  /** The name that a reference's target has under `$defs`. */
  nameOf(pointer: string): string;
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
/** Arguments never hold it (see `parseArguments`): assigning it would change an object's prototype. */
const FORBIDDEN_NAME = '__proto__';
const REFERENCES = new Set(['$ref', '$dynamicRef', '$recursiveRef']);
const MAY_BE_NULL = new Set(['const', 'default']);

/** One subschema, and all below it, as draft 2020-12. */
export function modernize(schema: unknown, pointer: string, outer: string, work: ModernWork): Schema {
  if (typeof schema === 'boolean') return schema;
  if (!isObject(schema)) throw badSchema(pointer, 'a schema was expected and something else stands');
  const base = work.references.baseOf(schema, outer);
  const out: Record<string, unknown> = {};
  const sub = (value: unknown, ...steps: (string | number)[]) =>
    modernize(value, pointer + steps.map(pointerStep).join(''), base, work);
  const lose = (keyword: string, why: string) => void work.lost.push({ pointer, keyword, why });
  const map = (value: unknown, keyword: string) => {
    if (!isObject(value)) throw badSchema(pointer + pointerStep(keyword), 'an object of schemas was expected');
    const names = Object.keys(value).filter((name) => name !== FORBIDDEN_NAME);
    if (Object.hasOwn(value, FORBIDDEN_NAME)) lose(keyword, `a field of the name ${FORBIDDEN_NAME} is never taken`);
    return Object.fromEntries(names.map((name) => [name, sub(value[name], keyword, name)]));
  };
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
      const names = new Set((value as string[]).filter((name) => name !== FORBIDDEN_NAME));
      if (names.size > 0) out['required'] = [...names];
    } else if (key === 'dependencies' || key === 'dependentRequired') {
      if (!isObject(value)) throw bad(key, 'an object was expected');
      for (const [name, needs] of Object.entries(value)) {
        const into = Array.isArray(needs) ? 'dependentRequired' : 'dependentSchemas';
        const held = isObject(out[into]) ? out[into] : {};
        out[into] = { ...held, [name]: Array.isArray(needs) ? [...new Set(needs.map(String))] : sub(needs, key, name) };
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
