import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { ENV_VARIABLES, hostEnv } from './env.ts';
import { secretValues } from './secrets.ts';
import { readSettings } from './settings.ts';

async function folders(body: (project: string, home: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'settings-'));
  try {
    await mkdir(join(folder, 'project'));
    await mkdir(join(folder, 'home'));
    await body(join(folder, 'project'), join(folder, 'home'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
const put = (folder: string, config: unknown) =>
  writeFile(join(folder, 'toolwright.json'), typeof config === 'string' ? config : JSON.stringify(config));

verifies('runtime/config', 'variables over project over home over defaults; rules of all places hold', () =>
  folders(async (project, home) => {
    const env = { TOOLWRIGHT_HOME: home };
    expect(await readSettings(project, env)).toMatchObject({ model: 'manual', permissions: { mode: 'standard' } });
    await put(home, { model: 'home/m', permissions: { mode: 'strict', deny: ['a'] }, limits: { maxParallel: 2 } });
    expect(await readSettings(project, env)).toMatchObject({ model: 'home/m', permissions: { mode: 'strict' } });
    await put(project, { model: 'project/m', permissions: { mode: 'open', deny: ['b'] }, tools: ['./t/*.js'] });
    const settings = await readSettings(project, { ...env, TOOLWRIGHT_TOOL_TIMEOUT_MS: '5' });
    expect(settings).toMatchObject({
      model: 'project/m',
      permissions: {
        mode: 'open',
        deny: [
          { text: 'b', scope: 'project', folder: project },
          { text: 'a', scope: 'home', folder: home },
        ],
      },
      limits: { maxParallel: 2, toolTimeoutMs: 5 },
      toolFiles: [{ pattern: './t/*.js', folder: project }],
    });
    expect(await readSettings(project, { ...env, TOOLWRIGHT_MODEL: 'env/m' })).toMatchObject({ model: 'env/m' });
  }),
);

verifies('runtime/config', 'what is wrong is told with file and place; an unknown key warns', () =>
  folders(async (project, home) => {
    const env = { TOOLWRIGHT_HOME: home };
    await put(project, '{"model": }');
    await expect(readSettings(project, env)).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining(join(project, 'toolwright.json')),
    });
    await put(project, { permissions: { deny: ['a', 7] } });
    await expect(readSettings(project, env)).rejects.toThrow(/toolwright\.json: permissions\.deny\.1: /);
    await put(project, { permissions: { deny: ['a', 'b('] } });
    await expect(readSettings(project, env)).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringMatching(/toolwright\.json: permissions\.deny\.1: the rule "b\(" is malformed/),
    });
    await put(project, { permissions: { denny: ['a'] } });
    await expect(readSettings(project, env)).rejects.toThrow(/denny/);
    await put(project, { modell: 'x' });
    const { warnings } = await readSettings(project, env);
    expect(warnings).toEqual([expect.stringMatching(/"modell".*did you mean "model"/)]);
  }),
);

verifies('runtime/env', 'the .env of the folder counts where the process says nothing', () =>
  folders(async (project) => {
    await writeFile(join(project, '.env'), 'A=1\nB="two words"\n');
    expect(await hostEnv(project, { A: '9' })).toEqual({ env: { A: '9', B: 'two words' }, warnings: [] });
  }),
);

verifies('runtime/env', "a folder's .env cannot send the process's key to an address of its own", () =>
  folders(async (project) => {
    await writeFile(
      join(project, '.env'),
      'OPENAI_BASE_URL=http://127.0.0.1:9/v1\nGOOGLE_BASE_URL=http://127.0.0.1:9\n',
    );
    const both = await hostEnv(project, { OPENAI_API_KEY: 'k' });
    expect(both.env).toEqual({ OPENAI_API_KEY: 'k', GOOGLE_BASE_URL: 'http://127.0.0.1:9' });
    expect(both.warnings).toEqual([expect.stringMatching(/OPENAI_BASE_URL has no effect.*OPENAI_API_KEY/)]);
    const named = { GEMINI_API_KEY: 'k', GOOGLE_BASE_URL: 'http://127.0.0.1:1' };
    expect((await hostEnv(project, named)).env).toMatchObject(named);
    await writeFile(join(project, '.env'), 'OPENAI_BASE_URL=http://127.0.0.1:9/v1\nOPENAI_API_KEY=its-own\n');
    expect((await hostEnv(project, {})).env).toMatchObject({ OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' });
  }),
);

verifies(
  'runtime/env',
  "a folder's .env can neither trust the folder, nor loosen the sandbox, nor move the home into it",
  () =>
    folders(async (project) => {
      const own = ['TOOLWRIGHT_HOME=/tmp/evil', 'TOOLWRIGHT_TRUST_PROJECT=1', 'TOOLWRIGHT_SANDBOX=passthrough', 'A=1'];
      await writeFile(join(project, '.env'), `${own.join('\n')}\n`);
      const { env, warnings } = await hostEnv(project, {});
      expect(env).toEqual({ A: '1' });
      expect(warnings).toHaveLength(3);
      const real = { TOOLWRIGHT_HOME: '/own' };
      expect((await hostEnv(project, real)).env).toEqual({ ...real, A: '1' });
    }),
);

verifies('runtime/env', 'a senseless value is told by the variable', () =>
  folders(async (project, home) => {
    for (const [name, value] of [
      ['TOOLWRIGHT_TOOL_TIMEOUT_MS', 'soon'],
      ['TOOLWRIGHT_TOOL_TIMEOUT_MS', '-1'],
      ['TOOLWRIGHT_TOOL_PROGRESS_ENABLED', 'perhaps'],
      ['TOOLWRIGHT_HOME', 'relative/home'],
    ] as const) {
      await expect(readSettings(project, { TOOLWRIGHT_HOME: home, [name]: value })).rejects.toThrow(name);
    }
    const names = ENV_VARIABLES.map((variable) => variable.name);
    expect(new Set(names).size).toBe(names.length);
  }),
);

verifies('runtime/secrets', 'values of secret-looking names, and no others', () => {
  const env = {
    OPENAI_API_KEY: 'sk-123456',
    DB_PASSWORD: 'hunter22',
    GITHUB_TOKEN: 'ghp_abcdef',
    MONKEY: 'banana-split',
    KEYBOARD: 'qwertyuiop',
    SHORT_KEY: '1',
    PATH: '/usr/bin:/bin',
    apikey: 'lower-case-key',
  };
  expect(secretValues(env).sort()).toEqual(['ghp_abcdef', 'hunter22', 'lower-case-key', 'sk-123456']);
});
