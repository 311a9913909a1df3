import type { JsonSchema } from '../core/index.ts';
import { modernSchema } from './modern-schema.ts';

/** Refuses, with its JSON pointer, a schema that no input could be judged by. Compiles nothing; looks once at each. */
export function requireUsable(schema: JsonSchema): void {
  modernSchema(schema);
}
