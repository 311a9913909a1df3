import fc from 'fast-check';
import { expect } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { describeIssues, parseArguments, parseInput } from './index.ts';

const NO_ARGUMENTS = { type: 'object', properties: {} };
const ONE_REQUIRED = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] };

for (const raw of [
  '',
  ' ',
  '\n\t',
  'null',
  ' null ',
  '""',
  '" "',
  '{}',
  ' {} ',
  '"{}"',
  '"null"',
  null,
  undefined,
  {},
]) {
  verifies('ARGS-01', `nothing, written as ${JSON.stringify(raw)}`, async () => {
    const parsed = parseArguments(raw);
    expect(parsed).toMatchObject({ ok: true, value: {}, repaired: false });
    if (!parsed.ok) return;
    expect(await parseInput(NO_ARGUMENTS, parsed.value)).toEqual({ ok: true, value: {} });
    const missing = await parseInput(ONE_REQUIRED, parsed.value);
    expect(missing).toMatchObject({ ok: false, issues: [{ path: '/path' }] });
    if (!missing.ok)
      expect(describeIssues('read', missing.issues, ONE_REQUIRED)).toMatch(/path: is required and missing/);
  });
}

verifies('ARGS-01', 'nothing is no answer while the arguments are still open', () => {
  for (const raw of ['', ' ', undefined, null]) {
    expect(parseArguments(raw, { finished: false })).toMatchObject({
      ok: false,
      error: { code: 'invalid_json', message: expect.stringContaining('cut off') },
    });
  }
});

verifies('ARGS-02', 'doubly encoded arguments are decoded, and it is no guess', () => {
  expect(parseArguments('"{\\"path\\":\\"a\\"}"')).toMatchObject({ ok: true, value: { path: 'a' }, repaired: false });
  expect(parseArguments(JSON.stringify(JSON.stringify({ path: 'a' })))).toMatchObject({
    ok: true,
    value: { path: 'a' },
  });
  expect(parseArguments('"{\\"path\\":\\"a\\"}"')).toHaveProperty('note');
  let often = '{"a":1}';
  for (let i = 0; i < 20; i++) often = JSON.stringify(often);
  expect(parseArguments(often)).toMatchObject({ ok: false });
});

/** Fences, comments and trailing commas say nothing; whatever else is mended is a guess. */
const isGuess = (text: string) => {
  const bare = text.replace(/```(?:json)?|\/\*.*?\*\/| (?:\/\/|#) c(?=\n)|,\s*(?=[}\]])/g, '');
  try {
    return JSON.parse(bare) === undefined;
  } catch {
    return true;
  }
};

const mended: readonly [text: string, value: unknown][] = [
  ['{"a":1,}', { a: 1 }],
  ['{"a":[1,2,],}', { a: [1, 2] }],
  ["{'a':1}", { a: 1 }],
  ["{'a':'it\\'s \"x\"'}", { a: 'it\'s "x"' }],
  ['{"a":True,"b":None,"c":False}', { a: true, b: null, c: false }],
  ['{"a":"x\ny"}', { a: 'x\ny' }],
  ['{"a":"x\r\n\ty"}', { a: 'x\r\n\ty' }],
  ['{"re":"\\*"}', { re: '\\*' }],
  ['{"re":"\\d+\\.\\w"}', { re: '\\d+\\.\\w' }],
  ['{"a":"it\\\'s"}', { a: "it's" }],
  ['```json\n{"a":1}\n```', { a: 1 }],
  ['```\n{"a":1}\n```\n', { a: 1 }],
  ['{"a":1 // c\n}', { a: 1 }],
  ['{"a":1, # c\n"b":2}', { a: 1, b: 2 }],
  ['{/* c */"a":1}', { a: 1 }],
  ['{a:1, b_c:2}', { a: 1, b_c: 2 }],
  ['\ufeff{"a":1}', { a: 1 }],
  ['{"url":"http://x/y" , }', { url: 'http://x/y' }],
  ['{"code":"a // not a comment",}', { code: 'a // not a comment' }],
  ["{'content':'{\"x\": True}'}", { content: '{"x": True}' }],
];

for (const [text, value] of mended) {
  verifies('ARGS-03', `mended with a note: ${JSON.stringify(text)}`, () => {
    const parsed = parseArguments(text);
    expect(parsed).toEqual({ ok: true, value, repaired: isGuess(text), note: expect.stringMatching(/mended \(.+\)/) });
    expect(parseArguments(text, { finished: false })).toMatchObject({ ok: false, error: { code: 'invalid_json' } });
  });
}

const refused: readonly [text: string, at: number][] = [
  ['{"a":1', 6],
  ['{"a":"x', 5],
  ['{"a":[1,2}', 9],
  ['{"a":1]}', 6],
  ['{"a" 1}', 5],
  ['{"a":1 "b":2}', 7],
  ['{"a":hello}', 5],
  ['{"a":"say "hi" x"}', 11],
  ['{"a":01}', 5],
  ['{"a":NaN}', 5],
  ['{"a":undefined}', 5],
  ['{"a":1.}', 5],
  ['{"a":}', 5],
  ['{,}', 1],
  ['{"a":1,,}', 7],
  ['{"a":1,...}', 7],
  ['{"x":1}{"x":2}', 7],
  ['{"a":1} and more', 8],
  ['run it', 0],
  ["{'a':'it's'}", 9],
];

for (const [text, at] of refused) {
  verifies('ARGS-03', `refused with its position: ${text}`, () => {
    const parsed = parseArguments(text);
    expect(parsed).toMatchObject({
      ok: false,
      error: { code: 'invalid_json', retryable: false, hint: expect.any(String) },
    });
    if (!parsed.ok) expect(parsed.error.message).toContain(`position ${at} (line 1, column ${at + 1})`);
  });
}

verifies('ARGS-03', 'a root that is no object is told what is needed', () => {
  for (const [raw, kind] of [
    ['[1]', 'an array'],
    ['5', 'a number'],
    ['true', 'a boolean'],
    ['"hello"', 'a string'],
    [[1], 'an array'],
    [7, 'a number'],
  ] as const) {
    const parsed = parseArguments(raw);
    expect(parsed).toMatchObject({ ok: false, error: { code: 'invalid_json' } });
    if (!parsed.ok) expect(parsed.error.message).toMatch(new RegExp(`must be a JSON object, and ${kind}`));
  }
});

verifies('ARGS-03', 'an object is taken as it is; what is complete is taken though the reply was cut', () => {
  const object = { a: [1] };
  expect(parseArguments(object)).toEqual({ ok: true, value: object, repaired: false });
  expect(parseArguments('{"a":[1]}', { finished: false })).toEqual({ ok: true, value: object, repaired: false });
});

verifies('ARGS-03', 'no text cut short is ever mended into arguments', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { minKeys: 1 }), fc.nat(), (object, cut) => {
      const text = JSON.stringify(object);
      const part = text.slice(0, 1 + (cut % (text.length - 1)));
      expect(parseArguments(part)).toMatchObject({ ok: false });
    }),
    { numRuns: 300, seed: 7 },
  );
});

verifies('ARGS-03', 'the dress that JSON comes in changes no value', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { minKeys: 1 }), (object) => {
      const plain = JSON.parse(JSON.stringify(object)) as Record<string, unknown>;
      fc.pre(!JSON.stringify(plain).includes('__proto__'));
      const dressed = `\`\`\`json\n${JSON.stringify(plain, null, 2).replaceAll(/([^{[,])\n(\s*[}\]])/g, '$1, // end\n$2')}\n\`\`\``;
      expect(parseArguments(dressed)).toMatchObject({ ok: true, value: plain, repaired: false });
    }),
    { numRuns: 200, seed: 7 },
  );
});

verifies('ARGS-03', 'depth, size, repeated keys and cycles never crash', () => {
  expect(parseArguments('['.repeat(10_000))).toMatchObject({ ok: false });
  expect(parseArguments(`{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`)).toMatchObject({ ok: false });
  expect(parseArguments('{"a":'.repeat(10_000))).toMatchObject({ ok: false });
  expect(parseArguments('{"a":1,"a":2}')).toMatchObject({ ok: true, value: { a: 2 } });
  const cyclic: Record<string, unknown> = {};
  cyclic['self'] = cyclic;
  expect(parseArguments(cyclic)).toMatchObject({ ok: false });
  const long = `{"a":"${'x\n'.repeat(100_000)}"}`;
  expect(parseArguments(long)).toMatchObject({
    ok: false,
    error: { message: expect.stringContaining('too many to be mended') },
  });
  expect(parseArguments(`{"a":"${'x'.repeat(500_000)}"}`)).toMatchObject({ ok: true });
});

verifies('ARGS-03', 'a field named __proto__ is left out at any depth and said', () => {
  const parsed = parseArguments('{"__proto__":{"admin":true},"a":[{"\\u005f_proto__":1,"b":2}],"constructor":3}');
  expect(parsed).toMatchObject({ ok: true, repaired: false, note: expect.stringContaining('__proto__') });
  if (parsed.ok) expect(JSON.stringify(parsed.value)).toBe('{"a":[{"b":2}],"constructor":3}');
  expect(({} as Record<string, unknown>)['admin']).toBeUndefined();
});

verifies('ARGS-03', 'the error is short however long the text', () => {
  const parsed = parseArguments(`${'x'.repeat(100_000)}`);
  expect(parsed.ok || parsed.error.message.length).toBeLessThan(400);
  const cut = parseArguments(`{"a":"${'x'.repeat(100_000)}`, { finished: false });
  expect(cut.ok || cut.error.message.length).toBeLessThan(400);
});
