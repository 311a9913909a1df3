import { ToolwrightError } from '../core/index.ts';
import { pointerStep } from './keywords.ts';

const MOST_DEPTH = 128;
const MOST_VALUES = 50_000;

/** Refuses a schema that nothing can be made of, naming the place. */
export function badSchema(pointer: string, problem: string, hint?: string): ToolwrightError {
  return new ToolwrightError('invalid_request', `the schema is not usable: ${problem} at ${pointer || '/'}`, {
    hint: hint ?? 'Correct the schema at that place.',
    data: { pointer },
  });
}

/** Refuses what is no JSON tree of reasonable size: cycles, thousands of levels, values that JSON has not. */
export function requirePlainSchema(schema: unknown): void {
  const above = new Set<object>();
  let count = 0;
  const visit = (value: unknown, pointer: string): void => {
    if (++count > MOST_VALUES) throw badSchema(pointer, `it holds more than ${MOST_VALUES} values`);
    if (typeof value === 'bigint') throw badSchema(pointer, 'a bigint stands');
    if (typeof value !== 'object' || value === null) return;
    if (above.has(value)) throw badSchema(pointer, 'an object that holds itself stands', 'Use $ref for recursion.');
    if (above.size >= MOST_DEPTH) throw badSchema(pointer, `it is nested more than ${MOST_DEPTH} levels deep`);
    above.add(value);
    for (const [key, inner] of Object.entries(value)) visit(inner, pointer + pointerStep(key));
    above.delete(value);
  };
  visit(schema, '');
}

/** A copy of a JSON value that shares nothing with it; what JSON has not is left out. */
export function copyJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => copyJson(item) ?? null);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, inner]) => {
        const copy = copyJson(inner);
        return copy === undefined ? [] : [[key, copy]];
      }),
    );
  }
  if (typeof value === 'function' || typeof value === 'symbol') return undefined;
  return typeof value === 'number' && !Number.isFinite(value) ? null : value;
}
