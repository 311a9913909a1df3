import { expect } from 'vitest';
import { type EventBody, type Sandbox, systemClock, textOf } from '../../src/core/index.ts';
import { type RuntimeOptions, remoteSandbox, type SandboxFactory } from '../../src/runtime/index.ts';
import { passthroughSandbox } from '../../src/runtime/passthrough.ts';
import { whyNoLocal } from '../local-world.ts';
import { inRemoteWorld, TOKEN } from '../remote-world.ts';
import { verifies } from '../verifies.ts';
import { chaos, withServers } from './mcp-world.ts';
import { collect, inWorld, scripted, type World } from './runtime-world.ts';

const OFF = { TOOLWRIGHT_TOOL_PROGRESS_ENABLED: 'false' };

/** A run with a flood, a question and a task in the background, with live output and without: the same but for it. */
async function sameWithout(world: World, options: RuntimeOptions): Promise<void> {
  const seen = async (env: Record<string, string>) => {
    const runtime = await world.runtime({ ...options, env: { ...world.env, ...env } });
    const asked: string[] = [];
    const session = await runtime.session({
      model: scripted([
        { name: 'run_bash', input: { command: 'seq 1 50000; printf tail; echo bad >&2; exit 3' } },
        { name: 'run_bash', input: { command: 'echo first; sleep 0.05; echo last' } },
      ]),
      onAsk: async (ask) => {
        asked.push(ask.tool);
        return { outcome: 'approved' };
      },
    });
    const events: EventBody[] = await collect(session.run('go'));
    const results = events.flatMap((event) => (event.type === 'tool_result' ? [event.result] : []));
    await session.close();
    await runtime.close();
    return {
      live: events.filter((event) => event.type === 'tool_progress').length,
      kinds: events.flatMap(({ type }) => (/delta|progress|heartbeat/.test(type) ? [] : [type])),
      asked,
      ends: results.map(({ error, data, stored }) => [
        error?.code,
        (data as { exit_code: number }).exit_code,
        stored?.bytes,
      ]),
      last: textOf(results[1]?.content ?? ''),
    };
  };
  const [on, off] = [await seen({}), await seen(OFF)];
  expect(on.live).toBeGreaterThan(2);
  expect(off).toEqual({ ...on, live: 0 });
  expect(off.asked).toEqual(['run_bash', 'run_bash']);
  expect(off.ends).toEqual([
    ['failed', 3, expect.any(Number)],
    [undefined, 0, undefined],
  ]);
  expect(off.last).toBe('first\nlast');
}

verifies('PROG-03', 'switched off: commands on this machine end the same, and nothing of them is live', () =>
  inWorld((world) => sameWithout(world, {})),
);

if (whyNoLocal === undefined) {
  verifies('PROG-03', 'switched off: commands in the sandbox local end the same', () =>
    inWorld((world) => sameWithout(world, { sandbox: 'local' })),
  );
}

verifies('PROG-03', 'switched off: commands on the far machine end the same', () =>
  inRemoteWorld((far) =>
    inWorld((world) => sameWithout(world, { sandbox: remoteSandbox({ url: far.url, token: TOKEN, cwd: far.root }) })),
  ),
);

verifies('PROG-03', 'switched off: a sandbox that does not push is still read to the end', () =>
  inWorld((world) => {
    const factory: SandboxFactory = async (session) => {
      const made = await passthroughSandbox(world.env)(session);
      const sandbox: Sandbox = { ...made.sandbox, capabilities: { ...made.sandbox.capabilities, pushes: false } };
      return { ...made, sandbox };
    };
    return sameWithout(world, { sandbox: factory });
  }),
);

verifies('PROG-03', 'switched off: no window is opened and no timer set, whatever a tool says', () =>
  inWorld(async (world) => {
    const WINDOW = 7_919;
    let timers = 0;
    const clock = {
      ...systemClock,
      after(ms: number, fn: () => void) {
        if (ms === WINDOW) timers++;
        return systemClock.after(ms, fn);
      },
    };
    const talk = {
      name: 'talk',
      description: 'Talks.',
      input: { type: 'object' } as const,
      traits: { readOnly: true },
      async *run() {
        for (let i = 0; i < 100; i++) yield `${i}\n`;
        return 'done';
      },
    };
    for (const [env, windows] of [[{}, 1] as const, [OFF, 0] as const]) {
      timers = 0;
      const runtime = await world.runtime({
        env: { ...world.env, ...env },
        limits: { progressIntervalMs: WINDOW },
        clock,
        tools: [talk],
      });
      const session = await runtime.session();
      expect((await session.call('talk', {})).content).toBe('done');
      expect(timers).toBe(windows);
    }
  }),
);

verifies('PROG-03', 'switched off: a tool of an MCP server that tells its progress ends the same', () =>
  withServers(
    { c: chaos('plain') },
    async ({ session }) => {
      const opened = await session();
      const events: EventBody[] = [];
      const result = await opened.call('mcp__c__echo', '{"do":"progress"}', { onEvent: (event) => events.push(event) });
      expect(result.content).toBe('done');
      expect(events.map(({ type }) => type)).not.toContain('tool_progress');
      expect(events.map(({ type }) => type)).toContain('tool_result');
    },
    { variables: OFF },
  ),
);
