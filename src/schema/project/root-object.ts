import { canonicalJson, isObject } from '../../core/index.ts';
import { describeShape } from '../describe-shape.ts';
import { mergeNodes, withoutAllOf } from './merge-nodes.ts';
import { noteKeyword } from './note-keyword.ts';
import { addNote, type Node, type Work } from './work.ts';

const WRAP_KEY = 'input';
const NOT_AT_ROOT = ['not', 'if', 'then', 'else', 'dependentSchemas', 'enum', 'const', 'oneOf', 'anyOf'];
const WHY = 'it is not accepted at the top level';

/**
 * The root as providers take it: one object with properties and no combinators. Choices between objects are
 * merged and told in the description; a root that may be something other than an object is put under a key.
 */
export function rootObject(node: Node, work: Work): { readonly node: Node; readonly wrap?: { readonly key: string } } {
  const flat = withoutAllOf(node, work);
  const types = rootTypes(flat);
  if (types !== undefined) {
    if (types.has('null') && types.size > 1) {
      types.delete('null');
      work.lose(flat, 'type', 'arguments are always an object, so null cannot be sent');
    }
    if (types.size !== 1 || !types.has('object')) return { node: wrapped(node, work), wrap: { key: WRAP_KEY } };
  }
  return { node: mergedObject(flat, work) };
}

function wrapped(node: Node, work: Work): Node {
  return work.from(node, {
    type: 'object',
    properties: { [WRAP_KEY]: node },
    required: [WRAP_KEY],
  });
}

/** The types that a root may have; undefined when it says nothing of them. */
function rootTypes(node: Node): Set<unknown> | undefined {
  if (node['type'] !== undefined) return new Set([node['type']].flat());
  for (const keyword of ['anyOf', 'oneOf']) {
    const choices = node[keyword];
    if (!Array.isArray(choices)) continue;
    const types = new Set<unknown>();
    for (const choice of choices as Node[]) for (const type of rootTypes(choice) ?? ['object']) types.add(type);
    return types;
  }
  if (Array.isArray(node['allOf'])) return rootTypes((node['allOf'] as Node[]).find((part) => rootTypes(part)) ?? {});
  return undefined;
}

function mergedObject(node: Node, work: Work): Node {
  let whole = work.from(node, { ...node });
  delete whole['type'];
  for (const keyword of ['anyOf', 'oneOf']) {
    const choices = whole[keyword];
    if (!Array.isArray(choices)) continue;
    delete whole[keyword];
    const branches = (choices as Node[])
      .filter((choice) => rootTypes(choice)?.has('object') ?? true)
      .map((choice) => mergedObject(withoutAllOf(choice, work), work));
    const [first] = branches;
    if (branches.length === 1 && first !== undefined) {
      whole = mergeNodes(whole, first, work);
      continue;
    }
    work.lose(node, keyword, `${WHY}; its choices were merged into one object`);
    if (branches.length === 0) continue;
    const merged = mergeNodes(whole, unionOfObjects(branches, work), work);
    addNote(merged, choiceNote(branches, keyword === 'oneOf' ? 'exactly one' : 'one'));
    whole = merged;
  }
  for (const keyword of NOT_AT_ROOT) noteKeyword(whole, keyword, WHY, work);
  const { description, title, properties, required, ...rest } = whole;
  return work.from(node, {
    type: 'object',
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    properties: isObject(properties) ? properties : {},
    ...(Array.isArray(required) && required.length > 0 ? { required } : {}),
    ...rest,
  });
}

function choiceNote(branches: readonly Node[], how: string): string {
  const texts = branches.map((branch) => {
    const properties = isObject(branch['properties']) ? branch['properties'] : {};
    const required = (branch['required'] as string[] | undefined) ?? [];
    const names = Object.entries(properties).map(([name, inner]) => {
      const fixed = isObject(inner) && (Object.hasOwn(inner, 'const') || Array.isArray(inner['enum']));
      return `${name}${required.includes(name) ? '' : '?'}${fixed ? `: ${describeShape(inner)}` : ''}`;
    });
    return `{${names.join(', ')}}`;
  });
  return `Give ${how} of these sets of fields: ${texts.join(' or ')}.`;
}

/** An object that every one of the branches would fit: all their fields, required only what all require. */
function unionOfObjects(branches: readonly Node[], work: Work): Node {
  const variants = new Map<string, Node[]>();
  for (const branch of branches) {
    for (const [name, inner] of Object.entries((branch['properties'] as Node | undefined) ?? {})) {
      const list = variants.get(name) ?? [];
      list.push(inner as Node);
      variants.set(name, list);
    }
  }
  const requireds = branches.map((branch) => new Set((branch['required'] as string[] | undefined) ?? []));
  const required = [...(requireds[0] ?? [])].filter((name) => requireds.every((set) => set.has(name)));
  const closed = branches.every((branch) => branch['additionalProperties'] === false);
  return work.from(branches[0] ?? {}, {
    properties: Object.fromEntries([...variants].map(([name, list]) => [name, unionOfNodes(list, work)])),
    ...(required.length === 0 ? {} : { required }),
    ...(closed ? { additionalProperties: false } : {}),
  });
}

function unionOfNodes(nodes: readonly Node[], work: Work): Node {
  const distinct = [...new Map(nodes.map((node) => [canonicalJson(node), node])).values()];
  const [first] = distinct;
  if (first === undefined || distinct.length === 1) return first ?? {};
  if (distinct.some((node) => Object.keys(node).length === 0)) return {};
  const values = distinct.map((node) => (Object.hasOwn(node, 'const') ? [node['const']] : node['enum']));
  if (values.every(Array.isArray) && new Set(distinct.map((node) => String(node['type']))).size === 1) {
    const { const: _, enum: __, ...rest } = first;
    return work.from(first, { ...rest, enum: [...new Set(values.flat())] });
  }
  return work.from(first, { anyOf: distinct });
}
