import { type CallError, cutEnd, cutStart, isObject, type Json, type JsonObject } from '../core/index.ts';
import { readRelaxedJson } from './relaxed-json.ts';

export type ParsedArguments =
  | {
      readonly ok: true;
      readonly value: JsonObject;
      /**
       * The text was read with a guess; whether a tool may run on it is the caller's to decide. What is mended
       * in form alone (a fence, a comment, a trailing comma, a second encoding) is no guess.
       */
      readonly repaired: boolean;
      /** What was done to the text, for the model. */
      readonly note?: string;
    }
  | { readonly ok: false; readonly error: CallError };

/** Longest text that is mended; longer ones must be right. */
const MOST_REPAIRED = 65_536;
/** Mends after which the text means what it meant before. */
const FORM_MENDS: ReadonlySet<string> = new Set(['code fence removed', 'comment removed', 'trailing comma removed']);
/** Deepest nesting that is taken; deeper values break what would print or compare them later. */
const MOST_DEPTH = 256;
/** How often a text may have been written as a JSON string of itself. */
const MOST_ENCODINGS = 3;

/**
 * A call's arguments as an object, from whatever the model or its server sent. Nothing (``, blanks, `null`,
 * `""`) means `{}`. Text is mended only when it was finished: arguments that were cut off never run.
 */
export function parseArguments(raw: unknown, options: { readonly finished?: boolean } = {}): ParsedArguments {
  const finished = options.finished !== false;
  if (typeof raw !== 'string')
    return (raw === undefined || raw === null) && !finished ? fail(cutOff('')) : settle(raw, false);
  let text = raw;
  let repaired = false;
  const notes: string[] = [];
  for (let round = 0; round <= MOST_ENCODINGS; round++) {
    if (text.trim() === '') return finished ? { ok: true, value: {}, repaired } : fail(cutOff(raw));
    let value: Json;
    try {
      value = JSON.parse(text) as Json;
    } catch {
      if (!finished) return fail(cutOff(raw));
      const relaxed = readRelaxedJson(text);
      if (!relaxed.ok || text.length > MOST_REPAIRED) return fail(broken(text, relaxed));
      value = relaxed.value;
      repaired ||= relaxed.mended.some((mend) => !FORM_MENDS.has(mend));
      notes.push(`The arguments were not valid JSON and were mended (${relaxed.mended.join(', ')}).`);
    }
    if (typeof value !== 'string') return settle(value, repaired, notes);
    if (!looksEncoded(value)) return fail(notAnObject(value));
    if (value.trim() !== '') notes.push('The arguments were a JSON string; they were decoded once more.');
    text = value;
  }
  return fail(notAnObject(text));
}

const looksEncoded = (text: string) => /^\s*(?:$|["'[{`]|null\s*$)/.test(text);

function settle(value: unknown, repaired: boolean, notes: readonly string[] = []): ParsedArguments {
  if (value === null || value === undefined) return { ok: true, value: {}, repaired };
  if (!isObject(value)) return fail(notAnObject(value));
  const form = formOf(value);
  if (form === 'deep') {
    return fail(invalid(`The arguments are nested more than ${MOST_DEPTH} levels deep.`, 'Send a flatter object.'));
  }
  const safe = form === 'unsafe' ? withoutPrototypes(value) : value;
  const note = [...notes, ...(form === 'unsafe' ? ['Fields of the name __proto__ were left out.'] : [])].join(' ');
  return { ok: true, value: safe as JsonObject, repaired, ...(note === '' ? {} : { note }) };
}

/** Looked at level by level, so that neither depth nor a cycle can overflow the stack. */
function formOf(root: object): 'fine' | 'unsafe' | 'deep' {
  let form: 'fine' | 'unsafe' = 'fine';
  let level: object[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth >= MOST_DEPTH) return 'deep';
    const next: object[] = [];
    for (const item of level) {
      if (Object.hasOwn(item, '__proto__')) form = 'unsafe';
      for (const inner of Object.values(item)) if (typeof inner === 'object' && inner !== null) next.push(inner);
    }
    level = next;
  }
  return form;
}

/** A copy without the one name whose assignment would change an object's prototype later on. */
function withoutPrototypes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPrototypes);
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([key]) => key !== '__proto__');
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutPrototypes(inner)]));
}

const fail = (error: CallError): ParsedArguments => ({ ok: false, error });

const invalid = (message: string, hint: string): CallError => ({
  code: 'invalid_json',
  message,
  retryable: false,
  hint,
});

function cutOff(text: string): CallError {
  const end =
    text === '' ? 'before anything was written' : `after ${text.length} characters, at ${quote(cutStart(text, 60))}`;
  return invalid(
    `The arguments were cut off ${end}, so the tool was not run.`,
    'Send the call again with shorter arguments; split a long text over several calls.',
  );
}

function broken(text: string, relaxed: ReturnType<typeof readRelaxedJson>): CallError {
  if (relaxed.ok) {
    return invalid(
      `The arguments are not valid JSON, and ${text.length} characters are too many to be mended.`,
      'Send the call again as strict JSON.',
    );
  }
  const before = text.slice(0, relaxed.at);
  const line = before.split('\n').length;
  const column = relaxed.at - before.lastIndexOf('\n');
  const excerpt = quote(`${cutStart(before, 30)}\u2038${cutEnd(text.slice(relaxed.at), 30)}`);
  return invalid(
    `The arguments are not valid JSON: ${relaxed.problem} at position ${relaxed.at} (line ${line}, column ${column}), at the mark \u2038 in ${excerpt}.`,
    'Send the call again with the arguments as one strict JSON object: double quotes, escaped line ends, no comments.',
  );
}

function notAnObject(value: unknown): CallError {
  const kind = Array.isArray(value) ? 'an array' : typeof value === 'object' ? 'an object' : `a ${typeof value}`;
  return invalid(
    `The arguments must be a JSON object, and ${kind} was sent: ${quote(cutEnd(JSON.stringify(value) ?? '', 60))}.`,
    'Send the call again with an object such as {"name": "value"}.',
  );
}

const quote = (text: string) => `\`${text.replaceAll('\r', '\\r').replaceAll('\n', '\\n')}\``;
