import type { Masker } from '../core/index.ts';

/** One step of a form: characters of a class, `min` to `max` of them. */
type Step = readonly [characters: string, min: number, max: number];

/**
 * How a kind of secret looks. `before` is shown, `secret` is masked together with all characters of `rest`
 * that follow, without end. Every step is bounded, so that a form is known by a short piece of text.
 */
interface Form {
  /** Characters that must not stand before it. */
  readonly border?: string;
  readonly before?: readonly Step[];
  readonly secret: readonly Step[];
  readonly after?: readonly Step[];
  readonly rest?: RegExp;
  /** Says of what `secret` matched whether it is one. */
  readonly isSecret?: (text: string) => boolean;
}

const MASK = '[masked]';
/** A shorter value is a word that stands in ordinary text too. */
const SHORTEST_VALUE = 8;
/** A longer value is looked for in pieces, so that a stream holds back less than 4 KB. */
const LONGEST_VALUE = 3_000;
/** Pieces that are joined at a time, so that a text full of secrets costs no more memory than one without. */
const JOINED_AT = 4_096;

const word = (text: string): Step[] =>
  [...text].map((letter) =>
    /[a-z]/.test(letter) ? [`[${letter}${letter.toUpperCase()}]`, 1, 1] : [escapeText(letter), 1, 1],
  );
const exactly = (text: string): Step[] => [...text].map((letter) => [escapeText(letter), 1, 1]);
const many = (characters: string, min: number, max = min): Step => [characters, min, max];

const TOKEN = '[A-Za-z0-9_-]';
const TOKEN_REST = /[A-Za-z0-9_-]*/y;
const OPAQUE = '[A-Za-z0-9+/=_.~-]';
const OPAQUE_REST = /[A-Za-z0-9+/=_.~-]*/y;
const ALNUM = 'A-Za-z0-9';

const token = (prefix: string, characters: string, min: number, isSecret?: Form['isSecret']): Form => ({
  border: `${ALNUM}_-`,
  secret: [...exactly(prefix), many(characters, min, 64)],
  rest: TOKEN_REST,
  ...(isSecret ? { isSecret } : {}),
});

const SEPARATOR: Step[] = [many('["\'\\\\]', 0, 2), many('[ \\t]', 0, 8), many('[:=]', 1), many('[ \\t]', 0, 8)];
const QUOTE = many('["\'\\\\]', 0, 2);
const ASSIGNED =
  'password passwd secret token apikey api_key api-key accesskey access_key access-key secretkey secret_key secret-key privatekey private_key private-key auth_key';

const FORMS: readonly Form[] = [
  token('sk-', TOKEN, 16, (text) => /^sk-[A-Za-z0-9]{16}/.test(text) || /\d/.test(text)),
  ...['sk_live_', 'rk_live_', 'npm_', 'hf_'].map((prefix) => token(prefix, '[A-Za-z0-9]', 20)),
  ...[...'pousr'].map((kind) => token(`gh${kind}_`, '[A-Za-z0-9]', 20)),
  token('github_pat_', '[A-Za-z0-9_]', 20),
  token('glpat-', TOKEN, 20),
  { border: `${ALNUM}+/`, secret: [...exactly('AKIA'), many('[A-Z0-9]', 16)], rest: /[A-Z0-9]*/y },
  { border: `${ALNUM}+/`, secret: [...exactly('ASIA'), many('[A-Z0-9]', 16)], rest: /[A-Z0-9]*/y },
  { border: `${ALNUM}_-`, secret: [...exactly('xox'), many('[a-z]', 1), ...exactly('-'), many('[A-Za-z0-9-]', 10)], rest: TOKEN_REST },
  { border: `${ALNUM}+/_-`, secret: [...exactly('AIza'), many(TOKEN, 35)], rest: TOKEN_REST },
  {
    border: `${ALNUM}_-`,
    secret: [...exactly('eyJ'), many(TOKEN, 8, 512), ...exactly('.eyJ'), many(TOKEN, 8)],
    rest: /[A-Za-z0-9_.-]*/y,
  },
  {
    border: ALNUM,
    before: [...word('authorization'), ...SEPARATOR, QUOTE, many('[A-Za-z]', 3, 10), many('[ \\t]', 1, 4)],
    secret: [many(OPAQUE, 8)],
    rest: OPAQUE_REST,
  },
  {
    border: ALNUM,
    before: [...word('bearer'), many('[ \\t]', 1, 4)],
    secret: [many(OPAQUE, 16, 64)],
    rest: OPAQUE_REST,
    isSecret: looksRandom,
  },
  ...ASSIGNED.split(' ').map(
    (name): Form => ({
      before: [...word(name), ...SEPARATOR, QUOTE],
      secret: [many(OPAQUE, 16, 64)],
      rest: OPAQUE_REST,
      isSecret: looksRandom,
    }),
  ),
  {
    before: [...exactly('://'), many('[^\\s:/?#@"\'`<>{}()]', 0, 64), ...exactly(':')],
    secret: [many('[^\\s:/?#@"\'`<>{}()]', 1, 256)],
    after: exactly('@'),
  },
  {
    before: [
      ...exactly('-----BEGIN '),
      many('[A-Z0-9 ]', 0, 32),
      ...exactly('PRIVATE KEY'),
      many('[A-Z ]', 0, 6),
      ...exactly('-----'),
    ],
    secret: [many('[\\s\\\\nr]', 1, 8), many('[A-Za-z0-9+/=:,. -]', 16)],
    rest: /(?:[A-Za-z0-9+/=\s\\:,.()|]|(?<=[A-Za-z0-9])(?<!\\[nr])-)*/y,
  },
];

/** Letters and digits as mixed as in a key or a hash, and not as in a name of code. */
function looksRandom(text: string): boolean {
  const changes = text.match(/[A-Za-z](?=\d)|\d(?=[A-Za-z])/g)?.length ?? 0;
  return changes >= 4;
}

/** Finds what a set of forms and values looks like in a text, and what might become it when more text comes. */
interface Finder {
  /** The first secret that begins at `from` or later. */
  next(text: string, from: number): Found | undefined;
  /** Where the earliest piece begins that reaches the end of the text and may be the start of a secret. */
  open(text: string, from: number): number;
}

interface Found {
  /** The part that is masked. */
  readonly start: number;
  readonly end: number;
  /** Where the whole match ends, and what it goes on with. */
  readonly after: number;
  readonly rest: RegExp | undefined;
  /** Where the whole match begins. */
  readonly index: number;
}

const escapeText = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
const source = (steps: readonly Step[] = []) => steps.map(([characters, min, max]) => `${characters}{${min},${max}}`).join('');
const border = (form: Form) => (form.border === undefined ? '' : `(?<![${form.border.replace(/[-/]/g, '\\$&')}])`);

/** Every beginning of a form that ends where the text ends. */
function partialSource(form: Form): string {
  const steps = [...(form.before ?? []), ...form.secret, ...(form.after ?? [])];
  const nested = steps.reduceRight((next, [characters, min, max]) => {
    const touches = `${characters}{${min === max ? 1 : Math.min(1, max)},${max}}$`;
    return next === '' ? touches : `(?:${touches}|${characters}{${min},${max}}(?:$|${next}))`;
  }, '');
  return `${border(form)}${nested}`;
}
