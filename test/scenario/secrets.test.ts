import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { createMasker } from '../../src/executor/index.ts';
import { defineTool, type Model, type ToolOutput } from '../../src/runtime/index.ts';
import { plantedSecrets } from '../planted-secrets.ts';
import { verifies } from '../verifies.ts';
import { cli, withEnv } from './cli-world.ts';
import { collect, inWorld } from './runtime-world.ts';

const planted = plantedSecrets(287);
/** A line of a PEM block is as bad as all of it. */
const forbidden = planted.flatMap(({ kind, secret }) => secret.split('\n').map((line) => [kind, line] as const));

/** In each place where a tool may put text. */
function outputOf(call: number): ToolOutput | string | Record<string, unknown> {
  const own = planted.filter((_, at) => at % 6 === call).map(({ text }) => text);
  const lines = own.map((text, at) => `line ${at}: ${text}`).join('\n');
  switch (call) {
    case 0:
      return lines;
    case 1:
      return { found: own.map((text, at) => ({ at, text })) };
    case 2:
      return { content: [{ type: 'text', text: lines }], data: { rows: own } };
    case 3:
      return { content: 'failed', error: { code: 'failed', message: own.slice(0, 12).join(' '), retryable: false } };
    case 4:
      return { content: JSON.stringify({ lines }), data: { nested: { lines } } };
    default:
      throw new Error(lines.slice(0, 1_800));
  }
}

verifies('runtime/planted-secrets', `${planted.length} credentials are in no file, event, request, screen or log`, () =>
  inWorld(async ({ project, home, env, runtime }) => {
    expect(new Set(planted.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(20);
    const requests: string[] = [];
    let turn = 0;
    const model: Model = {
      id: 'test/reader',
      async *stream(request) {
        requests.push(JSON.stringify(request));
        if (turn++ > 0) {
          yield { type: 'text_delta', text: 'done' };
          yield { type: 'model_end', reason: 'stop' };
          return;
        }
        for (let call = 0; call < 6; call++) {
          yield { type: 'tool_call_start', key: call, id: `c${call}`, name: 'leak' };
          yield { type: 'tool_call_delta', key: call, text: JSON.stringify({ call }) };
        }
        yield { type: 'model_end', reason: 'tool_calls' };
      },
    };
    const leak = defineTool<{ call: number }>({
      name: 'leak',
      description: 'Says what it found.',
      input: { type: 'object', properties: { call: { type: 'integer' } }, required: ['call'] },
      traits: { readOnly: true },
      run({ call }, { progress }) {
        const output = outputOf(call);
        const text = JSON.stringify(output);
        for (let at = 0; at < text.length; at += 37) progress(text.slice(at, at + 37));
        return output;
      },
    });
    const made = await runtime({ tools: [leak] });
    const session = await made.session({ id: 's', model });
    const events = JSON.stringify(await collect(session.run('Go.')));
    await session.close();
    await made.close();
    const files = await readdir(home, { recursive: true, withFileTypes: true });
    const disk = await Promise.all(
      files.filter((file) => file.isFile()).map((file) => readFile(join(file.parentPath, file.name), 'latin1')),
    );
    const shown: string[] = [];
    await withEnv({ ...env, NO_COLOR: '1' }, async () => {
      for (const argv of [
        ['sessions', 'show', 's'],
        ['sessions', 'export', 's'],
        ['sessions', 'replay', 's', '--json'],
        ['audit', '--json'],
      ]) {
        const { code, out, err } = await cli([...argv, '--cwd', project]);
        expect([argv.join(' '), code]).toEqual([argv.join(' '), 0]);
        shown.push(out, err);
      }
    });
    const places = { events, requests: requests.join('\n'), disk: disk.join('\n'), shown: shown.join('\n') };
    for (const text of Object.values(places)) expect(text).toContain('[masked]');
    const leaked = Object.entries(places).flatMap(([place, text]) =>
      forbidden.flatMap(([kind, secret]) =>
        [secret, JSON.stringify(secret).slice(1, -1)].some((form) => text.includes(form))
          ? [`${kind} in ${place}`]
          : [],
      ),
    );
    expect([...new Set(leaked)]).toEqual([]);
  }),
);

verifies('runtime/planted-secrets', 'arguments that hold one are masked in events and in the audit log', () =>
  inWorld(async ({ runtime }) => {
    const secret = planted[0]?.secret ?? '';
    const made = await runtime({ model: 'manual' });
    const session = await made.session({ id: 's' });
    const events = await collect(session.run(`read_file {"path": "${secret}"}`));
    expect(JSON.stringify(events.filter((event) => event.type === 'tool_call'))).not.toContain(secret);
    const rows = await made.audit.list();
    expect(rows.length).toBeGreaterThan(1);
    expect(JSON.stringify(rows)).toContain('[masked]');
    expect(JSON.stringify(rows)).not.toContain(secret);
    // The provider must get back what the model wrote.
    expect(JSON.stringify(await session.messages())).toContain(secret);
  }),
);

verifies('executor/mask', '10,000 lines of real code, data and minified text are left alone', async () => {
  const masker = createMasker({ values: [] });
  const root = join(import.meta.dirname, '../../node_modules');
  const texts = await Promise.all(
    ['typescript/lib/typescript.js', 'zod/package.json', 'commander/lib/command.js', 'better-sqlite3/README.md'].map(
      (file) => readFile(join(root, file), 'utf8'),
    ),
  );
  const lines = texts.flatMap((text) => text.split('\n').slice(0, 9_000));
  expect(lines.length).toBeGreaterThan(10_000);
  expect(lines.filter((line) => masker.mask(line) !== line)).toEqual([]);
  for (const text of texts) expect(masker.mask(text) === text).toBe(true);
});

verifies('executor/mask', 'known values in base64 and URLs are masked', () => {
  const value = 'my own: se/cret+value';
  const masker = createMasker({ values: [value, 'hunt3r'] });
  for (const before of ['', 'a', 'user:', 'abcd']) {
    const basic = Buffer.from(`${before}${value} and more`).toString('base64');
    expect(masker.mask(`x ${basic} y`)).toContain('[masked]');
    const masked = Buffer.from(masker.mask(basic).replace('[masked]', ''), 'base64').toString('latin1');
    expect(masked).not.toContain('secret'.slice(0, 3));
  }
  expect(masker.mask(`?q=${encodeURIComponent(value)}&r=1`)).toBe('?q=[masked]&r=1');
  expect(masker.mask('pass hunt3r!')).toBe('pass [masked]!');
});
