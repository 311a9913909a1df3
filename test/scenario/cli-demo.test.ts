import { expect } from 'vitest';
import { demo } from '../../src/cli/commands/demo.ts';
import type { Io } from '../../src/cli/io.ts';
import { verifies } from '../verifies.ts';

function silentIo(): { io: Io; printed: () => string } {
  let text = '';
  return {
    printed: () => text,
    io: {
      async out(piece) {
        text += piece;
      },
      err: () => {},
      isTerminal: false,
      isInteractive: false,
      hasColor: false,
      columns: 100,
      gone: new AbortController().signal,
      onInterrupt: () => () => {},
      readInput: async () => undefined,
      pipes: { input: process.stdin, output: process.stdout },
      openPrompt: () => Promise.reject(new Error('nobody is there')),
    },
  };
}

verifies('cli/demo', 'without its tools it fails and shows no call as done', async () => {
  const { io, printed } = silentIo();
  await expect(demo(io, {}, { preset: 'empty' })).rejects.toMatchObject({ code: 'failed' });
  expect(printed()).not.toContain('✓');
});

verifies('cli/demo', 'with --json only events are printed', async () => {
  const { io, printed } = silentIo();
  expect(await demo(io, { json: true })).toBe(0);
  const types = printed()
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { type: string }).type);
  expect(types.filter((type) => type === 'run_end').length).toBeGreaterThan(4);
});
