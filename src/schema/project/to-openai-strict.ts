import { isObject } from '../../core/index.ts';
import { type Choices, choicesOf, isStructured, itemsOf } from './choices.ts';
import { keepOnly } from './note-keyword.ts';
import type { Node, Work } from './work.ts';

/**
 * The keywords that every release of strict mode has taken. Newer ones take bounds, patterns and formats too,
 * older ones and look-alikes refuse the whole request for them, so they are told in the description.
 */
const ACCEPTED = new Set([
  'type',
  'title',
  'description',
  'enum',
  'anyOf',
  'properties',
  'required',
  'additionalProperties',
  'items',
]);
const WHY = 'strict mode does not take it everywhere; told in the description';
const MOST_LEVELS = 5;
const MOST_PROPERTIES = 100;
const MOST_ENUM_VALUES = 500;
const MOST_NAME_CHARACTERS = 15_000;

/** Why a schema cannot be sent as strict. */
export interface Unfit {
  readonly node: Node;
  readonly why: string;
}

/** The schema under OpenAI's strict rules, or the first reason why it cannot be. */
export function toOpenAiStrict(root: Node, work: Work): { readonly node: Node } | { readonly unfit: Unfit } {
  const unfit: Unfit[] = [];
  const counts = { properties: 0, values: 0, characters: 0 };
  const node = walk(root, 1, true, { work, unfit, counts });
  const [first] = unfit;
  if (first !== undefined) return { unfit: first };
  if (counts.properties > MOST_PROPERTIES)
    return { unfit: { node: root, why: `it has more than ${MOST_PROPERTIES} fields` } };
  if (counts.values > MOST_ENUM_VALUES)
    return { unfit: { node: root, why: `it lists more than ${MOST_ENUM_VALUES} values` } };
  if (counts.characters > MOST_NAME_CHARACTERS)
    return { unfit: { node: root, why: 'its names and values are too long' } };
  return { node };
}

interface Strict {
  readonly work: Work;
  readonly unfit: Unfit[];
  readonly counts: { properties: number; values: number; characters: number };
}

function walk(source: Node, level: number, isRoot: boolean, strict: Strict): Node {
  const { work, unfit } = strict;
  if (level > MOST_LEVELS + 1) {
    unfit.push({ node: source, why: `it is nested more than ${MOST_LEVELS} levels deep` });
    return {};
  }
  const choices = choicesOf(source, work);
  const nodes = choices.nodes.map((choice) => walkOne(choice, level, isRoot, strict));
  return combine(source, nodes, choices, work);
}

function combine(source: Node, nodes: readonly Node[], choices: Choices, work: Work): Node {
  const [first] = nodes;
  if (first === undefined) return work.from(source, { ...textNotes(choices.notes, work), type: 'null' });
  const notes = textNotes(choices.notes, work);
  if (nodes.length === 1 && !choices.nullable) return work.from(source, { ...notes, ...first, ...notes });
  if (nodes.every(isScalar) && new Set(nodes.map((node) => String(node['description']))).size === 1) {
    return work.from(source, { ...notes, ...joined(nodes, choices.nullable), ...notes });
  }
  const all = choices.nullable ? [...nodes, { type: 'null' }] : [...nodes];
  return work.from(source, { ...notes, anyOf: all });
}

/** Scalars that differ in type only are one node with a list of types. */
function joined(nodes: readonly Node[], nullable: boolean): Node {
  const types = [...new Set([...nodes.map((node) => node['type']), ...(nullable ? ['null'] : [])])];
  const open = nodes.some((node) => node['enum'] === undefined);
  if (open && nodes.some((node) => node['enum'] !== undefined)) {
    return { anyOf: [...nodes, ...(nullable ? [{ type: 'null' }] : [])] };
  }
  const { enum: _, ...rest } = nodes[0] as Node;
  const type = types.length === 1 ? types[0] : types;
  if (open) return { ...rest, type };
  const values = [...new Set([...nodes.flatMap((node) => node['enum'] as unknown[]), ...(nullable ? [null] : [])])];
  return { ...rest, type, enum: values };
}

const isScalar = (node: Node) => typeof node['type'] === 'string' && !isStructured(node);

function textNotes(notes: Node, work: Work): Node {
  const copy = { ...notes };
  keepOnly(copy, ACCEPTED, WHY, work);
  return copy;
}

function walkOne(source: Node, level: number, isRoot: boolean, strict: Strict): Node {
  const { work, unfit, counts } = strict;
  const node: Node = work.from(source, { ...source });
  const type = node['type'];
  if (type === undefined) unfit.push({ node, why: 'a part of it may hold any value' });
  if (type === 'object') return walkObject(node, level, isRoot, strict);
  if (type === 'array') {
    if (level > MOST_LEVELS) unfit.push({ node, why: `it is nested more than ${MOST_LEVELS} levels deep` });
    const items = itemsOf(node, WHY, work);
    keepOnly(node, ACCEPTED, WHY, work);
    node['items'] = walk(items, level + 1, false, strict);
    return node;
  }
  const values = node['enum'];
  if (Array.isArray(values)) {
    counts.values += values.length;
    for (const value of values) if (typeof value === 'string') counts.characters += value.length;
  }
  keepOnly(node, ACCEPTED, WHY, work);
  return node;
}

function walkObject(node: Node, level: number, isRoot: boolean, strict: Strict): Node {
  const { work, unfit, counts } = strict;
  if (level > MOST_LEVELS) unfit.push({ node, why: `it is nested more than ${MOST_LEVELS} levels deep` });
  const properties = isObject(node['properties']) ? node['properties'] : {};
  const more = node['additionalProperties'];
  const empty = Object.keys(properties).length === 0;
  if (
    isObject(more) ||
    node['patternProperties'] !== undefined ||
    (empty && more !== false && !(isRoot && more === undefined))
  ) {
    unfit.push({ node, why: 'it has an object with fields of any name' });
    return node;
  }
  if (more === true) work.lose(node, 'additionalProperties', 'strict mode takes no fields of other names');
  const required = new Set((node['required'] as string[] | undefined) ?? []);
  delete node['additionalProperties'];
  keepOnly(node, ACCEPTED, WHY, work);
  const walked = Object.entries(properties).map(([name, inner]): [string, Node] => {
    counts.properties++;
    counts.characters += name.length;
    const one = walk(inner as Node, level + 1, false, strict);
    return [name, required.has(name) ? one : orNull(one)];
  });
  node['properties'] = Object.fromEntries(walked);
  node['required'] = walked.map(([name]) => name);
  node['additionalProperties'] = false;
  return node;
}

/** Optional is said as `or null`; a null that the tool does not take is left out again before the tool runs. */
function orNull(node: Node): Node {
  const type = node['type'];
  if (Array.isArray(node['anyOf'])) {
    const has = (node['anyOf'] as Node[]).some((choice) => [choice['type']].flat().includes('null'));
    return has ? node : { ...node, anyOf: [...node['anyOf'], { type: 'null' }] };
  }
  const types = [type].flat();
  if (types.includes('null')) return node;
  if (isStructured(node)) {
    const { title, description, ...rest } = node;
    const said = { ...(title === undefined ? {} : { title }), ...(description === undefined ? {} : { description }) };
    return { ...said, anyOf: [rest, { type: 'null' }] };
  }
  const values = node['enum'];
  return { ...node, type: [...types, 'null'], ...(Array.isArray(values) ? { enum: [...values, null] } : {}) };
}
