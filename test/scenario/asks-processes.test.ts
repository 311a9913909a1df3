import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import type { Ask } from '../../src/core/index.ts';
import { openSqliteStore } from '../../src/store/index.ts';
import { inTempFolder } from '../../src/testing/temp-folder.ts';
import { verifies } from '../verifies.ts';
import { type Bundle, bundleChild } from './killed-world.ts';

let bundle: Bundle;
beforeAll(async () => {
  bundle = await bundleChild('asks-child');
});
afterAll(() => bundle.remove());

const OPS = ['approve', 'deny', 'expire', 'replay'] as const;
type Op = (typeof OPS)[number];
/** Every order of every choice of up to four, each done by either of two processes. */
const RUNS = Number(process.env['ASK_ORDERS'] ?? 60);

function orders(): Op[][] {
  const all: Op[][] = [];
  const grow = (so: readonly Op[]) => {
    if (so.length > 1) all.push([...so]);
    if (so.length < OPS.length) for (const op of OPS) if (!so.includes(op)) grow([...so, op]);
  };
  grow([]);
  return all;
}

interface Process {
  do(order: object): Promise<unknown>;
  end(): Promise<void>;
}

async function startProcess(folder: string): Promise<Process> {
  const child = fork(bundle.file, [folder], { execArgv: [] });
  await once(child, 'message');
  return {
    async do(order) {
      const said = once(child, 'message');
      child.send(order);
      const [{ answer, error }] = (await said) as [{ answer?: unknown; error?: string }];
      if (error !== undefined) throw new Error(error);
      return answer;
    },
    async end() {
      const exit = once(child, 'exit');
      child.disconnect();
      await exit;
    },
  };
}

verifies(
  'ask/processes',
  'two processes approve, deny, expire and replay in every order: one final state each',
  () =>
    inTempFolder(async (folder) => {
      const store = await openSqliteStore({ path: join(folder, 'toolwright.db') });
      const [a, b] = await Promise.all([startProcess(folder), startProcess(folder)]);
      try {
        await store.sessions.create({
          id: 's',
          createdAt: 0,
          updatedAt: 0,
          agentName: 'main',
          model: '',
          status: 'idle',
          summary: '',
          usage: {},
          metadata: {},
        });
        let trials = 0;
        const trial = async (ops: readonly Op[], sides: number, together: boolean) => {
          const id = `ask-${trials++}`;
          const ask: Ask = {
            id,
            sessionId: 's',
            kind: 'permission',
            callId: id,
            tool: 'run_bash',
            input: {},
            reason: '',
            hash: `h-${id}`,
            suggestions: [],
            createdAt: Date.now(),
            expiresAt: Date.now() + 60_000,
          };
          await store.asks.open(ask);
          const perform = (op: Op, index: number) => {
            const side = (sides >> index) % 2 === 0 ? a : b;
            // A replay is the same yes once more, or an answer for something else.
            const to = { id, sessionId: 's', hash: ask.hash };
            return side.do(op === 'replay' ? { ...to, op: 'approve' } : { ...to, op });
          };
          const said: unknown[] = [];
          if (together) {
            const left = ops.filter((_, index) => (sides >> index) % 2 === 0);
            const right = ops.filter((_, index) => (sides >> index) % 2 === 1);
            const inRow = async (list: readonly Op[], side: number) => {
              for (const op of list) said.push(await perform(op, side === 0 ? 30 : ops.indexOf(op)));
            };
            await Promise.all([inRow(left, 0), inRow(right, 1)]);
          } else for (const [index, op] of ops.entries()) said.push(await perform(op, index));
          const moved = said.filter((answer) => answer === 'resolved' || answer === true);
          expect(moved, `${ops.join()} ${sides} ${together}: ${said.join()}`).toHaveLength(1);
          const [seenByA, seenByB] = await Promise.all([a.do({ op: 'look', id }), b.do({ op: 'look', id })]);
          expect(seenByA).toEqual(seenByB);
          const { outcome } = seenByA as { outcome: string };
          const first = ops[0] as Op;
          const expected = { approve: 'approved', replay: 'approved', deny: 'denied', expire: 'unanswered' }[first];
          if (!together) expect(outcome).toBe(expected);
          // What came after the first has moved nothing and was told so.
          for (const answer of said) expect(['resolved', true, 'already_resolved', false]).toContain(answer);
        };
        const all = orders();
        const every = all.flatMap((ops) =>
          Array.from({ length: 2 ** ops.length }, (_, sides) => sides).flatMap((sides) => [
            { ops, sides, together: false },
            { ops, sides, together: true },
          ]),
        );
        const step = Math.max(1, Math.floor(every.length / RUNS));
        const chosen = every.filter((_, index) => index % step === 0);
        for (const { ops, sides, together } of chosen) await trial(ops, sides, together);
        // For something else, for somebody else's session, unknown: each has its own word and moves nothing.
        await store.asks.open({
          id: 'odd',
          sessionId: 's',
          kind: 'permission',
          callId: 'c',
          tool: 't',
          input: {},
          reason: '',
          hash: 'h',
          suggestions: [],
          createdAt: 0,
          expiresAt: Date.now() + 60_000,
        });
        const odd = { op: 'approve', id: 'odd', sessionId: 's', hash: 'h' };
        expect(await a.do({ ...odd, hash: 'x' })).toBe('wrong_hash');
        expect(await b.do({ ...odd, sessionId: 'x' })).toBe('wrong_session');
        expect(await b.do({ ...odd, id: 'x' })).toBe('not_found');
        expect(await a.do({ op: 'look', id: 'odd' })).toBe(null);
        expect(await b.do(odd)).toBe('resolved');
        expect(await a.do(odd)).toBe('already_resolved');
        if (process.env['ASK_ORDERS'] !== undefined) console.info(`${chosen.length} orders of ${every.length}`);
      } finally {
        await Promise.all([a.end(), b.end()]);
        await store.close();
      }
    }),
  120_000,
);
