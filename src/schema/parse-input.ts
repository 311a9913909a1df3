import { type AnySchema, isStandardSchema } from '../core/index.ts';
import { coerceInput } from './coerce-input.ts';
import { type ParseOutcome, printable, validateValue } from './validate-value.ts';

/**
 * A tool's input, judged by its schema, after what a model meant by JSON inside strings and needless nulls
 * was read so (see `coerceInput`). The value that came in is never changed. Gives a promise only when the
 * schema itself is asynchronous.
 */
export function parseInput<Value>(
  schema: AnySchema<Value>,
  value: unknown,
): ParseOutcome<Value> | Promise<ParseOutcome<Value>> {
  return parse(schema, value) as ParseOutcome<Value> | Promise<ParseOutcome<Value>>;
}

function parse(schema: AnySchema, value: unknown): ParseOutcome | Promise<ParseOutcome> {
  if (!isStandardSchema(schema)) {
    const plain = validateValue(schema, value) as ParseOutcome;
    if (plain.ok) return plain;
    const coerced = coerceInput(schema, value);
    return coerced === value ? plain : validateValue(schema, coerced);
  }
  const json = printable(schema);
  const coerced = json === undefined ? value : coerceInput(json, value);
  const outcome = validateValue(schema, coerced);
  if (coerced === value) return outcome;
  const orPlain = (first: ParseOutcome): ParseOutcome | Promise<ParseOutcome> => {
    if (first.ok) return first;
    const plain = validateValue(schema, value);
    return plain instanceof Promise ? plain.then((second) => (second.ok ? second : first)) : plain.ok ? plain : first;
  };
  return outcome instanceof Promise ? outcome.then(orPlain) : orPlain(outcome);
}
