import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect } from 'vitest';
import { verifies } from '../../../test/verifies.ts';
import { safeFileName, variantName } from './safe-file-name.ts';

const SAFE = /^[a-z0-9_][a-z0-9._-]*$/;
const sha = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 12);

verifies('PATH-11', 'odd ids have safe names, each its own', () => {
  const ids = [
    '',
    ' ',
    '.',
    '..',
    '...',
    '../../x',
    '../lead',
    '/etc/x',
    'a/b',
    'a\\b',
    'a_b',
    'a b',
    'A',
    'a',
    'con',
    'CON',
    'con.x',
    'nul',
    'com1',
    'a\u0000b',
    'a\u0000',
    '\ud800',
    '\udc00',
    'é',
    'e\u0301',
    '天',
    'call:1',
    'call_1',
    'call 1',
    '-rf',
    'rf',
    '.hidden',
    'hidden',
    'x.',
    'x',
    'a'.repeat(120),
    'a'.repeat(121),
    'a'.repeat(300),
    'a'.repeat(301),
    `a-${sha('A')}`,
    `_-${sha('')}`,
  ];
  const names = ids.map(safeFileName);
  expect(new Set(names).size).toBe(ids.length);
  for (const name of names) {
    expect(name).toMatch(SAFE);
    expect(name.length).toBeLessThanOrEqual(120);
    expect(name).not.toMatch(/\.$|^(con|nul|com1)(\.|$)/);
  }
  expect(['a', 'call_1', 'a.b-c', 'a'.repeat(120)].map(safeFileName)).toEqual([
    'a',
    'call_1',
    'a.b-c',
    'a'.repeat(120),
  ]);
  expect(safeFileName('A')).toBe(`a-${sha('A')}`);
  expect(safeFileName('../../x')).toBe(`_.._x-${sha('../../x')}`);
});

verifies('PATH-11', 'any two ids have different names, and the name of any id is its own only', () => {
  const id = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom('a', 'A', '/', '_', '.', '-', '\u0000', '\ud800', '0') }),
  );
  fc.assert(
    fc.property(id, id, (a, b) => {
      const [left, right] = [safeFileName(a), safeFileName(b)];
      expect(left).toMatch(SAFE);
      expect(left === right).toBe(a === b);
      if (left !== a) expect(safeFileName(left)).not.toBe(left);
      expect(variantName(a, 'hash')).not.toBe(right);
    }),
    { numRuns: 500, seed: 11 },
  );
});
