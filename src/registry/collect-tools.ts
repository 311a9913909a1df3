import { isObject, type Tool } from '../core/index.ts';

/** What a module exports, sorted into tools and things that look like tools but lack a field. */
export interface CollectedExports {
  readonly tools: readonly Tool[];
  /** One line for each. */
  readonly incomplete: readonly string[];
}

/**
 * Every exported plain object that has `name`, `description`, `input` and `run`, and those in exported
 * arrays, each once.
 */
export function collectTools(module: unknown): Tool[] {
  return [...collectExports(module).tools];
}

export function collectExports(module: unknown): CollectedExports {
  const tools = new Set<Tool>();
  const incomplete = new Set<string>();
  const take = (name: string, value: unknown) => {
    if (!isPlainObject(value)) return;
    const missing = FIELDS.filter((field) => value[field] === undefined);
    if (missing.length === 0 && typeof value.run === 'function') tools.add(value as unknown as Tool);
    else if (typeof value.run === 'function' && missing.length < FIELDS.length - 1) {
      incomplete.add(`the export ${name} is no tool: it has no ${missing.join(', no ')}`);
    }
  };
  for (const [name, value] of exportsOf(module)) {
    if (Array.isArray(value)) value.forEach((item, index) => void take(`${name}[${index}]`, item));
    else take(name, value);
  }
  return { tools: [...tools], incomplete: [...incomplete] };
}

const FIELDS = ['name', 'description', 'input', 'run'] as const;

/** A CommonJS module's exports stand in its default export. */
function exportsOf(module: unknown): [string, unknown][] {
  if (typeof module !== 'object' || module === null) return [];
  return Object.entries(module).flatMap(([name, value]): [string, unknown][] => {
    const holdsExports = name === 'default' && isPlainObject(value) && typeof value.run !== 'function';
    return holdsExports ? Object.entries(value) : [[name, value]];
  });
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (!isObject(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
