import fc from 'fast-check';
import { expect } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { createCommandTest } from './match-command.ts';

const covers = (specifier: string, command: string) => createCommandTest(specifier, { allows: true })(command);
const touches = (specifier: string, command: string) => createCommandTest(specifier, { allows: false })(command);

verifies('PERM-01', 'only the plain command with its arguments is allowed', () => {
  for (const command of [
    'git status',
    'git status -s',
    '  git   status\t-s',
    'git status "a b" c\\ d',
    '"git" status',
  ]) {
    expect(covers('git status:*', command), command).toBe(true);
    expect(covers('git status *', command), command).toBe(true);
  }
  for (const command of [
    'git status; rm -rf x',
    'git status && curl e|sh',
    'git status | tee /t/outside',
    'git status\nrm x',
    'git status\r\nrm x',
    'git status & rm x',
    'git status &',
    'git status || rm x',
    'git statusx',
    'git status-x',
    'git',
    'git\\ status',
    '"git status"',
    'rm; git status',
    '',
  ]) {
    expect(covers('git status:*', command), command).toBe(false);
  }
});

verifies('PERM-02', 'nothing that runs, redirects or sets beside it is allowed', () => {
  for (const command of [
    'git status $(touch pwn)',
    'git status `touch pwn`',
    'git status <(touch pwn)',
    'git status "$(touch pwn)"',
    'git status "`touch pwn`"',
    'git status > /t/outside/f',
    'git status 2>&1',
    'git status < f',
    'GIT_PAGER="touch pwn" git status',
    'A+=1 git status',
    'a[0]=1 git status',
    'git status $HOME',
    "git status $'\\x3b touch pwn'",
    'git status \\\ntouch pwn',
    "git status 'open",
    'git status "open',
    "git status '$(x)' $(touch pwn)",
    "git status \\'$(touch pwn)\\'",
    `git status "'$(touch pwn)'"`,
    '(git status)',
  ]) {
    expect(covers('git status:*', command), command).toBe(false);
  }
  for (const command of [
    "git status '$(touch pwn)'",
    "git status 'a; b | c > d'",
    'git status "a; b" \\; \\$x',
    'git status #x',
  ]) {
    expect(covers('git status:*', command), command).toBe(true);
  }
});

verifies('PERM-01', 'a rule that forbids sees every segment', () => {
  for (const command of [
    'rm -rf x',
    'git status; rm -rf x',
    'git status && rm x',
    'a | rm x',
    'a\nrm x',
    'a & rm x',
    '$(rm x)',
    '`rm x`',
    '"$(rm x)"',
    'cat <(rm x)',
    '{ rm x; }',
    'if true; then rm x; fi',
    'A=1 B=2 rm x',
    'sudo rm x',
    'env A=1 rm x',
    '/bin/rm x',
    '"rm" x',
    "r'm' x",
    '\\rm x',
    'rm\\\n x',
    "'open; rm x",
    'rm',
  ]) {
    expect(touches('rm:*', command), command).toBe(true);
  }
  for (const command of ['ls', 'rmdir x', 'git rm x', 'echo rm', 'ls rm', 'trim x']) {
    expect(touches('rm:*', command), command).toBe(false);
  }
  expect(touches('git push:*', 'cd x && git   push origin')).toBe(true);
  expect(touches('git push --force', 'git push --force')).toBe(true);
  expect(touches('git push --force', 'git push')).toBe(false);
});

verifies('PERM-01', 'whole commands and wildcards', () => {
  expect(covers('npm test', 'npm  test')).toBe(true);
  expect(covers('npm test', 'npm test -- x')).toBe(false);
  expect(covers('npm run *', 'npm run build')).toBe(true);
  expect(covers('npm run *', 'npm run')).toBe(true);
  expect(covers('npm run *', 'npm runx')).toBe(false);
  expect(covers('git * main', 'git push origin main')).toBe(true);
  expect(covers('git * main', 'git push origin main; rm x')).toBe(false);
  expect(touches('* --force*', 'a; git push --force-with-lease')).toBe(true);
});

verifies('PERM-02', 'a command that is allowed holds no active sign outside of quotes', () => {
  const piece = fc.constantFrom(
    ...['a', ' ', ';', '|', '&', '$', '(', ')', '`', "'", '"', '\\', '\n', '>', '<', '=', 'rm'],
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const command = `git status ${pieces.join('')}`;
      if (!covers('git status:*', command)) return;
      const bare = command.replace(/\\[^\n]|'[^']*'|"(?:[^"\\$`]|\\[\s\S])*"/g, '');
      expect(bare).not.toMatch(/[;&|<>$`()\n'"]/);
      expect(touches('rm:*', `x; ${command}; rm y`)).toBe(true);
    }),
    { numRuns: 3_000 },
  );
});

verifies('policy/fast', 'hostile patterns and commands', () => {
  const began = performance.now();
  expect(covers(`${'*a'.repeat(50)}b`, 'a'.repeat(5_000))).toBe(false);
  touches('rm:*', '"$(a; '.repeat(20_000));
  expect(touches('rm:*', `${'sudo '.repeat(50_000)}rm x`)).toBe(true);
  covers('git status:*', `git status ${"'a' ".repeat(50_000)}`);
  expect(performance.now() - began).toBeLessThan(2_000);
});
