import type { JsonSchema } from './json.ts';

/** The part of the Standard Schema interface (standardschema.dev, version 1) that the house reads. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** How a tool says what it takes or gives: a Standard Schema that can print JSON Schema (zod 4 can), or JSON Schema itself. */
export type AnySchema<Value = unknown> = StandardSchema<unknown, Value> | JsonSchema;

export function isStandardSchema(schema: unknown): schema is StandardSchema {
  return (typeof schema === 'object' || typeof schema === 'function') && schema !== null && '~standard' in schema;
}
