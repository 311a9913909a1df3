import type { JsonSchema } from '../../../src/core/index.ts';

export interface SchemaSample {
  readonly name: string;
  readonly schema: JsonSchema | boolean;
  /** The root is no object: what it takes is put under a key. */
  readonly wrapped?: boolean;
  /** False: strict mode cannot hold it. */
  readonly strict?: boolean;
  /** `pointer keyword` of each loss, for every provider, or for the providers named; absent: not pinned. */
  readonly lost?: Partial<Record<'openai' | 'openai-strict' | 'anthropic' | 'gemini' | 'all', readonly string[]>>;
}

export const object = (properties: Record<string, unknown>, more: Record<string, unknown> = {}) => ({
  type: 'object',
  properties,
  ...more,
});
export const string = { type: 'string' };
export const nest = (depth: number): JsonSchema => (depth === 0 ? string : object({ inner: nest(depth - 1) }));
export const NONE = { all: [] };
