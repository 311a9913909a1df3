import { escapeText, SECRET_FORMS, type SecretForm, type Step } from './secret-forms.ts';
import { createTriples, type Triple } from './triples.ts';

/** A secret in a text. */
export interface FoundSecret {
  /** Where its form begins, with what stays readable. */
  readonly index: number;
  /** What is masked. */
  readonly start: number;
  readonly end: number;
  /** What the secret goes on with behind `end`. */
  readonly rest: RegExp | undefined;
}

export interface SecretFinder {
  /** The first secret whose form begins at `from` or later. */
  next(text: string, from: number): FoundSecret | undefined;
  /** The secret whose form begins just there. */
  at(text: string, index: number): FoundSecret | undefined;
  /**
   * Where the earliest piece from `from` on begins that reaches the end of the text and would be a secret, or
   * another one, with the right text behind it; the text's length when there is none. What `next` finds
   * before it stays as it is, whatever comes.
   */
  open(text: string, from: number): number;
}

/** Finds values and what has the form of a secret. One pass, whatever their number. */
export function createSecretFinder(values: readonly string[]): SecretFinder {
  const byLength = [...values].sort((a, b) => b.length - a.length);
  const literal: readonly SecretForm[] = byLength.length === 0 ? [] : [{ secret: [] }];
  const sources = SECRET_FORMS.map(
    (form) => `${borderOf(form)}(${sourceOf(form.before)})(${sourceOf(form.secret)})${sourceOf(form.after)}`,
  );
  if (literal.length > 0) sources.unshift(`()(${byLength.map(escapeText).join('|')})`);
  const forms = [...literal, ...SECRET_FORMS];
  const whole = new RegExp(sources.join('|'), 'y');
  const beginnings = createTriples([...byLength.map(valueTriple), ...SECRET_FORMS.map(formTriple)]);
  const begun = new RegExp(SECRET_FORMS.map(begunSourceOf).join('|'), 'g');
  const hasTimes = byLength.some((value) => isTime(value, 0, 0));
  const openValues = byLength.map(createOpenValue);

  const secretAt = (text: string, index: number): FoundSecret | undefined => {
    whole.lastIndex = index;
    const match = whole.exec(text);
    if (match === null) return undefined;
    const at = forms.findIndex((_form, order) => match[2 * order + 2] !== undefined);
    const secret = match[2 * at + 2] ?? '';
    const form = forms[at];
    if (form?.isSecret && !form.isSecret(secret)) return undefined;
    const start = index + (match[2 * at + 1]?.length ?? 0);
    return { index, start, end: start + secret.length, rest: form?.rest };
  };
  return {
    at: secretAt,
    next(text, from) {
      for (let at = beginnings.find(text, from); at >= 0; at = beginnings.find(text, at + 1)) {
        // The form that begins with digits is told by their end, and may have begun before another one.
        const before = digitsBefore(text, at, from);
        if (isTime(text, at, before) && !hasTimes) continue;
        for (let index = at - before; index <= at; index++) {
          const found = secretAt(text, index);
          if (found) return found;
        }
      }
      return undefined;
    },
    open(text, from) {
      begun.lastIndex = Math.max(from, text.length - LONGEST_FORM);
      let open = begun.exec(text)?.index ?? text.length;
      for (const openValue of openValues) open = Math.min(open, openValue(text, from));
      return open;
    },
  };
}

/** The run of digits that a form begins with. */
const FEWEST_DIGITS = 8;
const MOST_DIGITS = 10;
const COLON = 58;
const isDigit = (unit: number) => unit >= 48 && unit <= 57;

/** How many digits stand right before a place that begins with one itself. */
function digitsBefore(text: string, at: number, from: number): number {
  if (!isDigit(text.charCodeAt(at))) return 0;
  let first = at;
  while (first > from && at - first < MOST_DIGITS && isDigit(text.charCodeAt(first - 1))) first--;
  return at - first;
}

/** Two digits and a colon with too few digits before them, as the time of day has them: no form, though a form's end. */
const isTime = (text: string, at: number, before: number) =>
  before + 2 < FEWEST_DIGITS &&
  text.charCodeAt(at + 2) === COLON &&
  isDigit(text.charCodeAt(at)) &&
  isDigit(text.charCodeAt(at + 1));

const ASCII = Array.from({ length: 128 }, (_, unit) => unit);

function valueTriple(value: string): Triple {
  return [[value.charCodeAt(0)], [value.charCodeAt(1)], [value.charCodeAt(2)]];
}

/** The characters that a form begins with, all of them ASCII; of digits and a colon the last two and the colon. */
function formTriple(form: SecretForm): Triple {
  const classes = stepsOf(form).flatMap(([characters, min]) =>
    Array.from({ length: Math.min(min, 3) }, () => characters),
  );
  const beginning = form.told ?? classes.slice(0, 3);
  const [first = [], second = [], third = []] = beginning.map((characters) => {
    const one = new RegExp(`^${characters}$`);
    return ASCII.filter((unit) => one.test(String.fromCharCode(unit)));
  });
  return [first, second, third];
}

const stepsOf = (form: SecretForm) => [...(form.before ?? []), ...form.secret, ...(form.after ?? [])];
const LONGEST_FORM = Math.max(
  ...SECRET_FORMS.map((form) => stepsOf(form).reduce((length, [, , max]) => length + max, 0)),
);

const borderOf = ({ border }: SecretForm) => (border === undefined ? '' : `(?<![${border}])`);
const stepSource = ([characters, min, max]: Step) =>
  max === 1 && min === 1 ? characters : `${characters}{${min},${max}}`;
const sourceOf = (steps: readonly Step[] = []) => steps.map(stepSource).join('');

/** Every beginning of a form that ends with the text. */
function begunSourceOf(form: SecretForm): string {
  const steps = stepsOf(form);
  const nested = steps.reduceRight((next, step, index) => {
    const atEnd = `${stepSource([step[0], index === 0 ? 1 : 0, step[2]])}$`;
    return index === steps.length - 1 ? atEnd : `(?:${atEnd}|${stepSource(step)}${next})`;
  }, '');
  return borderOf(form) + nested;
}

/**
 * Finds the earliest place where a text ends in the beginning of a value, in a time that is bounded by the
 * value's length (Knuth, Morris, Pratt).
 */
function createOpenValue(value: string): (text: string, from: number) => number {
  const fallback = new Uint16Array(value.length + 1);
  const grow = (length: number, unit: string | undefined): number => {
    let matched = length;
    while (matched > 0 && value[matched] !== unit) matched = fallback[matched - 1] as number;
    return value[matched] === unit ? matched + 1 : matched;
  };
  for (let i = 1; i < value.length; i++) fallback[i] = grow(fallback[i - 1] as number, value[i]);
  return (text, from) => {
    let matched = 0;
    for (let at = Math.max(from, text.length - value.length + 1); at < text.length; at++)
      matched = grow(matched, text[at]);
    return text.length - matched;
  };
}
