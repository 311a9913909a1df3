import { expect } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { defineTool, type FactsContext, type Tool, type ToolOutput } from '../core/index.ts';
import { createMasker } from '../executor/index.ts';
import { createRegistry } from '../registry/index.ts';
import type { CallRecord } from '../store/index.ts';
import { createVirtualClock } from '../testing/virtual-clock.ts';
import { createReconcile } from './reconcile.ts';

const row = { name: 'write', input: { line: 1 } } as CallRecord;
const context = {} as FactsContext;

async function world(reconcile?: NonNullable<Tool['reconcile']>) {
  const clock = createVirtualClock();
  const tools = createRegistry();
  const tool = defineTool({ name: 'write', description: 'Writes.', input: { type: 'object' }, run: () => 'not run' });
  tools.add(reconcile === undefined ? tool : { ...tool, reconcile }, { source: 'test' });
  const masker = createMasker({ values: ['very-secret-value'] });
  return { clock, ask: () => createReconcile({ tools, context, masker, clock })(row) };
}

verifies(
  'runtime/reconcile',
  'nobody can know: no such tool, no way to find out, no answer, a senseless one',
  async () => {
    expect(await (await world()).ask()).toBeUndefined();
    const answers: unknown[] = [
      undefined,
      null,
      'text',
      7,
      {},
      { content: '' },
      { content: [] },
      { content: 'x', more: 1 },
    ];
    for (const answer of answers) {
      const { ask } = await world(async () => answer as ToolOutput);
      expect(await ask()).toBeUndefined();
    }
    const sync = await world((() => ({ content: 'at once' })) as unknown as NonNullable<Tool['reconcile']>);
    expect(await sync.ask()).toEqual({ content: 'at once' });
  },
);

verifies('runtime/reconcile', 'a tool that does not answer is waited for ten seconds', async () => {
  const { clock, ask } = await world(() => new Promise(() => {}));
  const asked = expect(ask()).rejects.toMatchObject({ code: 'timeout' });
  await clock.advance(10_000);
  await asked;
});

verifies('runtime/reconcile', 'what it says is bounded and holds no secret', async () => {
  const long = `it is very-secret-value ${'x'.repeat(10_000)}`;
  const text = (await (await world(async () => ({ content: long }))).ask())?.content as string;
  expect(text.length).toBeLessThanOrEqual(4_000);
  expect(text).not.toContain('very-secret-value');
  const { ask } = await world(async () => ({ content: [{ type: 'text', text: 'very-secret-value' }] }));
  expect(JSON.stringify(await ask())).not.toContain('very-secret-value');
});
