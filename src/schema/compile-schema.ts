import { createRequire } from 'node:module';
import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js';
import { type JsonSchema, messageOf } from '../core/index.ts';
import { modernSchema } from './modern-schema.ts';
import { compilePattern, testPattern } from './pattern.ts';
import { badSchema } from './plain-schema.ts';

const require = createRequire(import.meta.url);
const compiled = new WeakMap<object, ValidateFunction>();
const NEVER = /(?!)/;
let shared: Ajv2020 | undefined;

/**
 * A validator of a JSON Schema of any draft, compiled when it is first asked for and kept as long as the
 * schema lives. References are never fetched. What cannot be compiled is refused with its JSON pointer.
 */
export function compileSchema(schema: JsonSchema): ValidateFunction {
  const known = compiled.get(schema);
  if (known !== undefined) return known;
  const { root } = modernSchema(schema);
  const ajv = sharedAjv();
  try {
    const validate = ajv.compile(root as object);
    compiled.set(schema, validate);
    return validate;
  } catch (error) {
    throw badSchema('', messageOf(error));
  } finally {
    ajv.removeSchema(root as object);
  }
}

/** Loaded with the first schema: 60 ms that a start without calls does not pay. */
function sharedAjv(): Ajv2020 {
  if (shared !== undefined) return shared;
  const { Ajv2020 } = require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
  const { default: addFormats } = require('ajv-formats') as typeof import('ajv-formats');
  const regExp = Object.assign(
    (pattern: string) => {
      const compiled = compilePattern(pattern) ?? NEVER;
      // Ajv tells one pattern from another by this text.
      return { test: (text: string) => testPattern(compiled, text), toString: () => String(compiled) };
    },
    { code: 'compilePattern' },
  );
  shared = new Ajv2020({
    strict: false,
    allErrors: true,
    verbose: true,
    meta: false,
    validateSchema: false,
    logger: false,
    code: { regExp },
  });
  (addFormats as unknown as (ajv: Ajv2020) => void)(shared);
  return shared;
}
