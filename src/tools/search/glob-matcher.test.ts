import fc from 'fast-check';
import { expect } from 'vitest';
import { verifies } from '../../../test/verifies.ts';
import { createGlobMatcher } from './glob-matcher.ts';

const CASES: readonly [pattern: string, fits: readonly string[], not: readonly string[]][] = [
  ['*.ts', ['a.ts', 'b.c.ts'], ['a/b.ts', '.a.ts', 'a.tsx']],
  ['**/*.ts', ['a.ts', 'a/b/c.ts'], ['.git/a.ts', 'a/.b.ts']],
  ['src/**', ['src/a', 'src/a/b'], ['srcx/a', 'src', 'a/src/b']],
  ['src/', ['src/a/b'], ['src']],
  ['./src/*.js', ['src/a.js'], ['src/b/a.js']],
  ['a/**/b', ['a/b', 'a/x/b', 'a/x/y/b'], ['a/xb', 'b']],
  ['**/a/**/b/*.c', ['a/b/x.c', 'q/a/r/b/x.c'], ['a/x.c', 'a/b/q/x.c']],
  ['?.[ch]', ['a.c', '.h.c'.slice(1)], ['ab.c', 'a.d']],
  ['[!a-c]x', ['dx', 'zx'], ['ax', 'bx']],
  ['[^a]x', ['bx'], ['ax']],
  ['[a-]x', ['ax', '-x'], ['bx']],
  ['[]a]x', [']x', 'ax'], ['bx']],
  ['*.{js,ts}', ['a.js', 'a.ts'], ['a.jsx', 'a.{js,ts}x']],
  ['{a,b{c,d}}/x', ['a/x', 'bc/x', 'bd/x'], ['b/x']],
  ['{a/b,c}/x', ['a/b/x', 'c/x'], ['a/x']],
  ['src/app/[id]/*', ['src/app/[id]/page.tsx', 'src/app/i/x'], ['src/app/x/page.tsx']],
  ['src/app/\\[id\\]/*', ['src/app/[id]/page.tsx'], ['src/app/i/x']],
  ['src/(auth)/**', ['src/(auth)/a.ts'], ['src/auth/a.ts']],
  ['src/{x}/b.ts', ['src/{x}/b.ts'], ['src/x/b.ts']],
  ['a+b!.txt', ['a+b!.txt'], ['aab!.txt']],
  ['[...slug].tsx', ['[...slug].tsx', 's.tsx'], ['x.tsx']],
  ['.env*', ['.env', '.env.local'], ['env']],
  ['a\\*b', ['a*b'], ['axb']],
  ['*', ['a'], ['.a', 'a/b']],
];

for (const [pattern, fits, not] of CASES) {
  verifies('search/glob', pattern, () => {
    const matches = createGlobMatcher(pattern);
    for (const path of fits) expect([path, matches(path)]).toEqual([path, true]);
    for (const path of not) expect([path, matches(path)]).toEqual([path, false]);
  });
}

verifies('search/glob', 'dot lets wildcards fit hidden names', () => {
  const matches = createGlobMatcher('**/*', { dot: true });
  expect(['.a', 'a/.b/c', '.a/.b'].map(matches)).toEqual([true, true, true]);
});

verifies('search/glob', 'a path fits itself whatever signs are in it', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.string({ minLength: 1 }).filter((name) => !/[/\0]/.test(name)),
        { minLength: 1 },
      ),
      (names) => {
        const path = names.join('/');
        fc.pre(!names.includes('.') && !names.includes('**'));
        expect(createGlobMatcher(path)(path)).toBe(true);
      },
    ),
  );
});

verifies('search/glob', 'hostile patterns take no time', () => {
  const began = performance.now();
  createGlobMatcher(`${'*a'.repeat(200)}b`)('a'.repeat(5_000));
  createGlobMatcher(`${'**/'.repeat(100)}x`)('a/'.repeat(2_000));
  createGlobMatcher('{a,b}'.repeat(30))('a'.repeat(30));
  createGlobMatcher('{'.repeat(5_000))('x');
  expect(performance.now() - began).toBeLessThan(3_000);
});
