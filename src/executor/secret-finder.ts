import { escapeText, SECRET_FORMS, type SecretForm, type Step } from './secret-forms.ts';

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
  const whole = new RegExp(sources.join('|'), 'g');
  const begun = new RegExp(SECRET_FORMS.map(begunSourceOf).join('|'), 'g');
  const openValues = byLength.map(createOpenValue);

  return {
    next(text, from) {
      whole.lastIndex = from;
      for (let match = whole.exec(text); match; match = whole.exec(text)) {
        const at = forms.findIndex((_form, index) => match?.[2 * index + 2] !== undefined);
        const secret = match[2 * at + 2] ?? '';
        const form = forms[at];
        const start = match.index + (match[2 * at + 1]?.length ?? 0);
        if (!form?.isSecret || form.isSecret(secret)) {
          return { index: match.index, start, end: start + secret.length, rest: form?.rest };
        }
        whole.lastIndex = match.index + 1;
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
