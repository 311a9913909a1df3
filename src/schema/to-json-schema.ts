import { createRequire } from 'node:module';
import {
  type AnySchema,
  isObject,
  isStandardSchema,
  type JsonSchema,
  messageOf,
  ToolwrightError,
} from '../core/index.ts';

const require = createRequire(import.meta.url);
/** The schema `true`, which foreign servers send. */
const ANYTHING: JsonSchema = Object.freeze({});
const printed = new WeakMap<object, JsonSchema>();

/**
 * The JSON Schema of what a tool takes: plain JSON Schema is given back as it is, by identity; a Standard
 * Schema prints its own, once.
 */
export function toJsonSchema(schema: AnySchema | boolean): JsonSchema {
  if (schema === true) return ANYTHING;
  if (!isStandardSchema(schema)) {
    if (isObject(schema)) return schema;
    throw new ToolwrightError('invalid_request', 'a schema must be a Standard Schema or a JSON Schema object', {
      hint: 'Give a zod 4 schema or an object such as {"type": "object", "properties": {}}.',
    });
  }
  const known = printed.get(schema);
  if (known !== undefined) return known;
  const fresh = print(schema);
  printed.set(schema, fresh);
  return fresh;
}

interface Printer {
  readonly jsonSchema?: { readonly input?: (options: { readonly target: string }) => unknown };
}

function print(schema: object & { readonly '~standard': { readonly vendor: string } }): JsonSchema {
  const standard = schema['~standard'];
  let found: unknown;
  try {
    const input = (standard as Printer).jsonSchema?.input;
    if (typeof input === 'function') found = input({ target: 'draft-2020-12' });
    else if ('_zod' in schema) found = zodJsonSchema(schema);
  } catch (error) {
    throw unprintable(standard.vendor, messageOf(error), error);
  }
  if (!isObject(found)) throw unprintable(standard.vendor, 'it has no ~standard.jsonSchema');
  const { $schema: _dialect, ...plain } = withoutSafeBounds(found);
  return plain;
}

/**
 * Printers write an integer's safe range into every integer; it says nothing that a model needs to read.
 * The dialect is left out for the same reason: it is the one that the house assumes.
 */
function withoutSafeBounds(schema: Record<string, unknown>): Record<string, unknown> {
  const plain: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'minimum' && value === Number.MIN_SAFE_INTEGER) continue;
    if (key === 'maximum' && value === Number.MAX_SAFE_INTEGER) continue;
    if (Array.isArray(value)) plain[key] = value.map((item) => (isObject(item) ? withoutSafeBounds(item) : item));
    else plain[key] = isObject(value) ? withoutSafeBounds(value) : value;
  }
  return plain;
}

/** For zod 4 releases whose schemas do not print themselves yet. */
function zodJsonSchema(schema: object): unknown {
  const zod = require('zod') as typeof import('zod');
  return zod.toJSONSchema(schema as never, { io: 'input' });
}

function unprintable(vendor: string, why: string, cause?: unknown): ToolwrightError {
  return new ToolwrightError('invalid_request', `this ${vendor} schema cannot be printed as JSON Schema: ${why}`, {
    hint: 'Use types that JSON has (a string in place of a date), or give plain JSON Schema.',
    cause,
  });
}
