import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { expect } from 'vitest';
import { verifies } from '../../../test/verifies.ts';
import { inTempFolder } from '../../testing/temp-folder.ts';
import { createVirtualClock } from '../../testing/virtual-clock.ts';
import { createInProcessServer } from '../in-process/create-in-process-server.ts';
import type { Wake } from './task-clock.ts';
import { taskSchedulerServer } from './task-scheduler.ts';

const START = Date.UTC(2030, 0, 1, 8, 30);
const HOUR = 3_600_000;

interface World {
  readonly folder: string;
  readonly clock: ReturnType<typeof createVirtualClock>;
  readonly woken: { prompt: string; at: string; session?: string }[];
}

async function withScheduler(
  world: World,
  body: (call: (name: string, input?: object) => Promise<string>) => Promise<void>,
  wake?: Wake,
): Promise<void> {
  const { folder, clock, woken } = world;
  const definition = taskSchedulerServer({
    folder,
    clock,
    log: () => {},
    wake:
      wake ??
      (async ({ prompt, sessionId }) => {
        const at = new Date(clock.now()).toISOString();
        woken.push({ prompt, at, ...(sessionId === undefined ? {} : { session: sessionId }) });
      }),
  });
  const server = createInProcessServer(definition);
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'test', version: '1.0.0' });
  await Promise.all([server.connect(ours), client.connect(theirs)]);
  try {
    await body(async (name, input = {}) => {
      const result = (await client.callTool({ name, arguments: { ...input } })) as { content: { text: string }[] };
      return result.content.map((part) => part.text).join('\n');
    });
  } finally {
    await definition.close?.();
    await client.close();
  }
}

const inWorld = (body: (world: World) => Promise<void>) =>
  inTempFolder((folder) => body({ folder: join(folder, 'schedule'), clock: createVirtualClock(START), woken: [] }));

/** Time goes on, and then stands still until what it set off in files has been done. */
async function later(world: World, ms: number, done: () => boolean | Promise<boolean> = () => true): Promise<void> {
  await world.clock.advance(ms);
  for (let tries = 0; tries < 8 || (tries < 4_000 && !(await done())); tries++) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    await world.clock.advance(0);
  }
}

const wokenTimes = (world: World, times: number) => () => world.woken.length >= times;

verifies(
  'mcp/task-scheduler',
  'tasks run at their time, once or by a cron line in its zone, and wake their session',
  () =>
    inWorld((world) =>
      withScheduler(world, async (call) => {
        expect(await call('schedule_task', { prompt: 'once', in_seconds: 600, session_id: 's1' })).toMatch(
          /2030-01-01T08:40/,
        );
        expect(
          await call('schedule_task', { prompt: 'daily', cron: '0 10 * * *', time_zone: 'Europe/Berlin' }),
        ).toMatch(/T09:00/);
        await later(world, 10 * 60_000, wokenTimes(world, 1));
        expect(world.woken).toEqual([{ prompt: 'once', at: '2030-01-01T08:40:00.000Z', session: 's1' }]);
        await later(world, 20 * 60_000, wokenTimes(world, 2));
        expect(world.woken.at(-1)).toEqual({ prompt: 'daily', at: '2030-01-01T09:00:00.000Z' });
        const listed = await call('list_scheduled_tasks');
        expect(listed).toMatch(/no further run; last 2030-01-01T08:40:00.000Z ok; "once"/);
        expect(listed).toMatch(/next 2030-01-02T09:00:00.000Z; last 2030-01-01T09:00:00.000Z ok; "daily"/);
        const id = /^([a-z0-9]+): 0 10/m.exec(listed)?.[1] as string;
        expect(await call('cancel_scheduled_task', { id })).toContain('cancelled');
        expect(await call('cancel_scheduled_task', { id })).toContain('no task');
        await later(world, 48 * HOUR);
        expect(world.woken).toHaveLength(2);
      }),
    ),
);

verifies(
  'mcp/task-scheduler',
  'what was due while nothing ran is made up for within the hour, else told as missed',
  () =>
    inWorld(async (world) => {
      await withScheduler(world, async (call) => {
        await call('schedule_task', { prompt: 'soon', in_seconds: 1_800 });
        await call('schedule_task', { prompt: 'hourly', cron: '0 * * * *' });
      });
      await world.clock.advance(HOUR);
      await withScheduler(world, async () => {
        await later(world, 0, wokenTimes(world, 2));
        expect(world.woken.map(({ prompt }) => prompt).sort()).toEqual(['hourly', 'soon']);
      });
      await world.clock.advance(50 * HOUR);
      await withScheduler(world, async (call) => {
        await later(world, 0, async () => (await call('list_scheduled_tasks')).includes('missed'));
        expect(await call('list_scheduled_tasks')).toMatch(/next 2030-01-03T12:00.*missed/);
        expect(world.woken).toHaveLength(2);
        await later(world, HOUR, wokenTimes(world, 3));
        expect(world.woken).toHaveLength(3);
      });
    }),
);

verifies(
  'mcp/task-scheduler',
  'two processes with one schedule run a task once; a failed run is told and does not end it',
  () =>
    inWorld(async (world) => {
      await withScheduler(world, (call) =>
        withScheduler(world, async () => {
          await call('schedule_task', { prompt: 'shared', cron: '*/10 * * * *' });
          await later(world, 61_000);
          await later(world, 9 * 60_000, wokenTimes(world, 1));
          expect(world.woken.map(({ prompt }) => prompt)).toEqual(['shared']);
        }),
      );
      const failing: Wake = async () => {
        throw new Error('the session is busy');
      };
      await withScheduler(
        world,
        async (call) => {
          await later(world, 10 * 60_000, async () => (await call('list_scheduled_tasks')).includes('failed'));
          expect(await call('list_scheduled_tasks')).toMatch(/failed \(the session is busy\)/);
        },
        failing,
      );
      expect((await readdir(world.folder)).filter((name) => name.includes('claim')).length).toBeLessThanOrEqual(2);
    }),
);

verifies('mcp/task-scheduler', 'senseless times are refused with what to write; broken files are passed over', () =>
  inWorld((world) =>
    withScheduler(world, async (call) => {
      const wrong = [
        [{ prompt: 'x' }, /one of cron/],
        [{ prompt: 'x', cron: '* * *' }, /no schedule/],
        [{ prompt: 'x', cron: '* * * * * *' }, /no schedule/],
        [{ prompt: 'x', cron: '0 0 * * *', time_zone: 'Mars/Olympus' }, /no schedule in Mars/],
        [{ prompt: 'x', at: '2031-01-01' }, /with its zone/],
        [{ prompt: 'x', at: '2001-01-01T00:00:00Z' }, /has passed/],
        [{ prompt: 'x', in_seconds: 0 }, /in_seconds/],
        [{ prompt: '', in_seconds: 5 }, /prompt/],
      ] as const;
      for (const [input, word] of wrong) expect(await call('schedule_task', input)).toMatch(word);
      await call('schedule_task', { prompt: 'fine', in_seconds: 60 });
      await writeFile(join(world.folder, 'abc.task.json'), '{"id":');
      await writeFile(join(world.folder, '000.task.json'), '{"id":"000","prompt":"p","createdAt":1,"cron":"nonsense"}');
      expect(await call('list_scheduled_tasks')).toMatch(/000: nonsense, no further run/);
      await later(world, 60_000, wokenTimes(world, 1));
      expect(world.woken.map(({ prompt }) => prompt)).toEqual(['fine']);
    }),
  ),
);
