import { expect } from 'vitest';
import { verifies } from '../verifies.ts';
import { cli } from './cli-world.ts';
import { inWorld } from './runtime-world.ts';

const PROMPT = 'read_file {"path":"a.txt"}\nglob_files {"pattern":"*.txt"}';

/** A project with one file and one recorded session. */
const withSession = (body: (id: string, at: readonly string[]) => Promise<void>) =>
  inWorld(async ({ project, home }) => {
    const { writeFile } = await import('node:fs/promises');
    const { join } = await import('node:path');
    await writeFile(join(project, 'a.txt'), 'one\n');
    const before = process.env['TOOLWRIGHT_HOME'];
    process.env['TOOLWRIGHT_HOME'] = home;
    try {
      const at = ['--cwd', project];
      const ran = await cli(['run', PROMPT, '--json', ...at]);
      expect(ran.code).toBe(0);
      await body(String(ran.lines()[0]?.['session_id']), at);
    } finally {
      if (before === undefined) delete process.env['TOOLWRIGHT_HOME'];
      else process.env['TOOLWRIGHT_HOME'] = before;
    }
  });

verifies('cli/sessions', 'export gives messages and events, or a page; replay shows what was shown', () =>
  withSession(async (id, at) => {
    const exported = (await cli(['sessions', 'export', id, ...at])).json<{
      messages: { role: string }[];
      events: { type: string }[];
    }>();
    expect(exported.messages.map((message) => message.role)).toEqual([
      'user',
      'assistant',
      'tool',
      'tool',
      'assistant',
    ]);
    expect(exported.events.map((event) => event.type)).toContain('tool_result');
    const page = await cli(['sessions', 'export', id, '--format', 'md', ...at]);
    expect(page.out).toContain('**read_file** (done)');
    const replayed = await cli(['sessions', 'replay', id, ...at]);
    expect(replayed.out).toContain('● read_file');
    expect(replayed.out).toContain('│ 1\tone');
    expect(replayed.out.indexOf('✓ read_file')).toBeLessThan(replayed.out.indexOf('Done: 2 calls'));
    const lines = (await cli(['sessions', 'replay', id, '--json', ...at])).lines();
    expect(lines.at(-1)?.['type']).toBe('run_end');
  }),
);

verifies('cli/sessions', 'resume says what was mended, and run goes on with the session in a new process', () =>
  withSession(async (id, at) => {
    const resumed = await cli(['sessions', 'resume', id, '--json', ...at]);
    expect(resumed.json()).toMatchObject({ id, repairs: [], uncertain: [], messages: 5 });
    const more = await cli(['run', PROMPT, '--session', id, '--json', ...at]);
    expect(more.code).toBe(0);
    const seqs = more.lines<{ seq: number }>().map((event) => event.seq);
    expect(Math.min(...seqs)).toBeGreaterThan(20);
    const shown = (await cli(['sessions', 'show', id, '--json', ...at])).json<{ messages: unknown[] }>();
    expect(shown.messages).toHaveLength(10);
    expect((await cli(['sessions', 'resume', 'nope', ...at])).code).toBe(1);
  }),
);

verifies('cli/replay', 'a replayed model answers the same prompt and refuses another', () =>
  withSession(async (id, at) => {
    const again = await cli(['run', PROMPT, '--model', `replay:${id}`, ...at]);
    expect([again.code, again.out]).toEqual([0, expect.stringContaining('Done: 2 calls')]);
    const other = await cli(['run', 'glob_files {"pattern":"*"}', '--model', `replay:${id}`, ...at]);
    expect(other.code).toBe(1);
    expect(other.err).toContain('differs from the recording');
  }),
);
