import { type AnySchema, isStandardSchema, type JsonSchema, messageOf, type StandardResult } from '../core/index.ts';
import { compileSchema } from './compile-schema.ts';
import type { Issue } from './issue.ts';
import { jsonSchemaIssues } from './json-schema-issues.ts';
import { standardIssues } from './standard-issues.ts';
import { toJsonSchema } from './to-json-schema.ts';

export type ParseOutcome<Value = unknown> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** Judges a value as it is. Gives a promise only when the schema itself does. */
export function validateValue(schema: AnySchema, value: unknown): ParseOutcome | Promise<ParseOutcome> {
  if (!isStandardSchema(schema)) return validateJson(schema, value);
  const outcome = (result: StandardResult<unknown>): ParseOutcome =>
    result.issues === undefined
      ? { ok: true, value: result.value }
      : { ok: false, issues: standardIssues(result.issues, value, printable(schema)) };
  const result = schema['~standard'].validate(value);
  return result instanceof Promise ? result.then(outcome) : outcome(result);
}

function validateJson(schema: JsonSchema, value: unknown): ParseOutcome {
  const validate = compileSchema(schema);
  try {
    if (validate(value)) return { ok: true, value };
    return { ok: false, issues: jsonSchemaIssues(validate.errors ?? [], value) };
  } catch (error) {
    const why =
      error instanceof RangeError ? 'is nested too deeply to be judged' : `cannot be judged: ${messageOf(error)}`;
    return { ok: false, issues: [{ path: '', message: why }] };
  }
}

/** The JSON Schema of a Standard Schema, when it can print one. */
export function printable(schema: AnySchema): JsonSchema | undefined {
  try {
    return toJsonSchema(schema);
  } catch {
    return undefined;
  }
}
