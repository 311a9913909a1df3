import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { verifies } from '../verifies.ts';

const repo = join(import.meta.dirname, '../..');
const SUITE = join(repo, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
const run = promisify(execFile);

verifies(
  'mcp/serve-conformance',
  "the official suite's server scenarios pass, but for a short list with reasons",
  async () => {
    const house = spawn(process.execPath, ['--import', 'tsx', join(repo, 'test/fixtures/mcp-house.ts')], {
      stdio: ['pipe', 'pipe', 'inherit'],
      cwd: repo,
    });
    const exited = once(house, 'exit');
    try {
      const [line] = (await once(house.stdout, 'data')) as [Buffer];
      const args = [
        'server',
        '--url',
        line.toString().trim(),
        '--expected-failures',
        'test/conformance/server-baseline.yml',
      ];
      const { stdout } = await run(
        process.execPath,
        ['--import', './test/conformance/conformance-loader.mjs', SUITE, ...args],
        { cwd: repo, timeout: 60_000, maxBuffer: 16 * 1_048_576 },
      ).catch((error: { stdout?: string; stderr?: string }) => {
        throw new Error(`the suite found differences:\n${error.stdout}\n${error.stderr}`);
      });
      const passed = [...stdout.matchAll(/^✓ ([\w-]+): [1-9]/gm)].map(([, name]) => name);
      expect(passed.length).toBeGreaterThanOrEqual(18);
      expect(passed).toEqual(expect.arrayContaining(['tools-call-elicitation', 'dns-rebinding-protection']));
    } finally {
      house.stdin.end();
      await exited;
    }
  },
  90_000,
);
