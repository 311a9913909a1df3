import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect } from 'vitest';
import { verifies } from '../../../test/verifies.ts';
import type { OutputStream } from '../../core/index.ts';
import { inTempFolder } from '../../testing/temp-folder.ts';
import { createFrameReader } from './frame-reader.ts';
import { FRAME, frameHead } from './protocol.ts';
import { createOutputOrder } from './server/output-order.ts';
import { createSpool } from './server/spool.ts';

const step = fc.oneof(
  fc.record({ add: fc.uint8Array({ maxLength: 40 }) }),
  fc.record({ read: fc.nat(300), max: fc.integer({ min: 1, max: 60 }) }),
  fc.record({ drop: fc.nat(300) }),
);

verifies('remote/kept', 'over random writes, reads and drops a spool gives the bytes that stand at a place', () =>
  inTempFolder(async (folder) => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const spool = createSpool({ path: join(folder, `s${run++}`), memoryBytes: 20, fileBytes: 50 });
        let all = Buffer.alloc(0);
        let dropped = 0;
        for (const one of steps) {
          if ('add' in one) {
            all = Buffer.concat([all, one.add]);
            await spool.add(one.add);
          } else if ('drop' in one) {
            dropped = Math.max(dropped, Math.min(one.drop, all.length));
            await spool.drop(one.drop);
          } else {
            const at = Math.min(Math.max(one.read, spool.start), all.length);
            const { bytes, next } = await spool.read(one.read, one.max);
            expect(next).toBe(at + bytes.byteLength);
            expect(all.subarray(at, next).equals(bytes)).toBe(true);
            expect(bytes.byteLength > 0 || at === all.length).toBe(true);
          }
          expect(spool.end).toBe(all.length);
          expect(spool.start).toBeLessThanOrEqual(dropped);
          expect(dropped - spool.start).toBeLessThan(120);
        }
        await spool.close();
        expect(await readdir(folder)).toEqual([]);
      }),
    );
  }),
);

verifies('remote/resume', 'the order of two streams leads from any two places to the ends of both', () => {
  const runs = fc.array(fc.tuple(fc.constantFrom<OutputStream>('stdout', 'stderr'), fc.integer({ min: 1, max: 9 })), {
    maxLength: 30,
  });
  fc.assert(
    fc.property(runs, fc.nat(60), fc.nat(60), (list, out, err) => {
      const order = createOutputOrder();
      const ends = { stdout: 0, stderr: 0 };
      for (const [stream, length] of list) {
        ends[stream] += length;
        order.note(stream, ends[stream]);
      }
      const at = { stdout: Math.min(out, ends.stdout), stderr: Math.min(err, ends.stderr) };
      const from = { run: 0 };
      for (let next = order.next(at, from); next; next = order.next(at, from)) {
        expect(next.end).toBeGreaterThan(at[next.stream]);
        at[next.stream] = next.end;
      }
      expect(at).toEqual(ends);
      ends.stdout += 5;
      order.note('stdout', ends.stdout);
      expect(order.next(at, from)).toEqual({ stream: 'stdout', end: ends.stdout });
    }),
  );
});

verifies('remote/resume', 'frames are read as they were sent, wherever the line cuts them', async () => {
  const frames = fc.array(
    fc.tuple(fc.constantFrom(FRAME.beat, FRAME.stdout, FRAME.stderr, FRAME.end), fc.uint8Array({ maxLength: 30 })),
  );
  await fc.assert(
    fc.asyncProperty(frames, fc.integer({ min: 1, max: 12 }), async (sent, size) => {
      const got: [number, string][] = [];
      const isOutput = (kind: number) => kind === FRAME.stdout || kind === FRAME.stderr;
      const note = (kind: number, bytes: Uint8Array) => {
        const last = got.at(-1);
        if (isOutput(kind) && last?.[0] === kind) last[1] += Buffer.from(bytes).toString('hex');
        else got.push([kind, Buffer.from(bytes).toString('hex')]);
      };
      const reader = createFrameReader(isOutput, { output: note, other: note });
      const line = Buffer.concat(sent.flatMap(([kind, bytes]) => [frameHead(kind, bytes.byteLength), bytes]));
      for (let at = 0; at < line.length; at += size) await reader.push(line.subarray(at, at + size));
      const read = [...got];
      got.length = 0;
      for (const [kind, bytes] of sent) if (!isOutput(kind) || bytes.byteLength > 0) note(kind, bytes);
      expect(read).toEqual(got);
    }),
  );
});
