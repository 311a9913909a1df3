import { isObject, type JsonSchema } from '../core/index.ts';

/** Draft 4 wrote `minimum: 0, exclusiveMinimum: true` for what is `exclusiveMinimum: 0` now. */
export function exclusiveBound(
  schema: JsonSchema,
  out: Record<string, unknown>,
  bound: string,
  exclusive: string,
  lose: (keyword: string, why: string) => void,
): void {
  if (schema[exclusive] !== true) return;
  if (out[bound] === undefined) {
    lose(exclusive, `there is no ${bound} that it could make exclusive`);
    return;
  }
  out[exclusive] = out[bound];
  delete out[bound];
}

/** Draft 3 marked a property itself as required. */
export function requireMarked(schema: JsonSchema, out: Record<string, unknown>): void {
  if (!isObject(schema['properties'])) return;
  const marked = Object.entries(schema['properties'])
    .filter(([, inner]) => isObject(inner) && inner['required'] === true)
    .map(([name]) => name);
  if (marked.length === 0) return;
  out['required'] = [...new Set([...((out['required'] as string[] | undefined) ?? []), ...marked])];
}

/** OpenAPI 3.0 says `nullable: true` for what is a union with null. */
export function nullable(out: Record<string, unknown>): Record<string, unknown> {
  if (Array.isArray(out['enum']) && !out['enum'].includes(null)) out['enum'] = [...out['enum'], null];
  const type = out['type'];
  if (type !== undefined) {
    out['type'] = [...new Set([...(Array.isArray(type) ? type : [type]), 'null'])];
    return out;
  }
  const { description, title, ...rest } = out;
  if (Object.keys(rest).length === 0) return out;
  return {
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    anyOf: [rest, { type: 'null' }],
  };
}
