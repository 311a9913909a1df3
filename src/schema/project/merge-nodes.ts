import { canonicalJson, isObject } from '../../core/index.ts';
import type { Node, Work } from './work.ts';

const HIGHER = new Set(['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties', 'minContains']);
const LOWER = new Set(['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties', 'maxContains']);
const NODES = new Set(['items', 'contains', 'propertyNames', 'additionalProperties', 'unevaluatedProperties']);
const NODE_MAPS = new Set(['properties', 'patternProperties', 'dependentSchemas']);
const LAST_WINS = new Set(['title', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly']);

/** One node that holds what both say; what cannot be said at once is told as lost. */
export function mergeNodes(left: Node, right: Node, work: Work): Node {
  const merged = work.from(left, { ...left });
  closedTogether(left, right, work);
  for (const [key, value] of Object.entries(right)) {
    const held = merged[key];
    if (held === undefined || canonicalJson(held) === canonicalJson(value)) {
      merged[key] = value;
      continue;
    }
    const both = mergeKeyword(key, held, value, work);
    if (both === undefined) work.lose(right, key, 'it cannot be said together with what is said beside it');
    else merged[key] = both;
  }
  return merged;
}

function mergeKeyword(key: string, left: unknown, right: unknown, work: Work): unknown {
  if (LAST_WINS.has(key)) return right;
  if (key === 'description') return `${left}\n${right}`;
  if (HIGHER.has(key)) return Math.max(left as number, right as number);
  if (LOWER.has(key)) return Math.min(left as number, right as number);
  if (NODE_MAPS.has(key)) return mergeMaps(left as Node, right as Node, work);
  if (NODES.has(key)) {
    if (left === false || right === false) return false;
    return isObject(left) && isObject(right) ? mergeNodes(left, right, work) : isObject(left) ? left : right;
  }
  if (key === 'required') return [...new Set([...(left as string[]), ...(right as string[])])];
  if (key === 'uniqueItems') return left === true || right === true;
  if (key === 'type') return commonTypes(left, right);
  if (key === 'enum') {
    const allowed = new Set((right as unknown[]).map(canonicalJson));
    const common = (left as unknown[]).filter((value) => allowed.has(canonicalJson(value)));
    return common.length > 0 ? common : undefined;
  }
  if (key === 'multipleOf') {
    const [small, large] = [left as number, right as number].sort((a, b) => a - b) as [number, number];
    return Number.isInteger(large / small) ? large : undefined;
  }
  if (key === 'allOf') return [...(left as Node[]), ...(right as Node[])];
  if (key === 'not') return { anyOf: [left, right] };
  if (key === 'dependentRequired') {
    const out: Record<string, unknown> = { ...(left as Node) };
    for (const [name, needs] of Object.entries(right as Node)) {
      out[name] = [...new Set([...((out[name] as string[] | undefined) ?? []), ...(needs as string[])])];
    }
    return out;
  }
  return undefined;
}

function mergeMaps(left: Node, right: Node, work: Work): Node {
  const out = new Map(Object.entries(left));
  for (const [name, inner] of Object.entries(right)) {
    const held = out.get(name);
    out.set(name, isObject(held) && isObject(inner) ? mergeNodes(held, inner, work) : inner);
  }
  return Object.fromEntries(out);
}

function commonTypes(left: unknown, right: unknown): unknown {
  const lefts = new Set([left].flat());
  const rights = new Set([right].flat());
  const common = [...lefts].filter((type) => rights.has(type));
  if ((lefts.has('integer') && rights.has('number')) || (lefts.has('number') && rights.has('integer'))) {
    if (!common.includes('integer')) common.push('integer');
  }
  if (common.length === 0) return undefined;
  return common.length === 1 ? common[0] : common;
}

/** One closed part forbids the fields of the other; taken at its word nothing could be sent. */
function closedTogether(left: Node, right: Node, work: Work): void {
  for (const [closed, other] of [
    [left, right],
    [right, left],
  ] as const) {
    if (closed['additionalProperties'] !== false) continue;
    const names = isObject(closed['properties']) ? closed['properties'] : {};
    const others = isObject(other['properties']) ? Object.keys(other['properties']) : [];
    if (others.some((name) => !Object.hasOwn(names, name))) {
      work.lose(closed, 'additionalProperties', 'it forbids fields that another part of the same allOf names');
    }
  }
}

/** The node with its `allOf` merged into it. */
export function withoutAllOf(node: Node, work: Work): Node {
  const parts = node['allOf'];
  if (!Array.isArray(parts)) return node;
  const { allOf: _, ...rest } = node;
  return (parts as Node[]).reduce<Node>(
    (whole, part) => mergeNodes(whole, withoutAllOf(part, work), work),
    work.from(node, rest),
  );
}
