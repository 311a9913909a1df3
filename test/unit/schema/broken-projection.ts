import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { projectSchema, SchemaProvider } from '../../../src/schema/index.ts';
import { brokenRules } from './provider-rules.ts';

export const PROVIDERS: readonly SchemaProvider[] = ['openai', 'openai-strict', 'anthropic', 'gemini'];
/** Judges schemas by the meta-schema of draft 2020-12, and values. */
export const meta = new Ajv2020({ strict: false, allErrors: true });
(addFormats as unknown as (ajv: Ajv2020) => void)(meta);

/** The rules that hold for a projection: those of strict mode only when it says that it is strict. */
export function broken(projection: ReturnType<typeof projectSchema>, provider: SchemaProvider): string[] {
  const rules = provider === 'openai-strict' && !projection.strict ? 'openai' : provider;
  const found = brokenRules(projection.schema, rules);
  if (rules !== 'gemini' && !meta.validateSchema(projection.schema)) found.push(meta.errorsText(meta.errors));
  return found;
}
