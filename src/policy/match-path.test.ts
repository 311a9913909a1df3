import { expect } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { createPathTest, type PathTestOptions } from './match-path.ts';

const ROOT = { path: '/work/app', access: 'write', label: 'workspace' } as const;

/** A path below the root, or an absolute one; `real` where it leads when that is elsewhere. */
function factOf(path: string, real: string = path) {
  const absolute = (text: string) => (text.startsWith('/') ? text : `${ROOT.path}/${text}`);
  const place = { written: path, root: ROOT, exists: true, access: 'write' } as const;
  return { ...place, path: absolute(path), real: absolute(real) };
}

const matches = (specifier: string, path: string, options: Partial<PathTestOptions> = {}) =>
  createPathTest(specifier, { allows: true, cwd: ROOT.path, home: '/home/me', ...options })(factOf(path));

verifies('policy/paths', 'gitignore style', () => {
  for (const [specifier, path, expected] of [
    ['src/**', 'src/a/b.ts', true],
    ['src/**', 'src', true],
    ['src/**', 'lib/src/a.ts', false],
    ['src/**', 'srcx/a.ts', false],
    ['/src/**', 'src/a.ts', true],
    ['./src', 'src/a/b.ts', true],
    ['src/', 'src/a.ts', true],
    ['src/', 'lib/src/a.ts', true],
    ['*.md', 'a.md', true],
    ['*.md', 'docs/deep/a.md', true],
    ['*.md', 'a.mdx', false],
    ['.env', 'x/.env', true],
    ['.env', '.envrc', false],
    ['.env*', '.env.local', true],
    ['docs/*.md', 'docs/a.md', true],
    ['docs/*.md', 'docs/x/a.md', false],
    ['docs/**/*.md', 'docs/a.md', true],
    ['docs/**/*.md', 'docs/x/y/a.md', true],
    ['docs/**/x/*.md', 'docs/x/y/x/a.md', true],
    ['**/secret/**', 'a/secret/b', true],
    ['**/secret/**', 'a/secrets/b', false],
    ['a?.txt', 'ab.txt', true],
    ['a?.txt', 'a.txt', false],
    ['src/[id]/*', 'src/[id]/page.tsx', true],
    ['src/[id]/*', 'src/i/page.tsx', false],
    ['a\\*b', 'a*b', true],
    ['a\\*b', 'axb', false],
    ['//etc/**', '/etc/passwd', true],
    ['//etc/**', 'etc/passwd', false],
    ['~/x/*', '/home/me/x/y', true],
    ['~/x/*', '/home/you/x/y', false],
    ['**', '/work/app/a', true],
    ['**', '/elsewhere/a', false],
  ] as const) {
    expect(matches(specifier, path), `${specifier} ${path}`).toBe(expected);
  }
});

verifies('policy/paths', 'a rule that permits needs the written and the real path, one that forbids either', () => {
  const allow = createPathTest('src/**', { allows: true, cwd: ROOT.path });
  const deny = createPathTest('secret/**', { allows: false, cwd: ROOT.path });
  expect(allow(factOf('src/a', 'src/b'))).toBe(true);
  expect(allow(factOf('src/link', 'secret/key'))).toBe(false);
  expect(allow(factOf('link/a', 'src/a'))).toBe(false);
  expect(deny(factOf('src/link', 'secret/key'))).toBe(true);
  expect(deny(factOf('secret/link', 'src/a'))).toBe(true);
  expect(deny(factOf('src/a', 'src/b'))).toBe(false);
});

verifies('policy/paths', 'a workspace that is reached by a link is one place', () => {
  const allow = createPathTest('src/**', { allows: true, cwd: ROOT.path });
  const deny = createPathTest('secret/**', { allows: false, cwd: ROOT.path });
  expect(allow(factOf('src/a', '/data/app/src/a'))).toBe(true);
  expect(allow(factOf('src/a', '/data/app/other/a'))).toBe(false);
  expect(deny(factOf('secret/a', '/data/app/secret/a'))).toBe(true);
  expect(deny(factOf('/data/app/secret/a'))).toBe(true);
  expect(deny(factOf('src/a', '/data/app/src/a'))).toBe(false);
});

verifies('policy/paths', 'outside of the working folder a relative rule permits nothing', () => {
  expect(matches('src/**', '/work/added/src/a')).toBe(false);
  expect(matches('src/**', '/work/added/src/a', { allows: false })).toBe(true);
  expect(matches('*.md', '/work/app-evil/a.md')).toBe(false);
});

verifies(
  'policy/paths',
  'without a working folder the root of the path counts; without a home ~/ permits nothing',
  () => {
    expect(createPathTest('src/**', { allows: true })(factOf('src/a'))).toBe(true);
    expect(createPathTest('~/x', { allows: true })(factOf('/home/me/x'))).toBe(false);
    expect(createPathTest('~/x', { allows: false })(factOf('/home/me/x'))).toBe(true);
  },
);

verifies('policy/fast', 'hostile path patterns', () => {
  const began = performance.now();
  expect(matches(`${'**/a/'.repeat(40)}b`, `${'a/'.repeat(2_000)}c`)).toBe(false);
  expect(matches(`${'*a'.repeat(40)}b`, 'a'.repeat(4_000))).toBe(false);
  expect(performance.now() - began).toBeLessThan(1_000);
});
