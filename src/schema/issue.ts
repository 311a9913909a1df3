import type { Json } from '../core/index.ts';
import { nearNames } from './near-names.ts';
import { kindAndValue, listText, shown } from './say.ts';

/** One thing that is wrong with a value. */
export interface Issue {
  /** JSON pointer into the value; empty for the value itself. */
  readonly path: string;
  readonly message: string;
  /** The values or names that would have been right, when they can be listed. */
  readonly allowed?: readonly Json[];
}

const MOST_LISTED = 20;

/** A value that is none of those allowed. */
export function notAllowed(path: string, value: unknown, allowed: readonly Json[]): Issue {
  const near =
    typeof value === 'string'
      ? nearNames(
          value,
          allowed.filter((one) => typeof one === 'string'),
        )[0]
      : undefined;
  const hint = near === undefined ? '' : `; did you mean ${shown(near)}?`;
  const list = listText(allowed.map(shown), MOST_LISTED);
  return {
    path,
    message: `must be ${allowed.length > 1 ? 'one of ' : ''}${list}; got ${kindAndValue(value)}${hint}`,
    allowed,
  };
}

/** A field that is missing; when an unknown field has nearly its name, that is told. */
export function missing(path: string, name: string, what: string, unknown: readonly string[]): Issue {
  const near = nearNames(name, unknown)[0];
  const hint = near === undefined ? '' : `; you wrote ${shown(near)}`;
  return { path, message: `is required and missing${what === '' ? '' : ` (${what})`}${hint}` };
}

/** A field that is not among those of the object. */
export function unknownField(path: string, name: string, fields: readonly string[]): Issue {
  const near = nearNames(name, fields)[0];
  const hint = near === undefined ? '' : `; did you mean ${shown(near)}?`;
  const list = fields.length === 0 ? 'this object takes no fields' : `allowed are ${listText(fields, MOST_LISTED)}`;
  return { path, message: `is not a known field${hint} (${list})`, allowed: [...fields] };
}
