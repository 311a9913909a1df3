import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { verifies } from '../verifies.ts';
import { cli, withEnv } from './cli-world.ts';
import { inWorld, type World } from './runtime-world.ts';

const PLAIN_TOOLS = `
export const shout = {
  name: 'shout',
  description: 'Gives its text back in capitals.',
  input: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  traits: { readOnly: true },
  run: ({ text }) => text.toUpperCase(),
};
export const writer = {
  name: 'writer',
  description: 'Changes something.',
  input: { type: 'object' },
  run: () => 'changed',
};
export const colourful = {
  name: 'colourful',
  description: 'Tries to steer the terminal.',
  input: { type: 'object' },
  traits: { readOnly: true },
  run: () => 'before\\u001b[2J\\u001b]0;owned\\u0007\\u009b31mafter',
};
export const wait = {
  name: 'wait',
  description: 'Waits until it is cancelled.',
  input: { type: 'object' },
  traits: { readOnly: true },
  run: (input, { signal }) => new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  }),
};
export const notATool = { name: 'half' };
`;

/** A world with a folder of plain tools and two files. */
const inCliWorld = (body: (world: World & { at: string[]; toolsDir: string }) => Promise<void>) =>
  inWorld(async (world) => {
    const toolsDir = join(world.project, 'more-tools');
    await mkdir(toolsDir);
    await writeFile(join(toolsDir, 'package.json'), '{"type":"module"}');
    await writeFile(join(toolsDir, 'plain.js'), PLAIN_TOOLS);
    await writeFile(join(world.project, 'a.txt'), 'alpha\n');
    await writeFile(join(world.project, 'b.txt'), 'beta\n');
    await withEnv(world.env, () => body({ ...world, at: ['--cwd', world.project], toolsDir }));
  });

const types = (printed: { lines(): { type: string }[] }) => printed.lines().map((event) => event.type);

verifies('cli/run', 'three tools in one prompt run in one turn, the events of the wire come, exit 0', () =>
  inCliWorld(async ({ at }) => {
    const prompt = [
      'read_file {"path":"a.txt"}',
      'glob_files {"pattern":"*.txt"}',
      'grep_files {"pattern":"beta"}',
    ].join('\n');
    const printed = await cli(['run', prompt, '--json', ...at]);
    expect(printed.code).toBe(0);
    const events = printed.lines();
    expect(types(printed)[0]).toBe('run_start');
    expect(events.at(-1)).toMatchObject({ type: 'run_end', reason: 'stop' });
    const results = events.filter((event) => event['type'] === 'tool_result');
    expect(results.map((event) => [event['name'], event['step'], event['is_error']]).sort()).toEqual([
      ['glob_files', 1, false],
      ['grep_files', 1, false],
      ['read_file', 1, false],
    ]);
    expect(JSON.stringify(results)).toContain('alpha');
    const seqs = events.map((event) => Number(event['seq']));
    expect(seqs).toEqual([...seqs].sort((a, b) => a - b));
    expect(printed.err).toBe('');
  }),
);

verifies('cli/run', 'for people: the call, its result in a card, the session to go on with', () =>
  inCliWorld(async ({ at }) => {
    const printed = await cli(['run', 'read_file {"path":"a.txt"}', ...at]);
    expect(printed.code).toBe(0);
    expect(printed.out).toContain('● read_file path: a.txt');
    expect(printed.out).toMatch(/✓ read_file \d+ ms/);
    expect(printed.out).toContain('alpha');
    expect(printed.err).toMatch(/session [\w-]+/);
  }),
);

verifies('cli/run', 'the prompt comes from stdin when it is not an argument', () =>
  inCliWorld(async ({ at }) => {
    const printed = await cli(['run', '--json', ...at], { input: 'read_file {"path":"b.txt"}\n' });
    expect(printed.code).toBe(0);
    expect(printed.out).toContain('beta');
  }),
);

verifies('cli/session', 'a session goes on, is listed and shown; an unknown one is told', () =>
  inCliWorld(async ({ at }) => {
    const first = await cli(['run', 'read_file {"path":"a.txt"}', '--json', ...at]);
    const id = String(first.lines()[0]?.['session_id']);
    const second = await cli(['run', 'read_file {"path":"b.txt"}', '--json', '--session', id, ...at]);
    expect(second.code).toBe(0);
    const firstSeqs = first.lines().map((event) => Number(event['seq']));
    const secondSeqs = second.lines().map((event) => Number(event['seq']));
    expect(Math.min(...secondSeqs)).toBeGreaterThan(Math.max(...firstSeqs));
    const listed = (await cli(['sessions', 'list', '--json', ...at])).json<{ id: string; status: string }[]>();
    expect(listed).toMatchObject([{ id, status: 'idle', summary: 'read_file {"path":"a.txt"}' }]);
    const shown = (await cli(['sessions', 'show', id, '--json', ...at])).json<{ messages: { role: string }[] }>();
    expect(shown.messages.map((message) => message.role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
      'assistant',
      'tool',
      'assistant',
    ]);
    expect((await cli(['sessions', 'show', id, ...at])).out).toContain('✓ read_file');
    const unknown = await cli(['run', 'x', '--session', 'nowhere', '--json', ...at]);
    expect(unknown.code).toBe(1);
    expect(unknown.json()).toMatchObject({
      error: { code: 'not_found', hint: expect.stringContaining('sessions list') },
    });
  }),
);

verifies('cli/usage', 'what is wrong and what to do, exit 2, no stack', () =>
  inCliWorld(async ({ at }) => {
    const wrong: string[][] = [
      ['rnu', 'x'],
      ['run', 'x', '--max-steps', 'many'],
      ['run', 'x', '--no-such-flag'],
      ['run', 'x', '--permission-mode', 'loose'],
      ['run', 'x', '--agent-mode', 'crowd'],
      ['tools', 'list', '--format', 'nobody'],
      ['tools', 'show'],
      ['tools'],
      ['run', ...at],
      ['run', 'x', '--allow', 'run_bash(git', ...at],
    ];
    for (const argv of wrong) {
      const printed = await cli(argv);
      expect([argv.join(' '), printed.code]).toEqual([argv.join(' '), 2]);
      expect(printed.err).not.toBe('');
      expect(printed.err).not.toMatch(/\n\s+at /);
      const json = await cli([...argv, '--json']);
      expect(json.code).toBe(2);
      expect(json.json()).toMatchObject({ error: { code: 'invalid_request', message: expect.any(String) } });
    }
    expect((await cli(['rnu'])).err).toContain('run');
    expect((await cli(['run', 'x', '--allow', '((', '--debug', ...at])).err).toMatch(/\n\s+at /);
  }),
);

verifies('cli/usage', 'help and version are answers', async () => {
  expect(await cli(['--version'])).toMatchObject({ code: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+/) });
  expect((await cli(['--help'])).out).toContain('doctor');
  expect((await cli([])).out).toContain('Usage: toolwright');
  expect((await cli(['tools', 'call', '--help'])).out).toContain('--permission-mode');
});

verifies('cli/tools', 'list, show by alias, near names, search, provider shapes', () =>
  inCliWorld(async ({ at, toolsDir }) => {
    const more = ['--tools-dir', toolsDir, ...at];
    const listed = (await cli(['tools', 'list', '--json', ...more])).json<{ name: string }[]>();
    const names = listed.map((tool) => tool.name);
    expect(names).toEqual([...names].sort());
    expect(names).toEqual(
      expect.arrayContaining(['file_edit', 'file_write', 'glob_files', 'grep_files', 'read_file', 'run_bash', 'shout']),
    );
    const shown = (await cli(['tools', 'show', 'grep', '--json', ...at])).json();
    expect(shown).toMatchObject({ name: 'grep_files', aliases: expect.arrayContaining(['grep']) });
    const unknown = await cli(['tools', 'show', 'grep_fils', ...at]);
    expect(unknown).toMatchObject({ code: 1, err: expect.stringContaining('grep_files') });
    const found = (await cli(['tools', 'search', 'capitals', '--json', ...more])).json<{ name: string }[]>();
    expect(found.map((tool) => tool.name)).toEqual(['shout']);
    expect((await cli(['tools', 'search', 'xyzzy', '--json', ...at])).json()).toEqual([]);
    const openai = (await cli(['tools', 'list', '--format', 'openai', ...more])).json<Record<string, unknown>[]>();
    expect(openai).toContainEqual(
      expect.objectContaining({ type: 'function', function: expect.objectContaining({ name: 'shout' }) }),
    );
    const anthropic = (await cli(['tools', 'show', 'shout', '--format', 'anthropic', ...more])).json();
    expect(anthropic).toMatchObject({ name: 'shout', input_schema: { type: 'object' } });
  }),
);

verifies('cli/tools-call', 'the result is printed as it is; errors tell field, allowed values and near names', () =>
  inCliWorld(async ({ at, toolsDir }) => {
    const good = await cli(['tools', 'call', 'grep_files', '{"pattern":"alpha"}', '--json', ...at]);
    expect(good.code).toBe(0);
    expect(good.json()).toMatchObject({ content: expect.stringContaining('a.txt') });
    const field = await cli(['tools', 'call', 'grep_files', '{"pattern":"a","output_mode":"lines"}', '--json', ...at]);
    expect(field.code).toBe(1);
    expect(field.json()).toMatchObject({
      error: { code: 'invalid_input', message: expect.stringMatching(/output_mode[\s\S]*count/) },
    });
    const unknown = await cli(['tools', 'call', 'grep_fils', '{}', '--json', ...at]);
    expect(unknown.code).toBe(1);
    expect(JSON.stringify(unknown.json()['error'])).toContain('grep_files');
    const broken = await cli(['tools', 'call', 'grep_files', '{"pattern":', '--json', ...at]);
    expect(broken).toMatchObject({ code: 1 });
    const human = await cli(['tools', 'call', 'shout', '{"text":"hi"}', '--tools-dir', toolsDir, ...at]);
    expect(human).toMatchObject({ code: 0, out: 'HI\n' });
    expect((await cli(['sessions', 'list', '--json', ...at])).json()).toEqual([]);
  }),
);

verifies('cli/rules', 'a call that changes something is refused until a rule allows it, and deny always wins', () =>
  inCliWorld(async ({ at, toolsDir }) => {
    const call = (...flags: string[]) =>
      cli(['tools', 'call', 'writer', '{}', '--json', '--tools-dir', toolsDir, ...at, ...flags]);
    const refused = await call();
    expect(refused.code).toBe(1);
    expect(refused.json()).toMatchObject({ error: { code: 'denied', hint: expect.any(String) } });
    expect((await call('--allow', 'writer')).json()).toMatchObject({ content: 'changed' });
    expect((await call('--permission-mode', 'open')).code).toBe(0);
    expect((await call('--allow', 'writer', '--deny', 'writer')).json()).toMatchObject({ error: { code: 'denied' } });
    expect((await call('--permission-mode', 'open', '--ask', 'writer')).json()).toMatchObject({
      error: { code: 'denied' },
    });
  }),
);

verifies('cli/tools-dir', 'tools of a folder run in a prompt; an allow-list narrows, an unknown name is told', () =>
  inCliWorld(async ({ at, toolsDir }) => {
    const more = ['--tools-dir', toolsDir, ...at];
    const ran = await cli(['run', 'shout {"text":"hi"}', '--json', ...more]);
    expect(ran.out).toContain('"output":"HI"');
    const narrow = await cli(['run', 'read_file {"path":"a.txt"}', '--json', '--tools', 'shout,nosuch', ...more]);
    expect(narrow.err).toContain('nosuch');
    const selected = narrow.lines().find((event) => event['type'] === 'tools_selected');
    expect(selected).toMatchObject({ offered: ['shout'], unknown: ['nosuch'] });
    const result = narrow.lines().find((event) => event['type'] === 'tool_result');
    expect(result).toMatchObject({ is_error: true, error: { code: 'unknown_tool' } });
    const none = await cli(['run', 'hello', '--json', '--tools', '', ...more]);
    expect(none.lines().find((event) => event['type'] === 'tools_selected')).toMatchObject({ offered: [] });
    const missing = await cli(['tools', 'list', '--tools-dir', join(toolsDir, 'nowhere'), ...at]);
    expect(missing).toMatchObject({ code: 1, err: expect.stringContaining('nowhere') });
  }),
);

verifies('cli/interrupt', 'one interrupt: results and run_end still come, exit 130', () =>
  inCliWorld(async ({ at, toolsDir }) => {
    const printed = await cli(['run', 'wait {}', '--json', '--tools-dir', toolsDir, ...at], {
      onOut: (text, interrupt) => {
        if (text.includes('"tool_call"')) setImmediate(interrupt);
      },
    });
    expect(printed.code).toBe(130);
    expect(printed.lines().at(-1)).toMatchObject({ type: 'run_end', reason: 'cancelled' });
    expect(printed.lines().find((event) => event['type'] === 'tool_result')).toMatchObject({
      error: { code: 'cancelled' },
    });
  }),
);

verifies('cli/harmless', 'escape sequences of a tool do not reach the terminal', () =>
  inCliWorld(async ({ at, toolsDir }) => {
    const more = ['--tools-dir', toolsDir, ...at];
    for (const argv of [
      ['run', 'colourful {}'],
      ['tools', 'call', 'colourful', '{}'],
    ]) {
      const printed = await cli([...argv, ...more]);
      expect(printed.out).toContain('before');
      expect(printed.out + printed.err).not.toMatch(/[\u001b\u0007\u009b]/);
    }
  }),
);

verifies('cli/doctor', 'every part is looked at; a broken settings file is a failure, not a crash', () =>
  inCliWorld(async ({ at, project }) => {
    const printed = await cli(['doctor', '--json', ...at]);
    const { checks } = printed.json<{ checks: { name: string; status: string }[] }>();
    expect(checks.filter((check) => check.status === 'fail')).toEqual([]);
    expect(checks.map((check) => check.name).sort()).toEqual([
      'database',
      'git',
      'home',
      'local',
      'model',
      'node',
      'passthrough',
      'remote',
      'ripgrep',
      'sandbox',
      'settings',
    ]);
    expect(printed.code).toBe(0);
    await writeFile(join(project, 'toolwright.json'), '{');
    const broken = await cli(['doctor', ...at]);
    expect(broken.code).toBe(1);
    expect(broken.out).toMatch(/fail\s+settings.*toolwright\.json/);
  }),
);

verifies('runtime/tool-sources', 'toolwright.json names files of tools; a broken one is told by name', () =>
  inCliWorld(async ({ at, project, toolsDir }) => {
    await writeFile(join(project, 'toolwright.json'), JSON.stringify({ tools: ['./more-tools/*.js'] }));
    expect((await cli(['tools', 'call', 'shout', '{"text":"x"}', ...at])).out).toBe('X\n');
    await writeFile(join(toolsDir, 'broken.js'), 'export const = 1;');
    const printed = await cli(['tools', 'list', ...at]);
    expect(printed.err).toContain('broken.js');
  }),
);

verifies('cli/json', 'every command prints nothing but JSON on stdout, errors included', () =>
  inCliWorld(async ({ at, toolsDir }) => {
    const commands = [
      ['run', 'read_file {"path":"a.txt"}'],
      ['run', 'read_file {"path":"a.txt"}', '--model', 'nobody/x'],
      ['tools', 'list', '--tools-dir', toolsDir],
      ['tools', 'show', 'read_file'],
      ['tools', 'show', 'nothing'],
      ['tools', 'call', 'read_file', '{"path":"missing.txt"}'],
      ['tools', 'search', 'file'],
      ['sessions', 'list'],
      ['sessions', 'show', 'nowhere'],
      ['doctor'],
    ];
    for (const argv of commands) {
      const printed = await cli([...argv, '--json', ...at]);
      expect(printed.lines().length).toBeGreaterThan(0);
      expect([0, 1]).toContain(printed.code);
    }
  }),
);
