import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { textOf } from '../../src/core/index.ts';
import { type RuntimeOptions, remoteSandbox, type SessionOptions } from '../../src/runtime/index.ts';
import { whyNoLocal } from '../local-world.ts';
import { inRemoteWorld, TOKEN } from '../remote-world.ts';
import { verifies } from '../verifies.ts';
import { cli, withEnv } from './cli-world.ts';
import { inWorld, type World } from './runtime-world.ts';

const SECRETS = {
  ADS_API_KEY: 'ads-key-of-the-host',
  OPENAI_API_KEY: 'openai-key-of-the-host',
  AWS_SECRET_ACCESS_KEY: 'aws-key-of-the-host',
  RANDOM_NEW_SECRET: 'zzz-of-the-host',
};
const HOST = { ...SECRETS, CONFIGURED: 'by-settings', PASSED: 'by-name', UNASKED: 'nobody-asked' };
const OWN = 's3cret-of-the-session';

const settings = (folder: string, value: object) => writeFile(join(folder, 'toolwright.json'), JSON.stringify(value));

/** All that is on the disk of a folder. */
async function diskOf(folder: string): Promise<string> {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((file) => file.isFile());
  return (await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), 'latin1')))).join('\n');
}

/** A session's `run_bash` with all that it and its events gave. */
async function withCommands(
  world: World,
  options: RuntimeOptions,
  session: SessionOptions,
  body: (run: (input: object, tool?: string) => Promise<string>, told: () => string) => Promise<void>,
): Promise<void> {
  const runtime = await world.runtime({ ...options, env: { ...world.env, ...HOST } });
  const opened = await runtime.session({ mode: 'open', ...session });
  const told: unknown[] = [];
  await body(
    async (input, tool = 'run_bash') => {
      const result = await opened.call(tool, input, { onEvent: (event) => told.push(event) });
      told.push(result);
      return textOf(result.content);
    },
    () => JSON.stringify(told),
  );
  await opened.close();
  told.push(await runtime.audit.list());
  const all = `${JSON.stringify(told)}\n${await diskOf(world.home)}`;
  await runtime.close();
  for (const value of [...Object.values(SECRETS), OWN, Buffer.from(OWN).toString('base64').slice(0, 24)]) {
    expect(all).not.toContain(value);
  }
}

/** What a command sees, first thing and in the background. */
async function seesItsOwn(world: World, options: RuntimeOptions): Promise<void> {
  await settings(world.home, { sandbox: { env: ['CONFIGURED', 'NOT_SET_HERE'] } });
  const session = { env: ['PASSED', 'MODE=of the session', `MY_TOKEN=${OWN}`, 'EMPTY=', 'EQUALS=a=b'] };
  await withCommands(world, options, session, async (run, told) => {
    const seen = await run({ command: `env; printf %s "$MY_TOKEN" | base64; echo "length \${#MY_TOKEN}"` });
    for (const line of ['CONFIGURED=by-settings', 'PASSED=by-name', 'MODE=of the session', 'EMPTY=', 'EQUALS=a=b']) {
      expect(seen.split('\n')).toContain(line);
    }
    expect(seen).toContain('MY_TOKEN=[masked]');
    expect(seen).toContain(`length ${OWN.length}`);
    expect(seen).not.toMatch(/NOT_SET_HERE|UNASKED|_API_KEY|_SECRET/);
    expect(told()).toContain('tool_progress');
    expect(await run({ command: 'echo $MODE', env: { MODE: 'of the call' } })).toBe('of the call');
    const started = await run({ command: 'sleep 0.1; env', background: true });
    const [task] = /shtask_\w+/.exec(started) ?? ['none'];
    const ended = await run({ task_id: task, block_until_ms: 10_000 }, 'await_shell');
    expect(ended).toContain('MODE=of the session');
    expect(ended).toContain('MY_TOKEN=[masked]');
  });
  await withCommands(world, options, {}, async (run) => {
    const seen = await run({ command: 'env' });
    expect(seen).toContain('CONFIGURED=by-settings');
    expect(seen).not.toMatch(/PASSED|MODE=|MY_TOKEN|EMPTY/);
  });
}

verifies('SHELL-13', 'a session adds names and values for its own commands; secrets among them stay masked', () =>
  inWorld((world) => seesItsOwn(world, {})),
);

if (whyNoLocal === undefined) {
  verifies('SHELL-13', 'what a session adds reaches commands in the sandbox local', () =>
    inWorld((world) => seesItsOwn(world, { sandbox: 'local' })),
  );
}

verifies('SHELL-13', 'what a session adds reaches commands on the far machine, and nothing else does', () =>
  inRemoteWorld((far) =>
    inWorld((world) => seesItsOwn(world, { sandbox: remoteSandbox({ url: far.url, token: TOKEN, cwd: far.root }) })),
  ),
);

verifies('SHELL-13', 'hook commands, MCP servers and scripts of skills see nothing more than they should', () =>
  inWorld(async (world) => {
    const [hook, server] = [join(world.project, 'hook.txt'), join(world.project, 'server.txt')];
    await settings(world.home, {
      hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: `env > ${hook}` }] }] },
      mcpServers: {
        dump: {
          command: 'sh',
          args: ['-c', `env > ${server}.new; mv ${server}.new ${server}`],
          env: { GIVEN: 'by its entry' },
        },
      },
      sandbox: { env: ['CONFIGURED'] },
    });
    const skill = join(world.home, 'skills', 'show');
    await mkdir(skill, { recursive: true });
    await writeFile(join(skill, 'SKILL.md'), '---\nname: show\ndescription: Shows variables.\n---\nRun show.sh.\n');
    await writeFile(join(skill, 'show.sh'), 'env\n');
    const runtime = await world.runtime({ env: { ...world.env, ...HOST } });
    await runtime.mcp.settled();
    const session = await runtime.session({ mode: 'open', env: ['MODE=of the session'] });
    await session.call('load_skill', { name: 'show' });
    const found = await session.call('run_bash', {
      command: `bash "$(find ${world.home}/sessions -name show.sh | head -1)"`,
    });
    const script = textOf(found.content);
    expect(script).toContain('MODE=of the session');
    expect(script).toContain('CONFIGURED=by-settings');
    expect(await readFile(server, 'utf8')).toContain('GIVEN=by its entry');
    for (const seen of [script, await readFile(hook, 'utf8'), await readFile(server, 'utf8')]) {
      expect(seen).toContain('PATH=');
      expect(seen).not.toMatch(/of-the-host|UNASKED|PASSED/);
    }
    for (const path of [hook, server]) expect(await readFile(path, 'utf8')).not.toMatch(/MODE=|CONFIGURED/);
  }),
);

verifies('sandbox/settings', 'a project passes variables on only when it is trusted; those of the home stay', () =>
  inWorld(async (world) => {
    await settings(world.home, { sandbox: { env: ['CONFIGURED'] } });
    await settings(world.project, { sandbox: { env: ['PASSED', 'OPENAI_API_KEY'] } });
    const env = { ...world.env, ...HOST };
    for (const trustProject of [false, true]) {
      const runtime = await world.runtime({ env, trustProject });
      expect(runtime.settings.sandbox.env).toEqual(
        trustProject ? ['CONFIGURED', 'PASSED', 'OPENAI_API_KEY'] : ['CONFIGURED'],
      );
      expect(runtime.warnings.filter((text) => text.includes('sandbox.env'))).toHaveLength(trustProject ? 0 : 1);
      const session = await runtime.session({ mode: 'open' });
      const seen = textOf((await session.call('run_bash', { command: 'env' })).content);
      expect(seen).toContain('CONFIGURED=by-settings');
      expect(seen.includes('PASSED=by-name')).toBe(trustProject);
      expect(seen.includes('OPENAI_API_KEY=[masked]')).toBe(trustProject);
    }
  }),
);

verifies('SHELL-13', 'what is no name is refused, and no value is told', () =>
  inWorld(async (world) => {
    const runtime = await world.runtime();
    for (const entry of ['', '=x', '1X=x', 'A B', 'A-B=x', 'A\n=x', 'A=\0']) {
      await expect(runtime.session({ env: [entry] })).rejects.toMatchObject({ code: 'invalid_request' });
    }
    await settings(world.home, { sandbox: { env: ['AWS_*'] } });
    await expect(world.runtime()).rejects.toThrow(/sandbox/);
    await settings(world.home, {});
    await withEnv({ ...world.env, PASSED: 'by-name' }, async () => {
      const at = ['--cwd', world.project, '--permission-mode', 'open'];
      for (const command of [['run', 'x'], ['chat'], ['tools', 'call', 'run_bash', '{}']]) {
        const { code, err } = await cli([...command, ...at, '--env', `1X=${OWN}`]);
        expect(code).toBe(2);
        expect(err).toContain('--env: "1X" cannot be the name of a variable');
        expect(err).not.toContain(OWN);
      }
      const input = '{"command":"env"}';
      const { code, out } = await cli([
        'tools',
        'call',
        'run_bash',
        input,
        ...at,
        '--env',
        'PASSED',
        '--env',
        `MY_TOKEN=${OWN}`,
      ]);
      expect(code).toBe(0);
      expect(out).toContain('PASSED=by-name');
      expect(out).toContain('MY_TOKEN=[masked]');
      const ran = await cli(['run', `run_bash ${input}`, ...at, '--env', `MY_TOKEN=${OWN}`]);
      expect(ran.out).toContain('[masked]');
      expect(ran.out + ran.err).not.toContain(OWN);
      expect(existsSync(world.home) && (await diskOf(world.home))).not.toContain(OWN);
    });
  }),
);
