import { expect } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import type { CallFacts, JudgedCall } from '../core/index.ts';
import { createExecutor } from '../executor/index.ts';
import { createExecutionSession } from '../testing/execution-session.ts';
import { createVirtualClock } from '../testing/virtual-clock.ts';
import { createPolicy, type PolicyOptions } from './index.ts';

const FACTS: CallFacts = {
  readOnly: false,
  claims: [],
  declared: false,
  paths: [],
  hosts: [],
  commands: [],
  texts: [],
  permissions: [],
};

/** Plain commands, as the reader of shell lines would give them. */
const commands = (...lines: string[]): Partial<CallFacts> => ({
  commands: lines,
  shell: lines.map((line) => [{ words: line.split(' ') }]),
});

const callOf = (name: string, facts: Partial<CallFacts> = {}): JudgedCall => ({
  name,
  input: {},
  facts: { ...FACTS, ...facts },
});

const effectOf = (options: Partial<PolicyOptions>, name: string, facts: Partial<CallFacts> = {}) =>
  createPolicy({ mode: 'standard', ...options }).decide(callOf(name, facts)).effect;

verifies('PERM-04', 'the order in which the rules are written changes nothing', () => {
  const rules = { deny: ['file_write'], allow: ['*'], ask: ['file_*'] };
  for (const order of [
    ['deny', 'allow', 'ask'],
    ['deny', 'ask', 'allow'],
    ['allow', 'deny', 'ask'],
    ['allow', 'ask', 'deny'],
    ['ask', 'deny', 'allow'],
    ['ask', 'allow', 'deny'],
  ] as const) {
    const options = Object.fromEntries(order.map((effect) => [effect, rules[effect]]));
    for (const mode of ['open', 'standard', 'strict'] as const) {
      const policy = createPolicy({ mode, ...options });
      const effects = ['file_write', 'file_edit', 'read_file'].map((name) => policy.decide(callOf(name)).effect);
      expect(effects).toEqual(['deny', 'ask', 'allow']);
    }
  }
});

verifies('PERM-04', 'within one list as well', () => {
  for (const deny of [
    ['a', 'file_write'],
    ['file_write', 'a'],
  ])
    expect(effectOf({ deny, allow: ['*', 'file_write', 'file_*'] }, 'file_write')).toBe('deny');
});

verifies('PERM-04', 'allow-first turns ask and allow round, and deny stays first', () => {
  const options = { precedence: 'allow-first', allow: ['file_*'], ask: ['*'], deny: ['file_write'] } as const;
  const policy = createPolicy({ mode: 'open', ...options });
  const effects = ['file_write', 'file_edit', 'run_bash'].map((name) => policy.decide(callOf(name)).effect);
  expect(effects).toEqual(['deny', 'allow', 'ask']);
});

verifies('PERM-04', 'an ask says what would allow it, so that it can be refused with that when nobody is there', () => {
  const byMode = createPolicy({ mode: 'standard' }).decide(callOf('file_write'));
  expect(byMode).toMatchObject({ effect: 'ask', layer: 'mode' });
  const byRule = createPolicy({ mode: 'open', ask: ['file_*'] }).decide(callOf('file_edit'));
  expect(byRule).toMatchObject({ effect: 'ask', layer: 'rules', rule: 'file_*' });
  const strict = createPolicy({ mode: 'strict' }).decide(callOf('read_file', { readOnly: true }));
  expect(strict).toMatchObject({ effect: 'deny', layer: 'mode' });
  expect(strict.reason).toContain('add read_file to permissions.allow');
});

verifies('policy/mode', 'what each mode does where no rule speaks', () => {
  const effects = (readOnly: boolean) =>
    (['open', 'standard', 'strict'] as const).map((mode) => effectOf({ mode }, 'x', { readOnly }));
  expect(effects(true)).toEqual(['allow', 'allow', 'deny']);
  expect(effects(false)).toEqual(['allow', 'ask', 'deny']);
  expect(effectOf({ mode: 'nonsense' as never }, 'x', { readOnly: true })).toBe('deny');
  expect(effectOf({ mode: 'strict', allow: ['x'] }, 'x')).toBe('allow');
});

verifies('policy/grant', 'it satisfies every ask, and no deny', () => {
  const grants = ['run_bash(git status:*)'];
  const git = commands('git status -s');
  const ask = { effect: 'ask', reason: 'it looks dangerous' } as const;
  for (const options of [{ ask: ['*'] }, { mode: 'strict' }, { ask: ['run_bash(git:*)'] }, {}] as const) {
    expect(createPolicy({ mode: 'standard', ...options, grants }).decide(callOf('run_bash', git))).toMatchObject({
      effect: 'allow',
      layer: 'grant',
      rule: 'run_bash(git status:*)',
    });
  }
  expect(effectOf({ grants }, 'run_bash', { ...git, permissions: [ask] })).toBe('allow');
  expect(effectOf({ grants, ask: ['*'] }, 'run_bash', commands('git push'))).toBe('ask');
  expect(effectOf({ grants, deny: ['run_bash'] }, 'run_bash', git)).toBe('deny');
  expect(effectOf({ grants: ['*'] }, 'x', { permissions: [{ effect: 'deny', reason: 'never' }] })).toBe('deny');
});

verifies('policy/tool-layer', "the tool's own word counts as a rule of its kind", () => {
  const own = (effect: 'allow' | 'ask' | 'deny') => ({ permissions: [{ effect, reason: 'it said so', rule: 'own' }] });
  expect(createPolicy({ mode: 'open', allow: ['*'] }).decide(callOf('x', own('deny')))).toEqual({
    effect: 'deny',
    reason: 'it said so.',
    rule: 'own',
    layer: 'tool',
  });
  expect(effectOf({ mode: 'open', allow: ['*'] }, 'x', own('ask'))).toBe('ask');
  expect(effectOf({ mode: 'strict' }, 'x', own('allow'))).toBe('allow');
  expect(effectOf({ ask: ['x'] }, 'x', own('allow'))).toBe('ask');
  expect(effectOf({ deny: ['x'] }, 'x', own('allow'))).toBe('deny');
  const both = { permissions: [...own('allow').permissions, ...own('deny').permissions] };
  expect(effectOf({ mode: 'open' }, 'x', both)).toBe('deny');
});

verifies('policy/parse', 'an alias in a rule is its tool; a prefix and a server are all of theirs', () => {
  const canonical = (name: string) => (name === 'Bash' ? 'run_bash' : name);
  expect(effectOf({ deny: ['Bash'], canonical }, 'run_bash')).toBe('deny');
  expect(effectOf({ deny: ['Bash(rm:*)'], canonical }, 'run_bash', commands('rm x'))).toBe('deny');
  expect(effectOf({ deny: ['mcp__git'] }, 'mcp__git__push')).toBe('deny');
  expect(effectOf({ deny: ['mcp__git'] }, 'mcp__github__push')).toBe('ask');
  expect(effectOf({ deny: ['mcp__git*'] }, 'mcp__github__push')).toBe('deny');
  expect(effectOf({ allow: ['run_bash(*)'] }, 'run_bash', commands('a; b'))).toBe('allow');
});

verifies('policy/hosts', 'the host and what is below it', () => {
  const fetches = (rule: string, ...hosts: string[]) => effectOf({ allow: [rule] }, 'fetch', { hosts });
  const rule = 'fetch(domain:Example.org)';
  expect(fetches(rule, 'example.org')).toBe('allow');
  expect(fetches(rule, 'a.b.example.org', 'example.org.')).toBe('allow');
  for (const host of ['evilexample.org', 'example.org.evil.com', 'xample.org', 'org', 'not a url example.org']) {
    expect(fetches(rule, 'example.org', host)).toBe('ask');
    expect(effectOf({ mode: 'open', deny: [rule] }, 'fetch', { hosts: [host] })).toBe('allow');
  }
  expect(effectOf({ mode: 'open', deny: [rule] }, 'fetch', { hosts: ['ok.org', 'www.example.org'] })).toBe('deny');
  expect(fetches('fetch(domain:*.example.org)', 'example.org')).toBe('ask');
  expect(fetches('fetch(domain:*.example.org)', 'a.example.org')).toBe('allow');
  expect(fetches('fetch(domain:*)', 'a.org', 'b.org')).toBe('allow');
  expect(fetches('fetch(domain:bücher.example)', 'xn--bcher-kva.example')).toBe('allow');
  expect(fetches(rule)).toBe('ask');
});

verifies('policy/hosts', 'a rule that permits covers one kind of thing only', () => {
  const hosts = ['example.org'];
  const texts = ['anything'];
  expect(effectOf({ allow: ['x(domain:example.org)'] }, 'x', { hosts, texts })).toBe('ask');
  expect(effectOf({ allow: ['x(any*)'] }, 'x', { hosts, texts })).toBe('ask');
  expect(effectOf({ allow: ['x(any*)'] }, 'x', { texts })).toBe('allow');
  expect(effectOf({ allow: ['x(any)'] }, 'x', { texts })).toBe('ask');
  expect(effectOf({ mode: 'open', deny: ['x(any*)'] }, 'x', { hosts, texts })).toBe('deny');
});

verifies('policy/explain', 'every rule with its reason, in the order in which they are heard', () => {
  const policy = createPolicy({
    mode: 'standard',
    deny: ['run_bash(rm:*)', 'file_write'],
    ask: ['run_bash'],
    allow: ['*'],
    grants: ['run_bash(git:*)'],
  });
  const { decision, rules } = policy.explain(callOf('run_bash', commands('git status')));
  expect(decision).toEqual(policy.decide(callOf('run_bash', commands('git status'))));
  expect(rules.map(({ effect, rule, fits }) => `${effect} ${rule} ${fits}`)).toEqual([
    'deny run_bash(rm:*) false',
    'deny file_write false',
    'grant run_bash(git:*) true',
    'ask run_bash true',
    'allow * true',
  ]);
  expect(rules[0]?.why).toBe('it matches no command of the call');
  expect(rules[1]?.why).toBe('it is not for run_bash');
});

verifies('policy/fast', 'thousands of rules', () => {
  const deny = Array.from({ length: 5_000 }, (_, i) => `tool_${i}(dir_${i}/**)`);
  const policy = createPolicy({ mode: 'open', deny, allow: Array.from({ length: 1_000 }, (_, i) => `prefix_${i}_*`) });
  const call = callOf('tool_4999', { texts: ['dir_4999/x'] });
  policy.decide(call);
  const began = performance.now();
  for (let i = 0; i < 2_000; i++) policy.decide(call);
  expect(performance.now() - began).toBeLessThan(200);
});

verifies('PERM-04', 'with nobody to ask, an ask is refused with what would allow it', async () => {
  const clock = createVirtualClock();
  let ran = 0;
  const tool = { name: 'file_write', description: 'd', input: { type: 'object' }, run: () => `${++ran}` };
  const policy = createPolicy({ mode: 'standard' });
  const { results } = createExecutor({ clock, newId: () => 'id' }).execute(
    [{ id: 'c1', name: 'file_write', arguments: '{}' }],
    createExecutionSession([tool], { policy }),
  );
  const [result] = await results;
  expect(result?.error?.code).toBe('denied');
  expect(result?.content).toContain('--allow file_write');
  expect(ran).toBe(0);
});
