import { canonicalJson, isObject } from '../../core/index.ts';
import { keywordType, NOTE_KEYWORDS, type TypeName, typeOf } from '../keywords.ts';
import { inferType } from './infer-type.ts';
import { mergeNodes, withoutAllOf } from './merge-nodes.ts';
import type { Node, Work } from './work.ts';

const STRUCTURED = new Set<unknown>(['object', 'array']);

/** A node without combinators, or a choice between such nodes; what was said beside the choice went into each. */
export interface Choices {
  readonly nodes: readonly Node[];
  /** Null is one more choice. */
  readonly nullable: boolean;
  /** Title and description that stood over the choice. */
  readonly notes: Node;
}

/** Takes `allOf`, `anyOf`, `oneOf`, `const` and lists of types apart. */
export function choicesOf(source: Node, work: Work): Choices {
  const nodes: Node[] = [];
  let nullable = false;
  const collect = (node: Node): void => {
    const flat = withoutAllOf(node, work);
    const keyword = flat['anyOf'] !== undefined ? 'anyOf' : 'oneOf';
    const choices = flat[keyword];
    if (Array.isArray(choices)) {
      const { [keyword]: _, ...beside } = flat;
      if (keyword === 'oneOf' && !areDisjoint(choices as Node[])) {
        work.lose(flat, 'oneOf', 'that exactly one choice must fit is not accepted; told as anyOf');
      }
      for (const choice of choices as Node[]) {
        collect(Object.keys(beside).length === 0 ? choice : mergeNodes(choice, work.from(node, beside), work));
      }
      return;
    }
    for (const one of byType(flat, work)) {
      if (one['type'] !== 'null') nodes.push(one);
      else {
        nullable = true;
        const rules = Object.keys(one).filter((key) => key !== 'type' && key !== 'enum' && !NOTE_KEYWORDS.has(key));
        for (const rule of rules) work.lose(one, rule, 'it cannot be told of null');
      }
    }
  };
  const root = withoutAllOf(source, work);
  const isChoice = Array.isArray(root['anyOf']) || Array.isArray(root['oneOf']);
  const start = isChoice ? work.from(root, { ...withoutNotes(root) }) : root;
  collect(start);
  const distinct = [...new Map(nodes.map((node) => [canonicalJson(node), node])).values()];
  return { nodes: distinct, nullable, notes: isChoice ? notesOf(root) : {} };
}

function withoutNotes(node: Node): Node {
  return Object.fromEntries(Object.entries(node).filter(([key]) => !NOTE_KEYWORDS.has(key)));
}

function notesOf(node: Node): Node {
  return Object.fromEntries(Object.entries(node).filter(([key]) => NOTE_KEYWORDS.has(key)));
}

/** One node for each type, each with the keywords and values of that type; others would say nothing of it. */
function byType(node: Node, work: Work): Node[] {
  const single = withEnum(node, work);
  inferType(single);
  const types = [single['type']].flat() as (TypeName | undefined)[];
  if (types[0] === undefined) return [single];
  const parts = types.flatMap((type) => {
    const kept = Object.entries(single).filter(([key, value]) => {
      const of = keywordType(key, value);
      return of === undefined || of === type || (of === 'number' && type === 'integer');
    });
    const part: Node = work.from(node, { ...Object.fromEntries(kept), type });
    if (!Array.isArray(part['enum'])) return [part];
    part['enum'] = part['enum'].filter(
      (value) => typeOf(value) === type || (type === 'number' && typeOf(value) === 'integer'),
    );
    return (part['enum'] as unknown[]).length === 0 ? [] : [part];
  });
  if (parts.length > 0) return parts;
  work.lose(node, Object.hasOwn(node, 'const') ? 'const' : 'enum', 'none of the values has the type that is asked for');
  const { enum: _, ...rest } = single;
  return byType(work.from(node, rest), work);
}

/** `const` as an `enum` of one. */
function withEnum(node: Node, work: Work): Node {
  if (!Object.hasOwn(node, 'const')) return { ...node };
  const { const: value, enum: beside, ...rest } = node;
  if (Array.isArray(beside) && !beside.map(canonicalJson).includes(canonicalJson(value))) {
    work.lose(node, 'enum', 'it does not hold the constant that stands beside it');
  }
  return { ...rest, enum: [value] };
}

/** True when no value can fit two of the choices, so that `oneOf` and `anyOf` say the same. */
function areDisjoint(choices: readonly Node[]): boolean {
  return choices.every((one, index) => choices.slice(index + 1).every((other) => excludes(one, other)));
}

function excludes(one: Node, other: Node): boolean {
  const left = [one['type']].flat();
  const right = [other['type']].flat();
  if (left.includes(undefined) || right.includes(undefined)) return false;
  const shared = left.some(
    (type) =>
      right.includes(type) ||
      (type === 'integer' && right.includes('number')) ||
      (type === 'number' && right.includes('integer')),
  );
  if (!shared) return true;
  const lefts = valuesOf(one);
  const rights = valuesOf(other);
  if (lefts !== undefined && rights !== undefined) return lefts.every((value) => !rights.includes(value));
  const names = [one, other].map((node) => new Set([node['required'] ?? []].flat()));
  return Object.entries(propertiesOf(one)).some(([name, inner]) => {
    if (!names.every((set) => set.has(name)) || !isObject(inner)) return false;
    const mine = valuesOf(inner);
    const theirs = valuesOf((propertiesOf(other)[name] as Node | undefined) ?? {});
    return mine !== undefined && theirs !== undefined && mine.every((value) => !theirs.includes(value));
  });
}

const propertiesOf = (node: Node): Node => (isObject(node['properties']) ? node['properties'] : {});

function valuesOf(node: Node): string[] | undefined {
  if (Object.hasOwn(node, 'const')) return [canonicalJson(node['const'])];
  return Array.isArray(node['enum']) ? node['enum'].map(canonicalJson) : undefined;
}

/** A list of items by place as a list of any of them: most providers know no tuples. */
export function itemsOf(node: Node, why: string, work: Work): Node {
  const first = node['prefixItems'];
  const items = isObject(node['items']) ? node['items'] : {};
  if (!Array.isArray(first)) return items;
  work.lose(node, 'prefixItems', why);
  const open = node['maxItems'] === undefined || (node['maxItems'] as number) > first.length;
  const all = open ? [...(first as Node[]), items] : (first as Node[]);
  if (all.some((item) => Object.keys(item).length === 0)) return {};
  const distinct = [...new Map(all.map((item) => [canonicalJson(item), item])).values()];
  return distinct.length === 1 ? (distinct[0] as Node) : work.from(node, { anyOf: distinct });
}

export const isStructured = (node: Node): boolean => STRUCTURED.has(node['type']);
