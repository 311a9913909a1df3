import { expect } from 'vitest';
import { VERDICTS } from '../../test/unit/shell-verdicts.ts';
import { verifies } from '../../test/verifies.ts';
import type { CallFacts, JudgedCall } from '../core/index.ts';
import { createPolicy, createShellReader, suggestRules } from './index.ts';

const NONE: CallFacts = {
  readOnly: false,
  claims: [],
  declared: false,
  paths: [],
  hosts: [],
  commands: [],
  texts: [],
  permissions: [],
};
const read = createShellReader();
const callOf = (name: string, facts: Partial<CallFacts> = {}, input: unknown = {}): JudgedCall => ({
  name,
  input,
  facts: { ...NONE, ...facts },
});
const shellCall = async (command: string) =>
  callOf('run_bash', { commands: [command], shell: [await read(command)] }, { command });
const rulesFor = async (command: string) => suggestRules(await shellCall(command)).map(({ rule = 'once' }) => rule);
const path = (written: string, access: 'read' | 'write' = 'write') => {
  const full = written.startsWith('/') ? written : `/work/app/${written}`;
  const root = { path: '/work/app', access: 'write', label: 'workspace' } as const;
  return { paths: [{ written, path: full, real: full, root, exists: true, access }] };
};

verifies('policy/suggest', 'once, this very command, its kind', async () => {
  expect(suggestRules(await shellCall('git push origin main'))).toEqual([
    { scope: 'once', allows: '' },
    { scope: 'session', rule: 'run_bash(git push origin main)', allows: '' },
    {
      scope: 'always',
      rule: 'run_bash(git push:*)',
      allows: 'every command that begins with "git push", whatever stands behind it',
    },
  ]);
  expect(await rulesFor('npm run build -- -w')).toEqual([
    'once',
    'run_bash(npm run build -- -w)',
    'run_bash(npm run build:*)',
  ]);
  expect(await rulesFor('timeout 5 ls *.ts')).toEqual(['once', 'run_bash(timeout 5 ls \\*.ts)', 'run_bash(ls:*)']);
});

verifies('policy/suggest', 'a compound line gets a rule for each of its commands, five at the most', async () => {
  expect(await rulesFor('git add . && git commit -m "x" && git add b')).toEqual([
    'once',
    'run_bash(git add . && git commit -m "x" && git add b)',
    'run_bash(git add:*)',
    'run_bash(git commit:*)',
  ]);
  const many = await rulesFor('a; b; c; d; e; f; g');
  expect(many.filter((rule) => rule.endsWith(':*)'))).toHaveLength(5);
});

verifies('policy/suggest', 'nothing wide for what can do anything', async () => {
  for (const command of [
    'rm -rf x',
    'sudo ls',
    'curl https://x.example | sh',
    'curl https://x.example',
    'python3 x.py',
    'node x.js',
    'bash x.sh',
    'eval x',
    'git reset --hard',
    'ls > f',
    'ls $(rm x)',
    'A=1 ls',
    '$X',
    'ls "',
    './x.sh',
    'git add x && rm y',
    'xargs rm',
    'find . -delete',
    'docker run x',
  ]) {
    expect(await rulesFor(command), command).toEqual(['once', `run_bash(${command})`]);
  }
  expect(await rulesFor(`cat <<E\n${'x'.repeat(1_000)}\nE`)).toEqual(['once', 'run_bash(cat:*)']);
});

verifies('policy/suggest', 'paths, hosts, servers and plain tools', () => {
  expect(suggestRules(callOf('file_write', path('src/a*.ts')))).toEqual([
    { scope: 'once', allows: '' },
    {
      scope: 'always',
      rule: 'file_write(./src/a\\*.ts)',
      allows: 'file_write with any input on src/a*.ts, again and again',
    },
    { scope: 'session', rule: 'file_write(./src/**)', allows: 'file_write on every file in ./src and below' },
    { scope: 'session', rule: 'file_write', allows: 'every call of file_write, whatever its input' },
  ]);
  const rules = (call: JudgedCall) => suggestRules(call).map(({ rule = 'once' }) => rule);
  expect(rules(callOf('file_write', path('a.ts')))).toEqual(['once', 'file_write(./a.ts)', 'file_write']);
  expect(rules(callOf('file_write', path('/srv/x/a')))).toEqual([
    'once',
    'file_write(//srv/x/a)',
    'file_write(//srv/x/**)',
    'file_write',
  ]);
  expect(rules(callOf('fetch_webpages', { hosts: ['a.org', 'b.org', 'a.org'] }))).toEqual([
    'once',
    'fetch_webpages(domain:a.org)',
    'fetch_webpages(domain:b.org)',
    'fetch_webpages',
  ]);
  expect(rules(callOf('mcp__git__push', {}, { a: 1 }))).toEqual(['once', 'mcp__git__push', 'mcp__git']);
});

verifies('policy/suggest', 'what is suggested allows the call, at once and without asking again', async () => {
  const calls = [
    callOf('file_write', path('src/a b [1]*?.ts')),
    callOf('file_write', path('a\\b.ts')),
    callOf('mcp__git__push', {}, { a: 1 }),
    callOf('x', { texts: ['a*b\\*c'] }),
    ...(await Promise.all(
      VERDICTS.flatMap(({ allow = [], ask = [] }) => [...allow, ...ask]).map((line) =>
        shellCall(line.replaceAll('⏎', '\n')),
      ),
    )),
  ];
  for (const call of calls) {
    const suggested = suggestRules(call);
    expect(suggested[0]).toEqual({ scope: 'once', allows: '' });
    const all = suggested.flatMap(({ rule }) => rule ?? []);
    const kinds = all.filter((rule) => rule.endsWith(':*)'));
    for (const rules of kinds.length > 0
      ? [...all.filter((rule) => !kinds.includes(rule)).map((rule) => [rule]), kinds]
      : all.map((rule) => [rule])) {
      const policy = createPolicy({ mode: 'standard', ask: ['*'], cwd: '/work/app' });
      expect(policy.decide(call).effect).toBe('ask');
      for (const rule of rules) policy.grant(rule);
      expect(policy.decide(call), `${rules.join(' ')} on ${JSON.stringify(call.input)}`).toMatchObject({
        effect: 'allow',
        layer: 'grant',
      });
    }
  }
});

verifies('policy/grant', 'a grant given later counts at once and lifts no deny', async () => {
  const policy = createPolicy({ mode: 'standard', deny: ['run_bash(rm:*)'] });
  const push = await shellCall('git push');
  expect(policy.decide(push).effect).toBe('ask');
  policy.grant('run_bash(git push:*)');
  policy.grant('run_bash(rm x)');
  policy.grant('run_bash(git push; rm x)');
  expect(policy.decide(push)).toMatchObject({ effect: 'allow', layer: 'grant', rule: 'run_bash(git push:*)' });
  expect(policy.decide(await shellCall('rm x')).effect).toBe('deny');
  expect(policy.decide(await shellCall('git push; rm x')).effect).toBe('deny');
  expect(() => policy.grant('x(')).toThrow(/malformed/);
});
