import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { verifies } from '../../../test/verifies.ts';
import type { Masker, Outputs } from '../../core/index.ts';
import { createFileOutputs } from './create-file-outputs.ts';

let home: string;
let folder: string;
let outputs: Outputs;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'toolwright-outputs-'));
  folder = join(home, 'outputs', 's1');
  outputs = createFileOutputs({ folder });
});
afterEach(() => rm(home, { recursive: true }));

async function save(id: string, ...pieces: (string | Uint8Array)[]) {
  const writer = await outputs.open(id);
  for (const piece of pieces) await writer.write(piece);
  return writer.close();
}
const text = async (path: string, range?: { offset?: number; length?: number }) =>
  Buffer.from(await outputs.read(path, range)).toString();

verifies('store/outputs', 'what is written is read back, whole and in ranges', async () => {
  const stored = await save('call_1', 'one ', Buffer.from('zwei '), '天', '');
  expect(stored).toEqual({ id: 'call_1', path: 'outputs/call_1.txt', bytes: 12 });
  expect(await text(stored.path)).toBe('one zwei 天');
  expect(await text(stored.path, { offset: 4, length: 4 })).toBe('zwei');
  expect(await text(stored.path, { offset: 9, length: 1_000 })).toBe('天');
  expect(await text(stored.path, { offset: 99 })).toBe('');
  expect(await outputs.size(stored.path)).toBe(12);
  expect(await outputs.hostPath(stored.path)).toBe(join(folder, 'call_1.txt'));
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  expect((await stat(join(folder, 'call_1.txt'))).mode & 0o777).toBe(0o600);
  await expect(outputs.read(stored.path, { offset: -1 })).rejects.toMatchObject({ code: 'invalid_request' });
});

verifies('store/outputs', 'a pair of surrogates may be cut by pieces, and many pieces keep their order', async () => {
  expect(await text((await save('cut', 'a\ud83d', '\ude00b', '\ud83d', 'c', '\ud83d')).path)).toBe('a😀b\ufffdc\ufffd');
  const writer = await outputs.open('many');
  const buffer = Buffer.alloc(3);
  const writes: Promise<void>[] = [];
  for (let i = 0; i < 50_000; i++) {
    buffer.write(String(i % 1_000).padStart(3, '0'));
    writes.push(writer.write(buffer));
  }
  const { path } = await writer.close();
  await Promise.all(writes);
  const expected = Array.from({ length: 50_000 }, (_, i) => String(i % 1_000).padStart(3, '0')).join('');
  expect((await text(path)) === expected).toBe(true);
});

verifies('store/outputs', 'a large output passes through without being held', async () => {
  const piece = Buffer.alloc(1 << 20, 'line of text\n');
  const hash = createHash('sha256');
  const writer = await outputs.open('big');
  for (let i = 0; i < 24; i++) {
    hash.update(piece);
    await writer.write(piece);
  }
  const { bytes, path } = await writer.close();
  expect(bytes).toBe(24 << 20);
  const file = await readFile((await outputs.hostPath(path)) ?? '');
  expect(createHash('sha256').update(file).digest('hex')).toBe(hash.digest('hex'));
});

verifies('store/outputs', 'only masked text reaches the disk, over the borders of pieces', async () => {
  const masker: Masker = {
    mask: (whole) => whole.replaceAll('s3cret', '***'),
    stream() {
      let held = '';
      return {
        push(piece) {
          const ready = (held + piece).replaceAll('s3cret', '***');
          held = ready.slice(-5);
          return ready.slice(0, -5);
        },
        end: () => held,
      };
    },
  };
  outputs = createFileOutputs({ folder, masker });
  const bytes = Buffer.from('天 s3cret');
  const { path } = await save(
    'm',
    'a s3c',
    'ret b ',
    bytes.subarray(0, 1),
    bytes.subarray(1, 6),
    bytes.subarray(6),
    '!',
  );
  expect(await text(path)).toBe('a *** b 天 ***!');
});

verifies('STORE-03', 'the same content is stored once, other content of the call beside it', async () => {
  const first = await save('c', 'one');
  expect(await save('c', 'o', 'ne')).toEqual(first);
  const second = await save('c', 'two');
  const third = await save('c', 'three');
  expect(new Set([first.path, second.path, third.path]).size).toBe(3);
  expect(await save('c', 'two')).toEqual(second);
  expect(await save('c', 'three')).toEqual(third);
  expect(await Promise.all([first, second, third].map(({ path }) => text(path)))).toEqual(['one', 'two', 'three']);
  expect((await readdir(folder)).length).toBe(3);
  const racing = await Promise.all(Array.from({ length: 8 }, (_, i) => save('r', `content ${i % 2}`)));
  expect(new Set(racing.map(({ path }) => path)).size).toBe(2);
  expect(await Promise.all(racing.map(({ path }) => text(path)))).toEqual(racing.map((_, i) => `content ${i % 2}`));
  expect((await readdir(folder)).length).toBe(5);
});

verifies('STORE-03', 'a folder that cannot be written is `failed` and leaves nothing', async () => {
  await writeFile(join(home, 'plain'), '');
  outputs = createFileOutputs({ folder: join(home, 'plain') });
  await expect(save('c', 'x')).rejects.toMatchObject({ code: 'failed', hint: expect.any(String) });
  outputs = createFileOutputs({ folder });
  const writer = await outputs.open('c');
  await rm(folder, { recursive: true });
  await writer.write('x');
  await expect(writer.close()).rejects.toMatchObject({ code: 'failed' });
  await expect(writer.close()).rejects.toMatchObject({ code: 'failed' });
  expect((await save('c', 'again')).path).toBe('outputs/c.txt');
});

verifies('store/outputs', 'an output under way is read here alone, and a discarded one leaves nothing', async () => {
  const writer = await outputs.open('c');
  await writer.write('x'.repeat(100_000));
  await writer.write('end');
  expect(await outputs.size('outputs/c.txt')).toBe(100_003);
  expect(writer.livePath).toBe('outputs/c.txt');
  expect(Buffer.from(await outputs.read('outputs/c.txt', { offset: 99_999 })).toString()).toBe('xend');
  expect(await createFileOutputs({ folder }).size('outputs/c.txt')).toBeUndefined();
  for (const name of await readdir(folder)) expect(outputs.owns(`outputs/${name}`)).toBe(false);
  await writer.discard();
  await writer.discard();
  expect(await outputs.size('outputs/c.txt')).toBeUndefined();
  expect(await readdir(folder)).toEqual([]);
  await expect(writer.write('more')).rejects.toMatchObject({ code: 'failed' });
  await expect(writer.close()).rejects.toMatchObject({ code: 'failed' });
  const closed = await outputs.open('d');
  const stored = await closed.close();
  expect(stored.bytes).toBe(0);
  await closed.discard();
  expect(await closed.close()).toEqual(stored);
  expect(await text(stored.path)).toBe('');
});

verifies('PATH-11', 'every id is stored inside the folder under a path that is read back', async () => {
  const ids = ['../../x', '/etc/x', 'a/b', 'a_b', '..', '', 'con', 'a'.repeat(300), 'a\u0000b', 'A', 'a', 'call:1'];
  const stored = [];
  for (const id of ids) stored.push(await save(id, `output of ${JSON.stringify(id)}`));
  expect(new Set(stored.map(({ path }) => path)).size).toBe(ids.length);
  for (const [index, { path, id }] of stored.entries()) {
    expect(path).toBe(`outputs/${id}.txt`);
    expect(outputs.owns(path)).toBe(true);
    expect(await text(path)).toBe(`output of ${JSON.stringify(ids[index])}`);
  }
  expect((await readdir(folder)).length).toBe(ids.length);
  expect(await readdir(home)).toEqual(['outputs']);
});

verifies('PATH-11', 'only the exact form of a stored path is one', async () => {
  await save('a', 'x');
  await writeFile(join(home, 'outputs', 'a.txt'), 'outside');
  const foreign = [
    'outputs/../a.txt',
    'outputs/x/../a.txt',
    './outputs/a.txt',
    '/outputs/a.txt',
    'outputs//a.txt',
    'outputs/a.txt/',
    'outputs/a.txt\n',
    'outputs/a.txt\u0000',
    'outputs\\a.txt',
    'outputs/A.txt',
    'outputs/.a.txt',
    'outputs/.txt',
    'outputs/..txt',
    'outputs/a.md',
    'outputs/a',
    'outputs/',
    '',
  ];
  for (const path of foreign) {
    expect([path, outputs.owns(path)]).toEqual([path, false]);
    expect(await outputs.size(path)).toBeUndefined();
    expect(await outputs.hostPath(path)).toBeUndefined();
    await expect(outputs.read(path)).rejects.toMatchObject({ code: 'not_found', hint: expect.any(String) });
  }
  await expect(outputs.read('outputs/b.txt')).rejects.toMatchObject({ code: 'not_found' });
});

verifies('EXEC-03', 'ids that were repaired from equal ones have their own files', async () => {
  const ids = ['call_1', 'call_1_0b9c1d1e-5d3c-4f0e-9a77-3f1f6f0a1b2c', 'call_0b9c1d1e-5d3c-4f0e-9a77-3f1f6f0a1b2c'];
  const stored = [];
  for (const id of ids) stored.push(await save(id, id));
  expect(await Promise.all(stored.map(({ path }) => text(path)))).toEqual(ids);
  expect(new Set(stored.map(({ path }) => path)).size).toBe(ids.length);
});

verifies('STORE-02', 'a folder that cannot be made is told at once, and never waited for', async () => {
  const outputs = createFileOutputs({ folder: '/proc/nope/outputs/s' });
  await expect(outputs.open('c')).rejects.toThrow(/ENOENT|no such file/i);
});
