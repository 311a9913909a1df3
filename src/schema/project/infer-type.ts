import { keywordType, type TypeName, typeOf } from '../keywords.ts';
import type { Node } from './work.ts';

/**
 * Says the type of a node that only implies it; what may be of any type stays so. Exact: only from the
 * values that it lists, which lets the same values through.
 */
export function inferType(node: Node, exact = false): void {
  if (node['type'] !== undefined) return;
  if (['anyOf', 'oneOf', 'allOf', 'not', 'if'].some((keyword) => node[keyword] !== undefined)) {
    if (node['properties'] === undefined) return;
  }
  const values = Object.hasOwn(node, 'const') ? [node['const']] : node['enum'];
  const types = new Set<TypeName>();
  if (Array.isArray(values)) for (const value of values) types.add(typeOf(value));
  else if (!exact) {
    for (const [key, value] of Object.entries(node)) {
      const type = keywordType(key, value);
      if (type !== undefined) types.add(type);
    }
  }
  if (types.has('number')) types.delete('integer');
  const [first] = types;
  if (first === undefined || (types.size > 1 && !Array.isArray(values))) return;
  node['type'] = types.size === 1 ? first : [...types];
}
