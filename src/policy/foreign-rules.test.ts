import { expect } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import type { CallFacts, JudgedCall } from '../core/index.ts';
import { createPolicy, createShellReader } from './index.ts';

const read = createShellReader();
const CWD = '/work/app';

type Touch = { readonly path?: string; readonly host?: string; readonly command?: string; readonly input?: object };

async function call(name: string, { path, host, command, input = {} }: Touch): Promise<JudgedCall> {
  const full = path?.startsWith('/') ? path : `${CWD}/${path}`;
  const root = { path: CWD, access: 'write', label: 'workspace' } as const;
  const facts: CallFacts = {
    readOnly: false,
    claims: [],
    declared: false,
    paths: path === undefined ? [] : [{ written: path, path: full, real: full, root, exists: true, access: 'read' }],
    hosts: host === undefined ? [] : [host],
    commands: command === undefined ? [] : [command],
    shell: command === undefined ? [] : [await read(command)],
    texts: [],
    permissions: [],
  };
  return { name, input, facts };
}

async function fits(rule: string, name: string, touch: Touch): Promise<boolean> {
  const allowed = createPolicy({ mode: 'standard', allow: [rule], cwd: CWD, home: '/home/me' }).decide(
    await call(name, touch),
  );
  const denied = createPolicy({ mode: 'open', deny: [rule], cwd: CWD, home: '/home/me' }).decide(
    await call(name, touch),
  );
  expect(denied.effect === 'deny', `${rule} on ${name} ${JSON.stringify(touch)}: as deny`).toBe(
    allowed.effect === 'allow',
  );
  return allowed.effect === 'allow';
}

const ISSUE = { repo: 'acme/app', title: 'x', labels: ['bug'] };

/** Rules as settings of other agents have them, a call, and whether the rule is for it. */
const IMPORTED: readonly (readonly [rule: string, name: string, touch: Touch, fits: boolean])[] = [
  ['Bash', 'run_bash', { command: 'ls' }, true],
  ['Bash(npm run:*)', 'run_bash', { command: 'npm run build' }, true],
  ['Bash(npm run:*)', 'run_bash', { command: 'npm run' }, true],
  ['Bash(npm run:*)', 'run_bash', { command: 'npm runx' }, false],
  ['Bash(npm run:*)', 'run_bash', { command: 'npm test' }, false],
  ['Bash(npm run *)', 'run_bash', { command: 'npm run build -- -w' }, true],
  ['Bash(npm run test)', 'run_bash', { command: 'npm run test' }, true],
  ['Bash(npm run test)', 'run_bash', { command: 'npm run test -- x' }, false],
  ['Bash(git * main)', 'run_bash', { command: 'git push origin main' }, true],
  ['Bash(* --version)', 'run_bash', { command: 'node --version' }, true],
  ['Bash(*)', 'run_bash', { command: 'a; b' }, true],
  ['Read', 'read_file', { path: 'a' }, true],
  ['Read', 'grep_files', { path: 'a' }, true],
  ['Read', 'glob_files', { path: 'a' }, true],
  ['Read', 'file_edit', { path: 'a' }, false],
  ['Read(./src/**)', 'read_file', { path: 'src/a/b.ts' }, true],
  ['Read(./src/**)', 'grep_files', { path: 'src' }, true],
  ['Read(./src/**)', 'read_file', { path: 'lib/src/b.ts' }, false],
  ['Read(src/**)', 'read_file', { path: 'src/b.ts' }, true],
  ['Read(/src/**)', 'read_file', { path: 'src/b.ts' }, true],
  ['Read(//etc/**)', 'read_file', { path: '/etc/passwd' }, true],
  ['Read(//etc/**)', 'read_file', { path: 'etc/passwd' }, false],
  ['Read(~/.ssh/**)', 'read_file', { path: '/home/me/.ssh/id_rsa' }, true],
  ['Read(~/.ssh/**)', 'read_file', { path: '/home/you/.ssh/id_rsa' }, false],
  ['Read(.env)', 'read_file', { path: 'deep/.env' }, true],
  ['Read(.env)', 'read_file', { path: '.env.local' }, false],
  ['Read(.env.*)', 'read_file', { path: '.env.local' }, true],
  ['Read(*.pem)', 'read_file', { path: 'a/b.pem' }, true],
  ['Read(secrets/**)', 'read_file', { path: 'secrets/a' }, true],
  ['Edit(docs/**)', 'file_edit', { path: 'docs/a.md' }, true],
  ['Edit(docs/**)', 'file_write', { path: 'docs/a.md' }, true],
  ['Edit(docs/**)', 'read_file', { path: 'docs/a.md' }, false],
  ['Write(docs/**)', 'file_write', { path: 'docs/a.md' }, true],
  ['Write(docs/**)', 'file_edit', { path: 'docs/a.md' }, false],
  ['MultiEdit', 'file_edit', { path: 'a' }, true],
  ['Grep', 'grep_files', { path: 'a' }, true],
  ['Glob', 'glob_files', { path: 'a' }, true],
  ['WebFetch', 'fetch_webpages', { host: 'example.org' }, true],
  ['WebFetch(domain:example.org)', 'fetch_webpages', { host: 'example.org' }, true],
  ['WebFetch(domain:example.org)', 'fetch_webpages', { host: 'docs.example.org' }, true],
  ['WebFetch(domain:example.org)', 'fetch_webpages', { host: 'example.org.evil.net' }, false],
  ['WebFetch(domain:*.example.org)', 'fetch_webpages', { host: 'docs.example.org' }, true],
  ['mcp__github', 'mcp__github__create_issue', {}, true],
  ['mcp__github', 'mcp__github2__create_issue', {}, false],
  ['mcp__github__*', 'mcp__github__create_issue', {}, true],
  ['mcp__github__get_*', 'mcp__github__get_issue', {}, true],
  ['mcp__github__get_*', 'mcp__github__create_issue', {}, false],
  ['mcp__github__create_issue', 'mcp__github__create_issue', {}, true],
  ['mcp__github__create_issue(repo:acme/*)', 'mcp__github__create_issue', { input: ISSUE }, true],
  ['mcp__github__create_issue(repo:acme/app)', 'mcp__github__create_issue', { input: ISSUE }, true],
  ['mcp__github__create_issue(repo:other/*)', 'mcp__github__create_issue', { input: ISSUE }, false],
  ['mcp__github__create_issue(labels:*bug*)', 'mcp__github__create_issue', { input: ISSUE }, true],
  ['mcp__github__create_issue(owner:acme)', 'mcp__github__create_issue', { input: ISSUE }, false],
  ['Agent(researcher)', 'subagent', { input: { task: 'x', agent: 'researcher' } }, true],
  ['Agent(researcher)', 'subagent', { input: { task: 'x', agent: 'writer' } }, false],
  ['Agent(researcher)', 'subagent', { input: { task: 'x' } }, false],
  ['Task', 'subagent', { input: { task: 'x' } }, true],
  ['Skill(pdf)', 'load_skill', { input: { name: 'pdf' } }, true],
  ['Skill(pdf)', 'load_skill', { input: { name: 'docx' } }, false],
  ['Skill(pdf-*)', 'load_skill', { input: { name: 'pdf-forms' } }, true],
  ['*', 'anything', {}, true],
];

verifies('policy/foreign', "rules of other agents' settings mean what they mean there", async () => {
  const wrong: string[] = [];
  for (const [rule, name, touch, right] of IMPORTED) {
    if ((await fits(rule, name, touch)) !== right)
      wrong.push(`${rule} on ${name} ${JSON.stringify(touch)} is not ${right}`);
  }
  expect(wrong).toEqual([]);
});

verifies(
  'policy/arguments',
  'a pattern of the input forbids anywhere, and permits nothing that runs or is a file',
  async () => {
    const command = 'git status; rm x';
    const input = { command, path: 'a' };
    const effect = async (rules: object, touch: Touch) =>
      createPolicy({ mode: 'open', ...rules }).decide(await call('t', { input, ...touch })).effect;
    expect(await effect({ mode: 'standard', allow: ['t(command:git status*)'] }, { command })).toBe('ask');
    expect(await effect({ mode: 'standard', allow: ['t(path:*)'] }, { path: 'a' })).toBe('ask');
    expect(await effect({ deny: ['t(command:*rm x)'] }, { command })).toBe('deny');
    expect(await effect({ ask: ['t(path:a)'] }, {})).toBe('ask');
  },
);

verifies(
  'policy/scopes',
  'a decision tells where its rule stands; a path with / begins where its settings are',
  async () => {
    const policy = createPolicy({
      mode: 'standard',
      allow: [
        {
          text: 'file_write(/notes/**)',
          name: 'file_write',
          isPrefix: false,
          specifier: '/notes/**',
          scope: 'home',
          folder: '/home/me',
        },
      ],
      deny: [{ text: 'mcp__x', name: 'mcp__x__', isPrefix: true, scope: 'project', folder: CWD }],
      cwd: CWD,
    });
    expect(policy.decide(await call('file_write', { path: '/home/me/notes/a' }))).toMatchObject({
      effect: 'allow',
      layer: 'home',
    });
    expect(policy.decide(await call('file_write', { path: 'notes/a' }))).toMatchObject({
      effect: 'ask',
      layer: 'mode',
    });
    expect(policy.decide(await call('mcp__x__y', {}))).toMatchObject({
      effect: 'deny',
      layer: 'project',
      rule: 'mcp__x',
    });
    expect(policy.hides('mcp__x__y')).toBe(true);
    expect(policy.hides('file_write')).toBe(false);
  },
);
