import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomId, type Sandbox, systemClock } from '../src/core/index.ts';
import { ripgrepPath } from '../src/runtime/index.ts';
import { createLocalSandbox, createPassthroughSandbox, findIsolation } from '../src/sandbox/index.ts';
import { contractRoots, type SandboxUnderTest } from '../src/testing/contracts/sandbox-contract.ts';

type LocalOptions = Partial<Parameters<typeof createLocalSandbox>[0]>;

const ENV = { PATH: process.env['PATH'] ?? '', HOME: homedir(), LANG: 'C.UTF-8' };

/** Why `local` cannot be tried here; undefined when it can. */
export const whyNoLocal: string | undefined = await findIsolation(ENV).then(
  () => undefined,
  (error: Error) => error.message,
);
if (whyNoLocal !== undefined) process.stderr.write(`tests of the sandbox local are left out: ${whyNoLocal}\n`);

export interface LocalWorld extends SandboxUnderTest {
  /** Beside the roots; no sandbox sees it. */
  readonly outside: string;
  /** The end of a command and what it said on both streams. */
  run(command: string, options?: { cwd?: string }): Promise<{ code: number | null; said: string }>;
}

async function folders() {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'tw-local-')));
  const [root, readOnly, outside] = [join(base, 'root'), join(base, 'library'), join(base, 'outside')];
  for (const folder of [root, readOnly, outside]) await mkdir(folder);
  return { base, root, readOnly, outside };
}

export async function openLocalWorld(options: LocalOptions = {}, prepare?: (root: string) => Promise<void>) {
  const { base, ...places } = await folders();
  await prepare?.(places.root);
  const { sandbox, roots } = await createLocalSandbox({
    roots: contractRoots(places.root, places.readOnly),
    cwd: places.root,
    clock: systemClock,
    newId: randomId,
    env: ENV,
    ripgrep: (await ripgrepPath()) ?? '',
    ...options,
  });
  return { ...worldOf(sandbox, base, places), roots };
}

export async function openPassthroughWorld(): Promise<LocalWorld> {
  const { base, ...places } = await folders();
  const sandbox = createPassthroughSandbox({
    roots: contractRoots(places.root, places.readOnly),
    cwd: places.root,
    clock: systemClock,
    newId: randomId,
    env: ENV,
    ripgrep: (await ripgrepPath()) ?? '',
  });
  return worldOf(sandbox, base, places);
}

function worldOf(
  sandbox: Sandbox,
  base: string,
  places: { root: string; readOnly: string; outside: string },
): LocalWorld {
  return {
    ...places,
    sandbox,
    async run(command, options = {}) {
      let said = '';
      const child = await sandbox.start(command, {
        ...options,
        onOutput: (bytes) => {
          said += Buffer.from(bytes).toString();
        },
      });
      return { code: (await child.wait()).code, said };
    },
    async dispose() {
      await sandbox.dispose();
      await rm(base, { recursive: true });
    },
  };
}
