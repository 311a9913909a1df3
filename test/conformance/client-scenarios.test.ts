import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { verifies } from '../verifies.ts';

const here = import.meta.dirname;
const suite = join(here, '../../node_modules/@modelcontextprotocol/conformance/dist/index.js');
const run = promisify(execFile);

/** Each starts the suite and our client anew, which is slow: without CONFORMANCE=all only the first ones run. */
const FIRST = ['initialize', 'tools_call', 'elicitation-sep1034-client-defaults', 'sse-retry', 'auth/pre-registration'];
const FURTHER = [
  'auth/metadata-default',
  'auth/metadata-var1',
  'auth/metadata-var2',
  'auth/metadata-var3',
  'auth/basic-cimd',
  'auth/scope-from-www-authenticate',
  'auth/scope-from-scopes-supported',
  'auth/scope-omitted-when-undefined',
  'auth/scope-step-up',
  'auth/scope-retry-limit',
  'auth/token-endpoint-auth-basic',
  'auth/token-endpoint-auth-post',
  'auth/token-endpoint-auth-none',
];

const baseline = JSON.parse(await readFile(join(here, 'client-baseline.json'), 'utf8')) as Record<string, string>;
const scenarios = process.env['CONFORMANCE'] === 'all' ? [...FIRST, ...FURTHER] : FIRST;

for (const scenario of scenarios) {
  const expected = baseline[scenario] === undefined ? 'passes' : 'fails as the baseline says';
  verifies(
    'mcp/conformance',
    `${scenario} ${expected}`,
    async () => {
      const command = `${process.execPath} --import tsx ${join(here, 'client.ts')}`;
      const args = ['--import', join(here, 'conformance-hook.mjs'), suite, 'client', '--command', command];
      const { code, output } = await run(process.execPath, [...args, '--scenario', scenario], { timeout: 60_000 }).then(
        ({ stdout, stderr }) => ({ code: 0, output: `${stdout}${stderr}` }),
        (error: { code: number; stdout: string; stderr: string }) => ({
          code: error.code,
          output: `${error.stdout}${error.stderr}`,
        }),
      );
      expect(output).toMatch(/OVERALL/);
      if (baseline[scenario] === undefined) expect(code, output.slice(-3_000)).toBe(0);
      else expect(code).not.toBe(0);
    },
    90_000,
  );
}
