/** A JSON value as JSON.parse gives it. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
export type JsonObject = { [key: string]: Json };

/** A JSON Schema document; draft 2020-12 unless it says otherwise. */
export type JsonSchema = { readonly [key: string]: unknown };

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * JSON text with object keys sorted, so that two equal inputs give equal text whatever order the
 * model wrote the keys in. Values that JSON does not know are written as JSON.stringify writes them.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (!isObject(inner)) return inner;
    const sorted: Record<string, unknown> = {};
    for (const key of Object.keys(inner).sort()) sorted[key] = inner[key];
    return sorted;
  });
}
