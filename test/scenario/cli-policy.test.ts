import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { ToolResult } from '../../src/core/index.ts';
import { openSqliteStore } from '../../src/store/index.ts';
import { verifies } from '../verifies.ts';
import { cli, withEnv } from './cli-world.ts';
import { inWorld, scripted } from './runtime-world.ts';

const inProject = (config: unknown, body: (at: readonly string[], project: string, home: string) => Promise<void>) =>
  inWorld(async ({ project, home }) => {
    await writeFile(join(project, 'toolwright.json'), JSON.stringify(config));
    await withEnv({ TOOLWRIGHT_HOME: home }, () => body(['--cwd', project], project, home));
  });
const command = (line: string) => JSON.stringify({ command: line });

verifies('cli/policy', 'explain gives the verdict, its rule and its layer, and runs nothing', () =>
  inProject({ permissions: { deny: ['Bash(rm:*)'], allow: ['Bash(npm run:*)'] } }, async (at, project, home) => {
    await writeFile(join(home, 'toolwright.json'), JSON.stringify({ permissions: { ask: ['run_bash(git push:*)'] } }));
    const explain = async (line: string, ...flags: string[]) =>
      (await cli(['policy', 'explain', 'run_bash', command(line), '--json', ...flags, ...at])).json();
    expect(await explain('npm run build')).toEqual({
      effect: 'allow',
      reason: 'the rule Bash(npm run:*) allows it.',
      rule: 'Bash(npm run:*)',
      layer: 'project',
    });
    expect(await explain('touch x; rm x')).toMatchObject({ effect: 'deny', rule: 'Bash(rm:*)', layer: 'project' });
    expect(await explain('git push')).toMatchObject({ effect: 'ask', layer: 'home' });
    expect(await explain('git push', '--allow', 'Bash(git push)')).toMatchObject({ effect: 'allow', layer: 'grant' });
    expect(await explain('ls', '--deny', 'run_bash')).toMatchObject({
      effect: 'deny',
      rule: 'run_bash',
      layer: 'session',
    });
    expect(await explain('ls')).toMatchObject({ effect: 'ask', layer: 'mode' });
    expect(await explain('ls', '--permission-mode', 'open')).toMatchObject({ effect: 'allow', layer: 'mode' });
    const text = await cli(['policy', 'explain', 'Bash', command('npm run x && rm x > y'), ...at]);
    expect(text.code).toBe(0);
    expect(text.out).toContain('deny  rm x: writes y: the rule Bash(rm:*) forbids it.');
    expect(text.out).toContain('+ deny, project  Bash(rm:*): it matches the command rm x');
    expect(text.out).toContain('- ask, home  run_bash(git push:*): it matches no command of the call');
    expect(text.out).toContain(
      '+ allow, project  Bash(npm run:*): it covers part of the call, but not the command rm x',
    );
    const outside = await cli(['policy', 'explain', 'read_file', '{"path":"/etc/passwd"}', '--json', ...at]);
    expect(outside.json()).toMatchObject({ effect: 'deny', layer: 'tool' });
    const unknown = await cli(['policy', 'explain', 'no_tool', '{}', '--json', ...at]);
    expect([unknown.code, unknown.json()]).toMatchObject([1, { error: { code: 'unknown_tool' } }]);
    expect((await cli(['tools', 'call', 'glob_files', '{"pattern":"*"}', ...at])).out).not.toMatch(/\b[xy]\b/);
    expect(project).not.toBe('');
  }),
);

verifies('cli/rules', 'a malformed rule is told: on the command line with exit 2, in a file with file and place', () =>
  inProject({ permissions: { deny: ['file_write', 'run_bash(rm'] } }, async (at, project) => {
    const inFile = await cli(['tools', 'list', ...at]);
    expect(inFile.code).toBe(1);
    expect(inFile.err).toContain(
      `${join(project, 'toolwright.json')}: permissions.deny.1: the rule "run_bash(rm" is malformed`,
    );
    for (const argv of [
      ['run', 'x'],
      ['tools', 'call', 'x'],
      ['policy', 'explain', 'x'],
    ]) {
      const onLine = await cli([...argv, '--deny', 'run_bash(rm', ...at]);
      expect([argv, onLine.code]).toEqual([argv, 2]);
      expect(onLine.err).toContain('--deny "run_bash(rm" is not a rule');
    }
  }),
);

verifies('cli/rules', 'with nobody to ask, the narrow rule that would allow it is told, and it does', () =>
  inProject({}, async (at) => {
    const refused = await cli(['tools', 'call', 'run_bash', command("echo 'a b' && echo c"), ...at]);
    const rule = /start with --allow '(.*)'\.$/m.exec(refused.out)?.[1]?.replaceAll("'\\''", "'");
    expect(rule).toBe("run_bash(echo 'a b' && echo c)");
    const allowed = await cli([
      'tools',
      'call',
      'run_bash',
      command("echo 'a b' && echo c"),
      '--allow',
      String(rule),
      ...at,
    ]);
    expect(allowed.out).toBe('a b\nc\n');
    const other = await cli(['tools', 'call', 'run_bash', command('echo d'), '--allow', String(rule), ...at]);
    expect(other.code).toBe(1);
  }),
);

verifies('PERM-02', 'nothing that a line would run beside the allowed command ever runs', () =>
  inWorld(async ({ project, runtime }) => {
    const session = await (await runtime()).session({ allow: ['run_bash(git status:*)'] });
    const lines = [
      'git status $(touch pwn)',
      'git status `touch pwn`',
      'git status <(touch pwn)',
      'git status "$(touch pwn)"',
      'git status > pwn',
      'GIT_PAGER="touch pwn" git status',
      'git status; touch pwn',
      'git status && touch pwn',
      'git status | tee pwn',
      'git status\ntouch pwn',
      'git status & touch pwn',
      'git status || touch pwn',
      'git statusx || touch pwn',
      "git -c core.fsmonitor='touch pwn' status",
      'git() { touch pwn; }; git status',
    ];
    for (const command of lines) {
      const { error } = await session.call('run_bash', { command });
      expect([command, error?.code]).toEqual([command, 'denied']);
    }
    const withEnv = await session.call('run_bash', { command: 'git status', env: { GIT_PAGER: 'touch pwn' } });
    expect(withEnv.error?.code).toBe('denied');
    const harmless = await session.call('run_bash', { command: "git status '$(touch pwn)'" });
    expect(harmless.error?.code).not.toBe('denied');
    expect(await readdir(project)).toEqual([]);
    await session.close();
  }),
);

verifies(
  'policy/bare-deny',
  'a tool that is denied whole is not offered to the model, and a call of it is denied',
  () =>
    inWorld(async ({ runtime }) => {
      const offered: string[][] = [];
      const inner = scripted([{ name: 'file_write', input: { path: 'a', content: 'x' } }], 'done');
      const model = {
        id: 'test/spy',
        stream(...args: Parameters<typeof inner.stream>) {
          offered.push(args[0].tools.map(({ name }) => name));
          return inner.stream(...args);
        },
      };
      const session = await (await runtime({ model })).session({ denyRules: ['Write', 'Bash(rm:*)'], mode: 'open' });
      const results: ToolResult[] = [];
      for await (const event of session.run('go')) if (event.type === 'tool_result') results.push(event.result);
      expect(offered[0]).not.toContain('file_write');
      expect(offered[0]).toEqual(expect.arrayContaining(['file_edit', 'run_bash']));
      expect(results[0]?.error?.code).toBe('denied');
      await session.close();
    }),
);

verifies('cli/policy', 'replay tells which kept calls would fare differently, and looks at no file', () =>
  inProject({ permissions: { mode: 'open' } }, async (at, project, home) => {
    const calls = [
      ['run_bash', command('echo a && touch b')],
      ['run_bash', command('echo a')],
      ['read_file', '{"path":"toolwright.json"}'],
      ['file_write', '{"path":"c.txt","content":"c"}'],
      ['run_bash', '{"nothing":1}'],
    ] as const;
    await cli(['run', calls.map((call) => call.join(' ')).join('\n'), ...at]);
    await cli(['run', `run_bash ${command('rm x')}`, '--deny', 'Bash(rm:*)', ...at]);
    const rules = join(home, 'rules.json');
    await mkdir(join(project, 'away'));
    await writeFile(
      rules,
      JSON.stringify({
        permissions: { defaultMode: 'bypassPermissions', deny: ['Bash(touch:*)'], ask: ['Write(./*.txt)'] },
      }),
    );
    const replayed = await cli(['policy', 'replay', rules, '--json', ...at]);
    expect(replayed.json()).toMatchObject({
      calls: 5,
      changed: 3,
      changes: expect.arrayContaining([
        expect.objectContaining({ name: 'run_bash', was: 'ran', would: 'deny', rule: 'Bash(touch:*)', count: 1 }),
        expect.objectContaining({ name: 'run_bash', was: 'denied', would: 'allow', count: 1 }),
        expect.objectContaining({ name: 'file_write', was: 'ran', would: 'ask', rule: 'Write(./*.txt)', count: 1 }),
      ]),
    });
    const text = await cli(['policy', 'replay', rules, ...at]);
    expect(text.out).toContain('3 of 5 calls would fare differently.');
    expect(text.out).toContain('run_bash: ran, would be denied (Bash(touch:*))');
    await writeFile(rules, JSON.stringify({ deny: ['x('] }));
    const wrong = await cli(['policy', 'replay', rules, ...at]);
    expect([wrong.code, wrong.err]).toEqual([
      1,
      expect.stringContaining(`${rules}: permissions.deny.0: the rule "x("`),
    ]);
    const store = await openSqliteStore({ path: join(home, 'toolwright.db') });
    expect(await store.sessions.list()).toHaveLength(2);
    await store.close();
  }),
);
