import { isObject, type Masker } from '../core/index.ts';

/** A JSON value with every text in it masked. */
export function maskValue(value: unknown, masker: Masker): unknown {
  if (typeof value === 'string') return masker.mask(value);
  if (Array.isArray(value)) return value.map((inner) => maskValue(inner, masker));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, maskValue(inner, masker)]));
}
