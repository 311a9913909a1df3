import { readdirSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Sandbox } from '../../src/core/index.ts';
import { createToolRunner } from '../../src/testing/tool-runner.ts';
import { runBash } from '../../src/tools/index.ts';
import { HOSTILE_COMMANDS, LONG, UNCAGED_COMMANDS } from '../hostile-commands.ts';
import { type LocalWorld, openLocalWorld, openPassthroughWorld, whyNoLocal } from '../local-world.ts';
import { verifies } from '../verifies.ts';

const LIMIT_MS = 500;
/** What a call may take beyond its limit. */
const MORE_MS = 1_000;
/** Of a machine under load one late return says nothing. */
const TRIES = 3;
/** Commands that run beside each other, each in a sandbox of its own. */
const LANES = 3;

type Open = () => Promise<LocalWorld>;

verifies(
  'tools/hostile',
  'passthrough: commands return within their time and leave nothing',
  () => tryAll(openPassthroughWorld, HOSTILE_COMMANDS),
  300_000,
);

if (whyNoLocal === undefined) {
  verifies(
    'tools/hostile',
    'local: commands return within their time and leave nothing',
    () => tryAll(openLocalWorld, { ...HOSTILE_COMMANDS, ...UNCAGED_COMMANDS }),
    300_000,
  );
}

async function tryAll(open: Open, commands: Readonly<Record<string, string>>): Promise<void> {
  const waiting = Object.entries(commands);
  let count = 0;
  const late: string[] = [];
  const left: string[] = [];
  const lane = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [name, command] = next;
      let isLate = true;
      for (let tries = 0; isLate && tries < TRIES; tries++) {
        const sign = `${LONG}.${process.pid}${String(++count).padStart(3, '0')}`;
        const world = await open();
        try {
          const own = command.replaceAll(LONG, sign);
          isLate = (await timeOf(world.sandbox, join(world.root, 'work'), own)) > LIMIT_MS + MORE_MS;
        } finally {
          await world.dispose();
        }
        left.push(...[sign, world.root].flatMap(processesWith).map((stray) => `${name}: ${stray}`));
      }
      if (isLate) late.push(name);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  expect(late).toEqual([]);
  expect(left).toEqual([]);
}

async function timeOf(sandbox: Sandbox, root: string, command: string): Promise<number> {
  await mkdir(root);
  const tools = createToolRunner([runBash], { root, sandbox });
  const began = performance.now();
  const result = await tools.run('run_bash', { command, timeout_ms: LIMIT_MS });
  const took = performance.now() - began;
  expect((result.data as { status: string }).status).not.toBe('running');
  expect(result.text.length).toBeLessThan(4_300);
  return took;
}

function processesWith(sign: string): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'latin1');
      const environment = readFileSync(`/proc/${pid}/environ`, 'latin1');
      return `${command}\0${environment}`.includes(sign) ? [command] : [];
    } catch {
      return [];
    }
  });
}
