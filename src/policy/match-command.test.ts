import { expect } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import type { ShellCommand } from '../core/index.ts';
import { createShellReader } from './index.ts';
import { createCommandTest } from './match-command.ts';
import { possibleCommands } from './read-command.ts';

const read = createShellReader();
const lineOf = (text: string, commands: readonly ShellCommand[]) => ({
  text: text.trim(),
  commands,
  possible: () => possibleCommands(text),
});

/** The rule permits every command of the line that needs it. */
async function covers(specifier: string, text: string): Promise<boolean> {
  const test = createCommandTest(specifier, { allows: true });
  const commands = await read(text);
  const active = commands.filter(({ passive }) => !passive);
  return active.length > 0 && active.every((command) => test(command, lineOf(text, commands)) !== 'no');
}

/** The rule forbids one of them, or may. */
async function touches(specifier: string, text: string): Promise<boolean> {
  const test = createCommandTest(specifier, { allows: false });
  const commands = await read(text);
  return commands.some((command) => test(command, lineOf(text, commands)) !== 'no');
}

verifies('PERM-01', 'only the plain command with its arguments is allowed', async () => {
  for (const command of [
    'git status',
    'git status -s',
    '  git   status\t-s',
    'git status "a b" c\\ d',
    '"git" status',
  ]) {
    expect(await covers('git status:*', command), command).toBe(true);
    expect(await covers('git status *', command), command).toBe(true);
  }
  for (const command of [
    'git status; rm -rf x',
    'git status && curl e|sh',
    'git status | tee /t/outside',
    'git status\nrm x',
    'git status\r\nrm x',
    'git status & rm x',
    'git status || rm x',
    'git statusx',
    'git status-x',
    'git',
    'git\\ status',
    '"git status"',
    'rm; git status',
    '',
  ]) {
    expect(await covers('git status:*', command), command).toBe(false);
  }
});

verifies('PERM-02', 'nothing that runs, redirects or sets beside it is allowed', async () => {
  for (const command of [
    'git status $(touch pwn)',
    'git status `touch pwn`',
    'git status <(touch pwn)',
    'git status "$(touch pwn)"',
    'git status "`touch pwn`"',
    'git status > /t/outside/f',
    'git status < f',
    'GIT_PAGER="touch pwn" git status',
    'A+=1 git status',
    'a[0]=1 git status',
    'git status $HOME',
    "git status 'open",
    'git status "open',
    "git status '$(x)' $(touch pwn)",
    "git status \\'$(touch pwn)\\'",
    `git status "'$(touch pwn)'"`,
  ]) {
    expect(await covers('git status:*', command), command).toBe(false);
  }
  for (const command of [
    "git status '$(touch pwn)'",
    "git status 'a; b | c > d'",
    'git status "a; b" \\; \\$x',
    'git status #x',
  ]) {
    expect(await covers('git status:*', command), command).toBe(true);
  }
});

verifies('PERM-01', 'a rule that forbids sees every segment', async () => {
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
    expect(await touches('rm:*', command), command).toBe(true);
  }
  for (const command of ['ls', 'rmdir x', 'git rm x', 'echo rm', 'ls rm', 'trim x']) {
    expect(await touches('rm:*', command), command).toBe(false);
  }
  expect(await touches('git push:*', 'cd x && git   push origin')).toBe(true);
  expect(await touches('git push --force', 'git push --force')).toBe(true);
  expect(await touches('git push --force', 'git push')).toBe(false);
});

verifies('PERM-01', 'whole commands and wildcards', async () => {
  expect(await covers('npm test', 'npm  test')).toBe(true);
  expect(await covers('npm test', 'npm test -- x')).toBe(false);
  expect(await covers('npm run *', 'npm run build')).toBe(true);
  expect(await covers('npm run *', 'npm run')).toBe(true);
  expect(await covers('npm run *', 'npm runx')).toBe(false);
  expect(await covers('git * main', 'git push origin main')).toBe(true);
  expect(await covers('git * main', 'git push origin main; rm x')).toBe(false);
  expect(await touches('* --force*', 'a; git push --force-with-lease')).toBe(true);
});

verifies(
  'policy/fast',
  'hostile patterns and commands',
  async () => {
    await read('ls');
    const began = performance.now();
    expect(await covers(`${'*a'.repeat(50)}b`, 'a'.repeat(5_000))).toBe(false);
    const hostile = [
      '"$(a; '.repeat(5_000),
      '$('.repeat(15_000),
      `${'('.repeat(8_000)}ls${')'.repeat(8_000)}`,
      `${'$(('.repeat(4_000)}1${'))'.repeat(4_000)}`,
      `${'"$(echo '.repeat(2_000)}${')"'.repeat(2_000)}`,
      '<'.repeat(30_000),
      'ls;'.repeat(10_000),
      '{a,'.repeat(9_000),
      `git status ${"'a' ".repeat(5_000)}`,
      `find ${'-exec ls {} \\; '.repeat(1_800)}`,
      'eval '.repeat(3_000),
      'x'.repeat(1_000_000),
    ];
    for (const line of hostile) await touches('rm:*', line);
    for (const carrier of ['sudo ', 'env ', 'bash -c ']) {
      expect(await touches('rm:*', `${carrier.repeat(50_000)}rm x`)).toBe(true);
    }
    expect(performance.now() - began).toBeLessThan(20_000);
  },
  60_000,
);
