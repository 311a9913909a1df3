import { isObject } from '../../core/index.ts';
import { choicesOf, itemsOf } from './choices.ts';
import { keepOnly, noteKeyword } from './note-keyword.ts';
import { addNote, type Node, type Work } from './work.ts';

const WHY = 'Gemini takes a subset of OpenAPI 3.0 that has not this';
const COMMON = ['type', 'description', 'nullable'];
const ACCEPTED: Readonly<Record<string, ReadonlySet<string>>> = {
  string: new Set([...COMMON, 'enum', 'format', 'minLength', 'maxLength', 'pattern']),
  number: new Set([...COMMON, 'format', 'minimum', 'maximum']),
  integer: new Set([...COMMON, 'format', 'minimum', 'maximum']),
  boolean: new Set(COMMON),
  array: new Set([...COMMON, 'items', 'minItems', 'maxItems']),
  object: new Set([...COMMON, 'properties', 'required']),
};
const FORMATS: Readonly<Record<string, ReadonlySet<unknown>>> = {
  string: new Set(['enum', 'date-time']),
  number: new Set(['float', 'double']),
  integer: new Set(['int32', 'int64']),
};

/** The schema as Gemini's function declarations take it. */
export function toGemini(root: Node, work: Work): Node {
  const node = walk(root, work);
  return node['properties'] === undefined ? { ...node, properties: {} } : node;
}

function walk(source: Node, work: Work): Node {
  const { nodes, nullable, notes } = choicesOf(source, work);
  if (nodes.length === 0) {
    const only: Node = work.from(source, { ...notes, type: 'string', nullable: true });
    work.lose(source, 'type', 'Gemini has no type that is only null');
    addNote(only, 'Always null.');
    keepOnly(only, ACCEPTED['string'] as ReadonlySet<string>, WHY, work);
    return only;
  }
  const merged = mergedEnums(nodes, work);
  const walked = merged.flatMap((node) => walkOne(node, work));
  const text = work.from(source, { ...notes });
  keepOnly(text, new Set(['description']), WHY, work);
  for (const node of walked) {
    if (nullable) node['nullable'] = true;
    const said = text['description'];
    if (typeof said === 'string') node['description'] = joinText(said, node['description']);
  }
  return walked.length === 1 ? (walked[0] as Node) : work.from(source, { anyOf: walked });
}

const joinText = (first: string, second: unknown) =>
  typeof second === 'string' && second !== '' && second !== first ? `${first}\n${second}` : first;

/** Choices that are all lists of strings are one list. */
function mergedEnums(nodes: readonly Node[], work: Work): readonly Node[] {
  const [first] = nodes;
  if (first === undefined || nodes.length < 2) return nodes;
  const plain = nodes.every(
    (node) => node['type'] === 'string' && Array.isArray(node['enum']) && Object.keys(node).length === 2,
  );
  if (!plain) return nodes;
  return [work.from(first, { type: 'string', enum: [...new Set(nodes.flatMap((node) => node['enum'] as unknown[]))] })];
}

function walkOne(source: Node, work: Work): Node[] {
  const node: Node = work.from(source, { ...source });
  const type = node['type'];
  if (typeof type !== 'string') return anyValue(node, work);
  const title = node['title'];
  if (typeof title === 'string' && node['description'] === undefined) node['description'] = title;
  if (type === 'object') walkObject(node, work);
  if (type === 'array') {
    const items = itemsOf(node, WHY, work);
    noteKeyword(node, 'prefixItems', WHY, work);
    node['items'] = walk(items, work);
  }
  if (type === 'integer') wholeBounds(node);
  if (Array.isArray(node['enum'])) mendEnum(node, node['enum'], type, work);
  if (node['format'] !== undefined && !FORMATS[type]?.has(node['format'])) noteKeyword(node, 'format', WHY, work);
  keepOnly(node, ACCEPTED[type] ?? new Set(COMMON), WHY, work);
  return [node];
}

function walkObject(node: Node, work: Work): void {
  const properties = isObject(node['properties']) ? node['properties'] : {};
  const names = Object.keys(properties);
  if (names.length === 0) delete node['properties'];
  else node['properties'] = Object.fromEntries(names.map((name) => [name, walk(properties[name] as Node, work)]));
  if (node['additionalProperties'] === true) delete node['additionalProperties'];
}

/** An enum is a list of strings that are not empty; other values are told in words. */
function mendEnum(node: Node, values: readonly unknown[], type: string, work: Work): void {
  const kept = type === 'string' ? values.filter((value) => typeof value === 'string' && value !== '') : [];
  if (kept.length === values.length) return;
  noteKeyword(node, 'enum', 'Gemini takes an enum of strings that are not empty', work);
  if (kept.length > 0 && !values.includes('')) node['enum'] = kept;
}

/** More than 2 is at least 3 for whole numbers. */
function wholeBounds(node: Node): void {
  const low = node['exclusiveMinimum'];
  const high = node['exclusiveMaximum'];
  if (typeof low === 'number') {
    node['minimum'] = Math.max(
      Math.floor(low) + 1,
      (node['minimum'] as number | undefined) ?? Number.NEGATIVE_INFINITY,
    );
    delete node['exclusiveMinimum'];
  }
  if (typeof high === 'number') {
    node['maximum'] = Math.min(
      Math.ceil(high) - 1,
      (node['maximum'] as number | undefined) ?? Number.POSITIVE_INFINITY,
    );
    delete node['exclusiveMaximum'];
  }
}

/** Gemini wants a type everywhere: any value is a choice of all types. */
function anyValue(node: Node, work: Work): Node[] {
  keepOnly(node, new Set(['description', 'nullable']), WHY, work);
  work.lose(node, 'type', 'Gemini wants a type, so that lists of any items cannot be told');
  const said = node['description'] === undefined ? {} : { description: node['description'] };
  return [
    { type: 'string' },
    { type: 'number' },
    { type: 'boolean' },
    { type: 'object' },
    { type: 'array', items: { type: 'string' } },
  ].map((one) => work.from(node, { ...one, ...said, nullable: true }));
}
