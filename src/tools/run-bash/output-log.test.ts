import { expect } from 'vitest';
import { verifies } from '../../../test/verifies.ts';
import type { OutputWriter } from '../../core/index.ts';
import { createMemoryOutputs } from '../../testing/memory-outputs.ts';
import { createOutputLog } from './output-log.ts';

verifies(
  'tools/run-bash',
  'what is printed while the file is being opened stands in the one file, in order',
  async () => {
    const outputs = createMemoryOutputs();
    const opened: Promise<OutputWriter>[] = [];
    const slow = {
      ...outputs,
      open: (callId: string) => {
        opened.push(new Promise((resolve) => setImmediate(resolve)).then(() => outputs.open(callId)));
        return opened.at(-1) as Promise<OutputWriter>;
      },
    };
    const log = createOutputLog({ outputs: slow, call: { id: 'c', name: 'run_bash' } });
    log.add('one\n');
    const kept = log.keep();
    const added = [log.add('two\n'), log.add('three\n'.repeat(1_000))];
    await Promise.all([kept, ...added]);
    const { stored } = await log.close();
    expect(opened).toHaveLength(1);
    const bytes = await outputs.read(stored?.path ?? '');
    expect(Buffer.from(bytes).toString()).toBe(`one\ntwo\n${'three\n'.repeat(1_000)}`);
  },
);
