/** Characters of a class, `min` to `max` of them. */
export type Step = readonly [characters: string, min: number, max: number];

/**
 * How a kind of secret looks: bounded steps, so that a short piece of text tells whether it is one. `before`
 * and `after` stay readable; `secret` is masked, and with it all of `rest` that follows, without end.
 */
export interface SecretForm {
  /** Characters (of a class) that must not stand right before it. */
  readonly border?: string;
  readonly before?: readonly Step[];
  readonly secret: readonly Step[];
  /** Three classes in a row that tell it where its first three characters say too little; digits alone stand before. */
  readonly told?: readonly [string, string, string];
  readonly after?: readonly Step[];
  /** Sticky, one match at most `REST_AT_ONCE` long; looks back no further than four characters. */
  readonly rest?: RegExp;
  /** The last word on what `secret` matched. */
  readonly isSecret?: (secret: string) => boolean;
}

/** How much of a rest is read in one match: a longer one would cost the regular expression its stack. */
export const REST_AT_ONCE = 4_096;

export const escapeText = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

const some = (characters: string, min: number, max: number = min): Step => [characters, min, max];
const exactly = (text: string) => [...text].map((letter) => some(escapeText(letter), 1));
const inAnyCase = (text: string) =>
  [...text].map((letter) => some(/[a-z]/.test(letter) ? `[${letter}${letter.toUpperCase()}]` : escapeText(letter), 1));
const restOf = (characters: string) => new RegExp(`${characters}{0,${REST_AT_ONCE}}`, 'y');

const ALNUM = 'A-Za-z0-9';
const WORD = 'A-Za-z0-9_-';
const CREDENTIAL = '[A-Za-z0-9+/=_.~-]';
const CREDENTIAL_IN_URL = '[A-Za-z0-9+/=_.~%-]';
const PASSWORD = '[A-Za-z0-9+/=_.~!@#%^*-]';
const IN_URL = '[^\\s:/?#@"\'`<>{}()]';

const BLANKS = some('[ \\t]', 0, 8);
const QUOTES = some('["\'\\\\]', 0, 2);
const IS = [QUOTES, BLANKS, some('[:=]', 1, 2), BLANKS, QUOTES];

const QUOTE = some('["\'\\\\]', 1, 2);
const QUOTED = [QUOTES, BLANKS, some('[:=]', 1, 2), BLANKS, QUOTE];

const KEY_NAMES = ['api', 'access', 'secret', 'private', 'auth', 'account'].flatMap((kind) => [
  `${kind}key`,
  `${kind}_key`,
  `${kind}-key`,
]);
const NAMES = ['password', 'passwd', 'pwd', 'secret', 'token', ...KEY_NAMES];

/** A key that is known by how it begins. */
function prefixed(prefix: string, characters: string, min: number, isSecret?: SecretForm['isSecret']): SecretForm {
  const secret = [...exactly(prefix), some(`[${characters}]`, min, Math.max(64, min))];
  return { border: WORD, secret, rest: restOf(`[${characters}]`), ...(isSecret ? { isSecret } : {}) };
}

export const SECRET_FORMS: readonly SecretForm[] = [
  prefixed('sk-', WORD, 16, (text) => /^sk-[A-Za-z0-9]{16}/.test(text) || /\d/.test(text)),
  ...['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_', 'whsec_', 'npm_', 'hf_', 'dop_v1_', 'shpat_'].map((prefix) =>
    prefixed(prefix, ALNUM, 20),
  ),
  ...['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'].map((prefix) => prefixed(prefix, ALNUM, 20)),
  ...['github_pat_', 'glpat-', 'gldt-', 'glrt-', 'ya29.', 'GOCSPX-', 'pypi-AgE', 'dckr_pat_', 'hvs.', 'xapp-'].map(
    (prefix) => prefixed(prefix, WORD, 20, mixed),
  ),
  prefixed('1//0', WORD, 30, mixed),
  { ...prefixed('SK', '0-9a-f', 32), border: `${ALNUM}+/_-` },
  {
    border: ALNUM,
    before: [some('[0-9]', 8, 10), ...exactly(':')],
    told: ['[0-9]', '[0-9]', ':'],
    secret: [some(`[${WORD}]`, 35, 64)],
    rest: restOf(`[${WORD}]`),
    isSecret: (text) => /[a-z]/.test(text) && /[A-Z]/.test(text) && /\d/.test(text),
  },
  {
    before: exactly('hooks.slack.com/services/'),
    secret: [some(`[${ALNUM}/]`, 20, 96)],
    rest: restOf(`[${ALNUM}/]`),
  },
  {
    before: [some('[?&]', 1), ...exactly('sig=')],
    secret: [some(CREDENTIAL_IN_URL, 30, 96)],
    rest: restOf(CREDENTIAL_IN_URL),
  },
  ...['AKIA', 'ASIA'].map((prefix) => ({ ...prefixed(prefix, 'A-Z0-9', 16), border: ALNUM })),
  {
    border: WORD,
    secret: [...exactly('xox'), some('[a-z]', 1), ...exactly('-'), some(`[${WORD}]`, 10)],
    rest: restOf(`[${WORD}]`),
  },
  { border: `${ALNUM}+/_-`, secret: [...exactly('AIza'), some(`[${WORD}]`, 35)], rest: restOf(`[${WORD}]`) },
  {
    border: WORD,
    secret: [...exactly('SG.'), some(`[${WORD}]`, 16, 64), ...exactly('.'), some(`[${WORD}]`, 16)],
    rest: restOf(`[${WORD}]`),
  },
  {
    border: WORD,
    secret: [...exactly('eyJ'), some(`[${WORD}]`, 8, 1_024), ...exactly('.eyJ'), some(`[${WORD}]`, 8)],
    rest: restOf('[A-Za-z0-9_.-]'),
  },
  {
    before: [...inAnyCase('authorization'), ...IS, some('[A-Za-z]', 3, 10), some('[ \\t]', 1, 4)],
    secret: [some(CREDENTIAL, 8)],
    rest: restOf(CREDENTIAL),
  },
  ...['bearer', 'basic'].map((scheme) => ({
    border: ALNUM,
    before: [...inAnyCase(scheme), some('[ \\t]', 1, 4)],
    secret: [some(CREDENTIAL, 16, 64)],
    rest: restOf(CREDENTIAL),
    isSecret: (text: string) => /\d/.test(text) || /[a-z][A-Z]/.test(text),
  })),
  ...['password', 'passwd', 'pwd'].map((name) => ({
    before: [...inAnyCase(name), ...QUOTED],
    secret: [some(PASSWORD, 8, 64)],
    after: [some('["\'\\\\]', 1)],
    isSecret: (text: string) => mixed(text) || looksRandom(text),
  })),
  ...NAMES.map((name) => ({
    before: [...exactly(name.toUpperCase()), ...exactly('=')],
    secret: [some(PASSWORD, 8, 64)],
    rest: restOf(PASSWORD),
    isSecret: (text: string) => mixed(text) && !/^[./]/.test(text),
  })),
  ...NAMES.map((name) => ({
    before: [...inAnyCase(name), ...IS],
    secret: [some(PASSWORD, 12, 64)],
    rest: restOf(PASSWORD),
    isSecret: looksRandom,
  })),
  {
    before: [...exactly('://'), some(IN_URL, 0, 64), ...exactly(':')],
    secret: [some(IN_URL, 1, 256)],
    after: exactly('@'),
  },
  {
    before: [
      ...exactly('-----BEGIN '),
      some('[A-Z0-9 ]', 0, 32),
      ...exactly('PRIVATE KEY'),
      some('[A-Z ]', 0, 6),
      ...exactly('-----'),
      some('[\\s\\\\nr]', 1, 8),
    ],
    secret: [some('[A-Za-z0-9+/=:,.|\\t\u2192 -]', 16)],
    rest: restOf('(?:[A-Za-z0-9+/=\\s\\\\:,.()|\u2192]|(?<=[A-Za-z0-9])(?<!\\\\[nr])-)'),
  },
];

/** Letters and digits mixed as in a key, and not as in a name or a path of code. */
function looksRandom(text: string): boolean {
  if ((text.match(/[A-Za-z](?=\d)|\d(?=[A-Za-z])/g)?.length ?? 0) >= 4) return true;
  const changes = text.match(/[a-z](?=[A-Z\d])|[A-Z](?=[a-z\d])|\d(?=[A-Za-z])/g)?.length ?? 0;
  return /\d/.test(text) && !/[./_-]/.test(text) && changes >= text.length / 2;
}

function mixed(text: string): boolean {
  return /\d/.test(text) && /[A-Za-z]/.test(text);
}
