import { cutEnd, isObject } from '../core/index.ts';

const MOST_SHOWN = 60;

/** A value as it is shown in a message, cut when it is long. */
export function shown(value: unknown): string {
  let text: string;
  try {
    text = JSON.stringify(value) ?? String(value);
  } catch {
    text = 'a value that cannot be shown';
  }
  return text.length > MOST_SHOWN ? `${cutEnd(text, MOST_SHOWN)}…` : text;
}

/** The kind of a value and, when it is short, the value. */
export function kindAndValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty array' : `an array ${shown(value)}`;
  if (isObject(value)) return `an object ${shown(value)}`;
  return `the ${typeof value} ${shown(value)}`;
}

const ARTICLE: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
  null: 'null',
};

/** Types in words: `a string or null`. */
export function typesText(types: Iterable<unknown>): string {
  return orText([...types].map((type) => ARTICLE[String(type)] ?? String(type)));
}

export function orText(parts: readonly string[]): string {
  const last = parts.at(-1) ?? '';
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} or ${last}`;
}

/** The first names or values of a list, and how many more there are. */
export function listText(parts: readonly string[], most: number): string {
  const text = parts.slice(0, most).join(', ');
  return parts.length > most ? `${text} and ${parts.length - most} more` : text;
}
