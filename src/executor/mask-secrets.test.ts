import fc from 'fast-check';
import { expect } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { createMasker } from './mask-secrets.ts';
import { createSecretFinder } from './secret-finder.ts';

/** Texts that the quick look is tried on; raise it for a long search. */
const RUNS = Number(process.env['TOOLWRIGHT_TEST_MASKS'] ?? 2_000);

const masker = createMasker({ values: ['hunter2-is-long', 'zzz', 'p@ss word with blanks'] });

/** Made up for this test, in the forms that providers use; none of them opens anything. */
const alnum = 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC2eF4hJ6kL8n';
const SECRETS = [
  `sk-${alnum}`,
  `sk-proj-${alnum}_${alnum}`,
  `ghp_${alnum.slice(0, 36)}`,
  `github_pat_${alnum}`,
  `glpat-${alnum.slice(0, 20)}`,
  'AKIAQ2W3E4R5T6Y7U8I9',
  `xoxb-123456789012-${alnum.slice(0, 24)}`,
  `AIza${alnum.slice(0, 35)}`,
  `npm_${alnum.slice(0, 36)}`,
  `eyJ${alnum.slice(0, 20)}.eyJ${alnum}.${alnum}`,
  'hunter2-is-long',
  'p@ss word with blanks',
];

/** The same text each time. */
function randomText(length: number, signs: string): string {
  let state = 42;
  return Array.from({ length }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return signs[Math.floor((state / 2 ** 31) * signs.length)];
  }).join('');
}

verifies('executor/mask', 'known values and forms are masked, wherever they stand', () => {
  for (const secret of SECRETS) {
    for (const text of [`before ${secret} after`, `key=${secret}\n`, `{"value":"${secret}"}`, `${secret}`]) {
      const masked = masker.mask(text);
      expect(masked).not.toContain(secret);
      expect(masked).toContain('[masked]');
    }
  }
  expect(masker.mask('Authorization: Bearer abc123def456ghi789')).toBe('Authorization: Bearer [masked]');
  expect(masker.mask('postgres://me:s3cret@db.example.org/x')).toBe('postgres://me:[masked]@db.example.org/x');
  expect(masker.mask('DB_PASSWORD="x8Kq2mZ9vT4w"')).toBe('DB_PASSWORD="[masked]"');
  const pem = `-----BEGIN RSA PRIVATE KEY-----\n${`${alnum}\n`.repeat(40)}-----END RSA PRIVATE KEY-----`;
  const shown = '-----BEGIN RSA PRIVATE KEY-----\n[masked]-----END RSA PRIVATE KEY-----';
  expect(masker.mask(`a\n${pem}\nb`)).toBe(`a\n${shown}\nb`);
  expect(masker.mask(JSON.stringify({ pem }))).not.toContain(alnum);
  expect(masker.mask(pem.replace(/^/gm, '  12|'))).not.toContain(alnum);
  expect(masker.mask('a zzz b')).toBe('a zzz b');
});

verifies('executor/mask', 'ordinary code and logs are left alone', () => {
  const lines = [
    'const token = await getToken(session);',
    'password: string; // the user types it',
    'if (token === undefined) throw new Error("no token");',
    'commit 3f2a9c1b7d8e4f5061728394a5b6c7d8e9f00112 (HEAD -> main)',
    'id 550e8400-e29b-41d4-a716-446655440000 took 12 ms',
    'sha512-q8s9kCkz0Kf2QeT8gk3n2m8wU0m8m1wQ3z6Fv6rJk2w5b8o1YxQ==',
    'https://example.org/a/b?key=value&token=next#top',
    'the secret of the basic understanding is repetition',
    'tokens: { input: 1200, output: 340 }',
    'apiKeyEnv: "OPENAI_API_KEY",',
    'Basic authentication-is-not-supported here',
    'task-sk-1 desk-top ask-user risk-free',
    '2026-12-01T00:42:26Z INFO key rotation done in 3s',
    'MONKEY_PATCH=true PASSENGERS=12',
  ];
  for (let i = 0; i < 10_000; i++) {
    const line = `${lines[i % lines.length]} ${i}`;
    expect(masker.mask(line)).toBe(line);
  }
});

verifies('executor/mask', 'hashes, ids and encoded data are left alone', () => {
  const data = randomText(40_000, 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/');
  const hex = randomText(40_000, '0123456789abcdef');
  for (const text of [
    `data:image/png;base64,${data}==`,
    ...Array.from({ length: 500 }, (_, i) => `${hex.slice(i, i + 40)} src/file-${i}.ts`),
    ...Array.from({ length: 500 }, (_, i) => `"integrity": "sha512-${data.slice(i, i + 86)}=="`),
    ...Array.from(
      { length: 500 },
      (_, i) => `id=${hex.slice(i, i + 8)}-${hex.slice(i + 8, i + 12)}-4abc-8def-${hex.slice(i, i + 12)}`,
    ),
  ]) {
    expect(masker.mask(text)).toBe(text);
  }
});

verifies('executor/mask', 'a secret is masked to its end, however long it is', () => {
  const long = randomText(9_000, 'ABCDEFGHabcdefgh01234567');
  for (const start of ['sk-', 'ghp_', 'Authorization: Bearer ', 'password=']) {
    expect(masker.mask(`${start}${long} after`)).toMatch(/^(Authorization: Bearer |password=)?\[masked\] after$/);
  }
  const value = `${long}\n"${long}"`;
  const own = createMasker({ values: [value] });
  expect(own.mask(`a ${value} b`)).toMatch(/^a (\[masked\])+ b$/);
  expect(own.mask(JSON.stringify({ value }))).toMatch(/^\{"value":"(\[masked\])+"\}$/);
  expect(own.mask(`?v=${encodeURIComponent(value)}&b`)).toMatch(/^\?v=(\[masked\])+&b$/);
});

const PARTS = [
  ...SECRETS,
  ...'sk- ghp_ AKIA xoxb- AIza eyJ .eyJ . : // :// user: @ = - B e a " \\n api_key token: password= Bearer'.split(' '),
  ...[
    'Authorization: Bearer ',
    '-----BEGIN PRIVATE KEY-----',
    '-----END PRIVATE KEY-----',
    'p@ss word',
    'hunter2',
    ' ',
    '\n',
    '-----BEGIN ',
  ],
];

verifies('executor/mask', 'a stream masks the same wherever it is cut', () => {
  const letters = fc.string({ unit: fc.constantFrom(...'abXYZ0189'), minLength: 1, maxLength: 70 });
  const text = fc.array(fc.oneof(fc.constantFrom(...PARTS), letters), { maxLength: 16 }).map((parts) => parts.join(''));
  const sizes = fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(text, sizes, (whole, cuts) => {
      const stream = masker.stream();
      let out = '';
      let at = 0;
      for (let i = 0; at < whole.length; i++) {
        const size = cuts[i % cuts.length] as number;
        out += stream.push(whole.slice(at, at + size));
        at += size;
      }
      expect(out + stream.end()).toBe(masker.mask(whole));
    }),
    { numRuns: 3_000 },
  );
});

verifies('executor/mask', 'a stream holds back only what may be the beginning of a secret', () => {
  const stream = masker.stream();
  for (const text of ['compiling 3 files\n', '.....', ' 50%\r', 'a line, ']) expect(stream.push(text)).toBe(text);
  expect(stream.push('3 files')).toBe('3 file');
  expect(stream.push(' done\n')).toBe('s done\n');
  const value = randomText(9_000, 'abcdefgh01234567');
  const passed = createMasker({ values: [value] }).stream();
  expect(passed.push(value.slice(0, 2_900))).toBe('');
  expect(passed.push(' was cut\n').length).toBe(2_909);
});

verifies('executor/mask', 'long text of one sign is no trap', () => {
  const began = performance.now();
  for (const sign of ['a', '-', '=', 'sk-', 'token', ' ']) masker.mask(sign.repeat(5_000_000 / sign.length));
  const stream = masker.stream();
  for (let i = 0; i < 300; i++) stream.push('a'.repeat(16_384));
  expect(performance.now() - began).toBeLessThan(20_000);
});

verifies('executor/mask', 'the quick look for beginnings passes over no secret that the whole forms find', () => {
  const finder = createSecretFinder(['hunter2-is-long', '12:34:56-value', '9876:abcd', 'été-à-la-mer', '://odd']);
  const fragment = fc.constantFrom(
    ...SECRETS,
    ...['password="', 'PASSWORD=', 'api_key: ', 'Authorization: Bearer ', 'basic ', '://user:', '@host', '12:34:56'],
    ...['123456789:', '12345678:', '1234567:', '1//0', 'sig=', '?sig=', 'SG.', '-----BEGIN RSA PRIVATE KEY-----\n'],
    ...['hooks.slack.com/services/', 'SK0123456789abcdef0123456789abcdef', alnum, alnum.slice(0, 35), 'été-à-la-mer'],
    ...['9876:abcd', '12:34:56-value', '"', ' ', '=', '\n', '\u{1f600}', '\ud800', 'x', '_', '7', ''],
  );
  const text = fc.array(fc.oneof(fragment, fc.string({ maxLength: 5 })), { maxLength: 12 }).map((all) => all.join(''));
  fc.assert(
    fc.property(text, fc.nat(40), (whole, from) => {
      const places = Array.from({ length: Math.max(0, whole.length - from) }, (_, index) => from + index);
      const expected = places.map((index) => finder.at(whole, index)).find((found) => found !== undefined);
      expect(finder.next(whole, from)).toEqual(expected);
    }),
    { numRuns: RUNS },
  );
});
