import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { createRuntime } from 'toolwright';
import { openSqliteStore } from 'toolwright/store';
import { type Bench, timed } from './harness.ts';

const SESSIONS = 500;
const CALLS = 200;

/** Inputs that differ from call to call: three of five are shell lines. */
function callOf(i: number): { name: string; input: Record<string, unknown> } {
  const shell = (command: string) => ({ name: 'run_bash', input: { command } });
  switch (i % 5) {
    case 0:
      return shell(`git log --oneline -n ${i} | head -5 && npm run build -- --id=${i}`);
    case 1:
      return shell(`for f in src/*-${i}.ts; do grep -n "x ${i}" "$f" > /dev/null; done; timeout ${i} ls a${i}`);
    case 2:
      return shell(`cd dir${i} && find . -name '*.${i}' -exec wc -l {} + | sort -n`);
    case 3:
      return { name: 'read_file', input: { path: `src/file-${i}.ts` } };
    default:
      return { name: 'file_write', input: { path: `src/file-${i}.ts`, content: 'x'.repeat(200) } };
  }
}

/** Other rules on all that was ever called, as `policy replay` does it. */
export const policyReplay: Bench = {
  name: 'policy-replay',
  title: `${SESSIONS * CALLS} kept calls judged again by other rules`,
  unit: 's',
  goal: { value: 10 },
  async open() {
    const home = await mkdtemp(join(tmpdir(), 'toolwright-bench-'));
    const path = join(home, 'toolwright.db');
    const store = await openSqliteStore({ path });
    for (let s = 0; s < SESSIONS; s++) {
      const sessionId = `s${s}`;
      const record = {
        id: sessionId,
        createdAt: s,
        updatedAt: s,
        agentName: 'main',
        model: '',
        status: 'idle' as const,
      };
      await store.sessions.create({ ...record, summary: '', usage: {}, metadata: { cwd: home } });
      await store.sessions.write({
        sessionId,
        callsEnded: Array.from({ length: CALLS }, (_, i) => {
          const { name, input } = callOf(s * CALLS + i);
          return {
            runId: 'r',
            step: i,
            endedAt: 2,
            input,
            result: { callId: `c${i}`, name, content: 'x'.repeat(100), durationMs: 1 },
          };
        }),
      });
    }
    await store.close();
    const rules = join(home, 'rules.json');
    const deny = ['run_bash(npm publish:*)', 'run_bash(rm:*)', 'file_write(.env)'];
    await writeFile(rules, JSON.stringify({ allow: ['Read', 'Bash(git:*)', 'Bash(ls:*)', 'Edit(src/**)'], deny }));
    const runtime = await createRuntime({ cwd: home, env: { TOOLWRIGHT_HOME: home } });
    const reads = () =>
      timed(1_000, async () => {
        const database = new Database(path, { readonly: true });
        let calls = 0;
        for (const row of database.prepare('SELECT input, result FROM agent_tool_calls').iterate() as Iterable<{
          input: string;
          result: string;
        }>) {
          JSON.parse(row.input);
          JSON.parse(row.result);
          calls++;
        }
        database.close();
        if (calls !== SESSIONS * CALLS) throw new Error('rows are missing');
      });
    const ours = () =>
      timed(1_000, async () => {
        const { calls, changed } = await runtime.replayPolicy(rules);
        if (calls !== SESSIONS * CALLS || changed !== calls * 0.6) throw new Error(`${changed} of ${calls} changed`);
      });
    return {
      contenders: [
        { name: 'floor: the rows read and parsed', run: reads },
        { name: 'toolwright', run: ours },
      ],
      async close() {
        await runtime.close();
        await rm(home, { recursive: true });
      },
    };
  },
};
