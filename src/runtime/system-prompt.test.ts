import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { systemPrompt } from './system-prompt.ts';

verifies('runtime/system-prompt', 'equal for equal folders; AGENTS.md joins it, bounded and cut visibly', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'prompt-'));
  try {
    const bare = await systemPrompt(folder);
    expect(bare).toContain(folder);
    expect(await systemPrompt(folder)).toBe(bare);
    await writeFile(join(folder, 'AGENTS.md'), 'Use tabs.\n');
    expect(await systemPrompt(folder)).toMatch(/AGENTS\.md\):\nUse tabs\.$/);
    await writeFile(join(folder, 'AGENTS.md'), 'é'.repeat(500_000));
    const long = await systemPrompt(folder);
    expect(long.length).toBeLessThan(34_000);
    expect(long).toContain('left out');
    expect(long).not.toContain('\uFFFD');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
