import { join } from 'node:path';
import { expect } from 'vitest';
import type { Message } from '../../src/core/index.ts';
import { openSqliteStore } from '../../src/store/index.ts';
import { verifies } from '../verifies.ts';
import { cli, withEnv } from './cli-world.ts';
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

const CALL = { id: 'c1', name: 'run_bash', arguments: '{"command":"echo x"}' };
const CRASHED: readonly [Message, ...Message[]] = [
  { id: 'u', role: 'user', content: 'go' },
  { id: 'a', role: 'assistant', content: 'I shall write.', toolCalls: [CALL, { ...CALL, id: 'c2' }] },
];

/** A session as a killed process leaves it: one call had started, its sister had not; the lease ends at `until`. */
const withCrash = (until: number, body: (at: readonly string[]) => Promise<void>) =>
  inWorld(({ project, home, env }) =>
    withEnv(env, async () => {
      const store = await openSqliteStore({ path: join(home, 'toolwright.db') });
      const now = Date.now();
      const times = { createdAt: now, updatedAt: now };
      const facts = { agentName: 'main', model: 'm', summary: 'go', usage: {}, metadata: { cwd: project } };
      await store.sessions.create({ id: 's', ...times, ...facts, status: 'running' });
      await store.sessions.lease('s', 'killed', until, now);
      const place = { sessionId: 's', ts: now / 1_000 };
      const seq = await store.sessions.reserveSeq('s', 3);
      const [user] = CRASHED;
      await store.sessions.write({
        sessionId: 's',
        messages: CRASHED.map((message, position) => ({ position, message })),
        callsStarted: [{ callId: 'c1', runId: 'r', step: 1, name: CALL.name, input: {}, startedAt: now }],
        events: [
          { ...place, seq, type: 'run_start', runId: 'r', model: 'm' },
          { ...place, seq: seq + 1, type: 'message', message: user },
          { ...place, seq: seq + 2, type: 'turn_start', runId: 'r', step: 1 },
        ],
      });
      await store.close();
      await body(['--cwd', project]);
    }),
  );

verifies('cli/sessions', 'resume says line by line what it mended, and what is uncertain; runs nothing', () =>
  withCrash(Date.now() - 1, async (at) => {
    const resumed = await cli(['sessions', 'resume', 's', ...at]);
    expect(resumed.code).toBe(0);
    expect(resumed.out.split('\n')).toEqual([
      'mended: answered the open call c1',
      'mended: answered the open call c2',
      'mended: the call c1 of run_bash had started and not ended: it is uncertain',
      'mended: ended the run that the process left open',
      'uncertain: run_bash (c1) may or may not have taken effect',
      'go on with: toolwright run --session s "…"',
      '',
    ]);
    const again = await cli(['sessions', 'resume', 's', '--json', ...at]);
    expect(again.json()).toEqual({ id: 's', repairs: [], uncertain: ['c1'], messages: 4 });
    const page = (await cli(['sessions', 'export', 's', '--format', 'md', ...at])).out;
    expect(page).toMatch(/I shall write\.[\s\S]*may or may not have taken effect[\s\S]*did not run/);
    const shown = (await cli(['sessions', 'replay', 's', ...at])).out;
    expect(shown).toMatch(/> go\n[\s\S]*I shall write\.\n● run_bash[\s\S]*uncertain[\s\S]*run ended: error/);
    const more = await cli(['run', 'hello', '--session', 's', '--json', ...at]);
    expect([more.code, more.err]).toEqual([0, '']);
  }),
);

verifies('cli/sessions', 'run --session mends by itself, and says so', () =>
  withCrash(Date.now() - 1, async (at) => {
    const ran = await cli(['run', 'hello', '--session', 's', '--json', ...at]);
    expect(ran).toMatchObject({ code: 0, err: expect.stringContaining('mended: answered the open call c1') });
  }),
);

verifies('cli/sessions', 'as long as another process holds it, a session is busy', () =>
  withCrash(Date.now() + 15_000, async (at) => {
    for (const argv of [
      ['sessions', 'resume', 's'],
      ['run', 'hello', '--session', 's'],
      ['chat', '--session', 's'],
    ]) {
      const refused = await cli([...argv, ...at]);
      expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('busy') });
      expect(refused.err).toContain('20 seconds');
    }
    expect((await cli(['sessions', 'export', 's', ...at])).json<{ messages: unknown[] }>().messages).toHaveLength(2);
  }),
);
