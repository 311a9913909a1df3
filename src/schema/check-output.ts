import type { AnySchema } from '../core/index.ts';
import { type ParseOutcome, validateValue } from './validate-value.ts';

export type OutputCheck =
  | { readonly ok: true }
  | { readonly ok: false; readonly pointer: string; readonly message: string };

/** Tells whether what a tool gave is what it promised; nothing is mended. */
export function checkOutput(schema: AnySchema, value: unknown): OutputCheck | Promise<OutputCheck> {
  const outcome = validateValue(schema, value);
  return outcome instanceof Promise ? outcome.then(judge) : judge(outcome);
}

function judge(outcome: ParseOutcome): OutputCheck {
  if (outcome.ok) return { ok: true };
  const first = outcome.issues[0];
  return { ok: false, pointer: first?.path ?? '', message: first?.message ?? 'is not valid' };
}
