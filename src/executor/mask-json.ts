import { isObject, type Masker } from '../core/index.ts';

/** A JSON value with the secrets in its texts and keys masked; the same value when there are none. */
export function maskJson(value: unknown, masker: Masker, text = JSON.stringify(value)): unknown {
  if (text === undefined) return value;
  const masked = masker.mask(text);
  if (masked === text) return value;
  try {
    return JSON.parse(masked);
  } catch {
    return maskTexts(value, masker);
  }
}

/** For a value whose JSON text is no JSON any more once it is masked. */
function maskTexts(value: unknown, masker: Masker): unknown {
  if (typeof value === 'string') return masker.mask(value);
  if (Array.isArray(value)) return value.map((item) => maskTexts(item, masker));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [masker.mask(key), maskTexts(item, masker)] as const),
  );
}
