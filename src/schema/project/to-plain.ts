import { isObject } from '../../core/index.ts';
import { describeShape } from '../describe-shape.ts';
import { LIST_KEYWORDS, MAP_KEYWORDS, SCHEMA_KEYWORDS } from '../keywords.ts';
import { itemsOf } from './choices.ts';
import { noteKeyword } from './note-keyword.ts';
import { addNote, type Node, type Work } from './work.ts';

/** Keys of properties that Anthropic takes. */
const ANTHROPIC_KEY = /^[a-zA-Z0-9_.-]{1,64}$/;

/** OpenAI without strict: JSON Schema, but each array with one schema of items. */
export function toOpenAi(root: Node, work: Work): Node {
  return walk(
    root,
    (node) => {
      if (node['prefixItems'] === undefined) return;
      const items = itemsOf(node, 'OpenAI takes one schema for all items', work);
      noteKeyword(node, 'prefixItems', 'OpenAI takes one schema for all items', work);
      node['items'] = items;
    },
    work,
  );
}

/** Anthropic: JSON Schema 2020-12, but for the names of the root's properties. */
export function toAnthropic(root: Node, work: Work): Node {
  const whole = walk(root, () => {}, work);
  const properties = whole['properties'];
  if (!isObject(properties)) return whole;
  const bad = Object.keys(properties).filter((name) => !ANTHROPIC_KEY.test(name));
  if (bad.length === 0) return whole;
  for (const name of bad) {
    const inner = properties[name];
    work.lose(work.from(whole, {}), 'properties', `Anthropic takes no property of the name ${JSON.stringify(name)}`);
    addNote(whole, `Also takes the field ${JSON.stringify(name)}: ${describeShape(inner)}.`);
  }
  whole['properties'] = Object.fromEntries(Object.entries(properties).filter(([name]) => !bad.includes(name)));
  if (Array.isArray(whole['required'])) {
    whole['required'] = whole['required'].filter((name) => !bad.includes(name));
    if ((whole['required'] as unknown[]).length === 0) delete whole['required'];
  }
  return whole;
}

function walk(source: Node, rule: (node: Node) => void, work: Work): Node {
  const node: Node = work.from(source, { ...source });
  rule(node);
  for (const [key, value] of Object.entries(node)) {
    if (MAP_KEYWORDS.has(key) && isObject(value)) {
      node[key] = Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [name, isObject(inner) ? walk(inner, rule, work) : inner]),
      );
    } else if (LIST_KEYWORDS.has(key) && Array.isArray(value)) {
      node[key] = value.map((inner) => (isObject(inner) ? walk(inner, rule, work) : inner));
    } else if (SCHEMA_KEYWORDS.has(key) && isObject(value)) node[key] = walk(value, rule, work);
  }
  return node;
}
