import { isObject } from '../../core/index.ts';
import { describeShape } from '../describe-shape.ts';
import { LIST_KEYWORDS, MAP_KEYWORDS, NOTE_KEYWORDS, SCHEMA_KEYWORDS } from '../keywords.ts';
import type { ModernSchema } from '../modern-schema.ts';
import type { Schema } from '../modernize.ts';
import { copyJson } from '../plain-schema.ts';
import { inferType } from './infer-type.ts';
import { mergeNodes } from './merge-nodes.ts';
import { addNote, type Node, type Work } from './work.ts';

/** How often a definition may stand inside itself before it is cut. */
const MOST_REPEATS = 2;
/** Nodes after which recursion is cut at once, and after which everything is. */
const MANY_NODES = 1_000;
const MOST_NODES = 5_000;
const MOST_DEPTH = 48;
/** Where a narrower schema would let more values through, nothing may be inferred. */
const EXACT = new Set(['not', 'if', 'oneOf', 'contains', 'propertyNames']);

/**
 * The schema as a tree of its own: every `$ref` replaced by what it names, recursion cut after two rounds,
 * missing types inferred, arrays with items, `required` with properties. True becomes an empty node; false
 * is given back as it is, for what can hold nothing.
 */
export function inlineSchema(modern: ModernSchema, work: Work): Node | false {
  let nodes = 0;

  const inline = (schema: Schema, path: readonly string[], depth: number, exact: boolean): Node | false => {
    if (typeof schema === 'boolean') return schema ? {} : false;
    if (++nodes > MOST_NODES || depth > MOST_DEPTH) {
      work.lose(schema, 'schema', `the schema is larger than ${MOST_NODES} parts or ${MOST_DEPTH} levels; cut here`);
      return cut(schema, work);
    }
    const { $ref: reference, $defs: _, ...rest } = schema;
    const own = copyKeywords(rest, schema, path, depth, exact);
    if (typeof reference !== 'string') return finish(own, work, exact);
    const target = reference === '#' ? modern.root : (modern.defs.get(reference.slice('#/$defs/'.length)) ?? true);
    const round = path.filter((name) => name === reference).length;
    if (round >= MOST_REPEATS || (round > 0 && nodes > MANY_NODES)) {
      work.lose(schema, '$ref', `${reference} stands inside itself; cut after ${round} rounds`);
      const end = cut(isObject(target) ? target : {}, work);
      addNote(end, `The same form again as ${reference === '#' ? 'the whole input' : reference.split('/').at(-1)}.`);
      return work.from(schema, end);
    }
    const named = inline(target, [...path, reference], depth + 1, exact);
    if (named === false) return false;
    const said = Object.keys(own).every((key) => NOTE_KEYWORDS.has(key));
    return finish(work.from(schema, said ? { ...named, ...own } : mergeNodes(named, own, work)), work, exact);
  };

  const copyKeywords = (rest: object, schema: object, path: readonly string[], depth: number, exact: boolean): Node => {
    const own: Node = work.from(schema, {});
    let closed = false;
    for (const [key, value] of Object.entries(rest)) {
      const sub = (inner: unknown) => inline(inner as Schema, path, depth + 1, exact || EXACT.has(key));
      if (MAP_KEYWORDS.has(key)) {
        const entries = Object.entries(value as object).map(([name, inner]) => [name, sub(inner)] as const);
        const kept = entries.filter(([, inner]) => inner !== false);
        if (kept.length < entries.length) work.lose(schema, key, 'some of its fields may never be given');
        own[key] = Object.fromEntries(kept);
      } else if (LIST_KEYWORDS.has(key)) {
        const list = (value as unknown[]).map(sub);
        const end = key === 'prefixItems' ? list.indexOf(false) : -1;
        const kept = (end < 0 ? list : list.slice(0, end)).filter((item) => item !== false);
        if (end >= 0) closed = true;
        else if (kept.length === 0 || (key === 'allOf' && kept.length < list.length)) {
          work.lose(schema, key, 'no value can fit it');
        }
        if (kept.length > 0) own[key] = kept;
      } else if (SCHEMA_KEYWORDS.has(key)) own[key] = typeof value === 'boolean' ? value : sub(value);
      else own[key] = copyJson(value);
    }
    if (closed) own['items'] = false;
    return own;
  };

  return inline(modern.root, ['#'], 0, false);
}

/** What is left of a schema where it is cut: its type and what it says of itself. */
function cut(schema: object, work: Work): Node {
  const { type, title, description, properties } = schema as Node;
  const end: Node = work.from(schema, {});
  if (type !== undefined) end['type'] = copyJson(type);
  else if (properties !== undefined) end['type'] = 'object';
  if (typeof title === 'string') end['title'] = title;
  if (typeof description === 'string') end['description'] = description;
  else if (isObject(properties)) addNote(end, `Takes ${describeShape(schema)}.`);
  return finish(end, work, false);
}

function finish(node: Node, work: Work, exact: boolean): Node {
  inferType(node, exact);
  const types = [node['type']].flat();
  if (types.includes('array') || node['items'] !== undefined) mendItems(node);
  if (Array.isArray(node['required'])) mendRequired(node, node['required'], work);
  if (node['contains'] === true) node['contains'] = {};
  return node;
}

function mendItems(node: Node): void {
  const first = Array.isArray(node['prefixItems']) ? node['prefixItems'].length : 0;
  if (node['items'] === false) {
    node['maxItems'] = Math.min(first, (node['maxItems'] as number | undefined) ?? first);
    node['items'] = {};
  } else if (!isObject(node['items'])) node['items'] = {};
}

function mendRequired(node: Node, required: readonly unknown[], work: Work): void {
  const properties = isObject(node['properties']) ? node['properties'] : {};
  const absent = (required as string[]).filter((name) => !Object.hasOwn(properties, name));
  if (absent.length === 0) return;
  if (node['additionalProperties'] === false) {
    node['required'] = (required as string[]).filter((name) => !absent.includes(name));
    if ((node['required'] as string[]).length === 0) delete node['required'];
    work.lose(node, 'required', `${absent.join(', ')} may not be given, so it cannot be required`);
    return;
  }
  const further = node['additionalProperties'];
  const added = absent.map((name) => [name, isObject(further) ? structuredClone(further) : {}] as const);
  node['properties'] = Object.fromEntries([...Object.entries(properties), ...added]);
}
