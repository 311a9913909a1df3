import { expect } from 'vitest';
import { createPolicy, createShellReader } from '../../src/policy/index.ts';
import { verifies } from '../verifies.ts';
import { VERDICTS } from './shell-verdicts.ts';

const NONE = {
  readOnly: false,
  claims: [],
  declared: false,
  paths: [],
  hosts: [],
  texts: [],
  permissions: [],
} as const;
const read = createShellReader();

async function verdict(policy: ReturnType<typeof createPolicy>, line: string) {
  const facts = { ...NONE, commands: [line], shell: [await read(line)] };
  return policy.decide({ name: 'run_bash', input: { command: line }, facts });
}

for (const table of VERDICTS) {
  verifies('policy/shell-verdicts', table.about, async () => {
    const policy = createPolicy(table.rules);
    const wrong: string[] = [];
    for (const effect of ['allow', 'ask', 'deny'] as const) {
      for (const written of table[effect] ?? []) {
        const got = await verdict(policy, written.replaceAll('⏎', '\n'));
        if (got.effect !== effect) wrong.push(`${written}\n    is ${got.effect}, not ${effect}: ${got.reason}`);
      }
    }
    expect(wrong).toEqual([]);
  });
}

verifies('policy/shell-verdicts', 'there are at least 200 lines, none of them twice under the same rules', () => {
  const all = VERDICTS.map(({ allow = [], ask = [], deny = [] }) => [...allow, ...ask, ...deny]);
  for (const lines of all) expect(new Set(lines).size).toBe(lines.length);
  expect(all.flat().length).toBeGreaterThanOrEqual(200);
});
