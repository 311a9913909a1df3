import { afterAll, beforeAll, expect } from 'vitest';
import { defineTool, systemClock, textOf } from '../../src/core/index.ts';
import { inTempFolder } from '../../src/testing/temp-folder.ts';
import { verifies } from '../verifies.ts';
import { type Bundle, bundleChild, expectSound, fatesOf, numbersIn, resume, runChild } from './killed-world.ts';

/** Kills at random times; raise it for a long search. */
const KILLS = Number(process.env['TOOLWRIGHT_TEST_KILLS'] ?? 200);
const KILLS_PER_SESSION = 10;
/** A step of the child takes a few of these. */
const LONGEST_LIFE_MS = 80;

let child: Bundle;
beforeAll(async () => {
  child = await bundleChild();
}, 60_000);
afterAll(() => child?.remove());

/** Two at a time. */
async function inPairs<Item>(items: readonly Item[], body: (item: Item) => Promise<void>): Promise<void> {
  const left = [...items];
  const work = async (): Promise<void> => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) await body(item);
  };
  await Promise.all([work(), work()]);
}

verifies(
  'runtime/recovery',
  'killed before and after each write and each effect, nothing is lost, doubled or pretended',
  async () => {
    const whole = await inTempFolder(async (folder) => {
      const end = await runChild(child.file, [folder, 's', 2]);
      const found = await resume(folder, 's');
      if (end === undefined || found === undefined) throw new Error('the child was to come to its end');
      expectSound(found);
      expect(found).toMatchObject({ repairs: [], lines: [1, 2, 3, 4] });
      return end;
    });
    expect(whole.writes).toBeGreaterThan(5);
    expect(whole.lines).toBe(4);
    const borders = (['write', 'line'] as const).flatMap((kind) =>
      Array.from({ length: kind === 'write' ? whole.writes : whole.lines }, (_, index) => index + 1).flatMap((n) =>
        (['before', 'after'] as const).map((when) => [kind, n, when] as const),
      ),
    );
    const seen = new Set<string>();
    await inPairs(borders, (border) =>
      inTempFolder(async (folder) => {
        await runChild(child.file, [folder, 's', 2, ...border]);
        const found = await resume(folder, 's');
        if (found === undefined) return;
        expectSound(found);
        for (const fate of fatesOf(found.messages).values()) seen.add(fate.join());
        expect(await resume(folder, 's')).toEqual({ ...found, repairs: [], added: [] });
        await runChild(child.file, [folder, 's', 2]);
        const gone = await resume(folder, 's');
        if (gone !== undefined) expectSound(gone);
        const lines = [...(gone?.lines ?? [])].sort((a, b) => a - b);
        expect(lines).toEqual(lines.map((_, index) => index + 1));
        expect(lines.length).toBeGreaterThanOrEqual(4);
      }),
    );
    expect([...seen].sort()).toEqual(['appended', 'cancelled', 'uncertain']);
  },
  120_000,
);

verifies(
  'runtime/recovery',
  `killed ${KILLS} times at random while it appends, and gone on with each time`,
  async () => {
    const sessions = Array.from({ length: Math.ceil(KILLS / KILLS_PER_SESSION) }, (_, index) => `s${index}`);
    let killed = 0;
    const fates: Record<string, number> = {};
    await inPairs(sessions, (id) =>
      inTempFolder(async (folder) => {
        for (let kill = 0; kill < KILLS_PER_SESSION && killed < KILLS; kill++) {
          killed++;
          // On a machine under load a child that is killed soon after its start keeps nothing.
          const from = kill % 2 === 0 ? 'ready' : 'begun';
          await runChild(child.file, [folder, id, 100_000], { from, ms: Math.random() * LONGEST_LIFE_MS });
          const found = await resume(folder, id);
          if (found !== undefined) expectSound(found);
        }
        await runChild(child.file, [folder, id, 3]);
        const found = await resume(folder, id);
        if (found === undefined) throw new Error('the last child was to come to its end');
        expectSound(found);
        const lines = [...found.lines].sort((a, b) => a - b);
        expect(lines).toEqual(lines.map((_, index) => index + 1));
        for (const fate of [...fatesOf(found.messages).values()].flat()) fates[fate] = (fates[fate] ?? 0) + 1;
      }),
    );
    expect(killed).toBe(KILLS);
    // More than what the last children add, which nobody kills.
    expect(fates['appended']).toBeGreaterThan(6 * sessions.length);
  },
  240_000,
);

verifies('runtime/lease', 'a killed process leaves its session busy for less than twenty seconds', () =>
  inTempFolder(async (folder) => {
    await runChild(child.file, [folder, 's', 1, 'line', 1, 'after']);
    const inTenSeconds = { ...systemClock, now: () => Date.now() + 10_000 };
    await expect(resume(folder, 's', { clock: systemClock })).rejects.toMatchObject({ code: 'busy' });
    await expect(resume(folder, 's', { clock: inTenSeconds })).rejects.toMatchObject({ code: 'busy' });
    expect((await resume(folder, 's'))?.repairs).not.toEqual([]);
  }),
);

verifies('runtime/recovery', 'each thing that was mended is told, and what nobody can know is called uncertain', () =>
  inTempFolder(async (folder) => {
    await runChild(child.file, [folder, 's', 1, 'line', 1, 'after']);
    const found = await resume(folder, 's');
    const id = found?.messages.find((message) => message.role === 'tool')?.toolCallId;
    expect(found?.repairs).toEqual(
      expect.arrayContaining([
        `answered the open call ${id}`,
        `the call ${id} of append had started and not ended: it is uncertain`,
        'ended the run that the process left open',
      ]),
    );
    expect(found?.events.at(-1)).toMatchObject({ type: 'run_end', reason: 'error' });
    expect(found?.lines).toEqual([1]);
  }),
);

verifies(
  'runtime/reconcile',
  'a tool that can find out what became of its call is asked; its word is the result',
  async () => {
    const outcomes: string[] = [];
    for (const when of ['before', 'after']) {
      await inTempFolder(async (folder) => {
        await runChild(child.file, [folder, 's', 1, 'line', 1, when]);
        const append = defineTool<{ line: number }>({
          name: 'append',
          description: 'Appends.',
          input: { type: 'object' },
          reconcile: async ({ line }) =>
            (await numbersIn(folder, 'lines.txt')).includes(line)
              ? { content: `appended ${line}, as the file shows` }
              : { content: `line ${line} is not there` },
          run: () => 'resuming runs nothing',
        });
        const found = await resume(folder, 's', { tools: [append] });
        outcomes.push(...(found?.messages ?? []).flatMap((m) => (m.role === 'tool' ? [textOf(m.content)] : [])));
        expect(found?.repairs.join()).toContain('its tool says what became of it');
      });
    }
    expect(outcomes).toContain('line 1 is not there');
    expect(outcomes).toContain('appended 1, as the file shows');
    expect(outcomes.join()).not.toMatch(/uncertain|runs nothing/);
  },
);
