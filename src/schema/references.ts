import { isObject, type JsonSchema } from '../core/index.ts';
import { pointerStep } from './keywords.ts';

/** Where the references of one schema document lead. */
export interface References {
  /** The base that holds for a subschema: its own `$id`, or that of the schema around it. */
  baseOf(schema: JsonSchema, outer: string): string;
  /** JSON pointer of what a reference names; undefined when it lies outside the document. */
  resolve(reference: string, base: string): string | undefined;
  /** What stands at a pointer that `resolve` gave. */
  at(pointer: string): unknown;
}

export const ROOT_BASE = 'schema://document/root';
const DATA = new Set(['enum', 'const', 'default', 'examples', 'example']);

/** Looks through the whole document for names that references may use; nothing is ever fetched. */
export function collectReferences(root: JsonSchema): References {
  const documents = new Map<string, string>([[ROOT_BASE, '']]);
  const anchors = new Map<string, string>();
  const baseOf = (schema: JsonSchema, outer: string): string => {
    const id = schema['$id'] ?? schema['id'];
    return typeof id === 'string' ? (absolute(id, outer)?.split('#')[0] ?? outer) : outer;
  };
  const visit = (value: unknown, pointer: string, outer: string): void => {
    if (Array.isArray(value)) {
      value.forEach((item, index) => void visit(item, pointer + pointerStep(index), outer));
      return;
    }
    if (!isObject(value)) return;
    const base = baseOf(value, outer);
    if (base !== outer && !documents.has(base)) documents.set(base, pointer);
    for (const keyword of ['$anchor', '$dynamicAnchor']) {
      const name = value[keyword];
      if (typeof name === 'string') anchors.set(`${base}#${name}`, pointer);
    }
    const legacy = value['$id'] ?? value['id'];
    if (typeof legacy === 'string' && /^#[^/]/.test(legacy)) anchors.set(`${base}${legacy}`, pointer);
    for (const [key, inner] of Object.entries(value)) {
      if (!DATA.has(key)) visit(inner, pointer + pointerStep(key), base);
    }
  };
  visit(root, '', ROOT_BASE);

  return {
    baseOf,
    resolve(reference, base) {
      const url = absolute(reference, base);
      if (url === undefined) return undefined;
      const hash = url.indexOf('#');
      const document = hash < 0 ? url : url.slice(0, hash);
      const fragment = hash < 0 ? '' : decode(url.slice(hash + 1));
      const start = documents.get(document);
      if (start === undefined) return undefined;
      if (fragment === '') return start;
      return fragment.startsWith('/') ? start + fragment : anchors.get(`${document}#${fragment}`);
    },
    at(pointer) {
      let value: unknown = root;
      for (const step of pointer.split('/').slice(1)) {
        const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
        if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
        value = (value as Record<string, unknown>)[key];
      }
      return value;
    },
  };
}

function absolute(reference: string, base: string): string | undefined {
  if (reference.startsWith('#')) return base + reference;
  try {
    return new URL(reference, base).href;
  } catch {
    return undefined;
  }
}

function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
