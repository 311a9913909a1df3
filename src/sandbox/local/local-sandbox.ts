import {
  type Clock,
  type Root,
  type Roots,
  type Sandbox,
  type SandboxProcess,
  ToolwrightError,
} from '../../core/index.ts';
import { createGuard } from '../guard.ts';
import { createHostFiles } from '../passthrough/host-files.ts';
import { hostRealPath } from '../passthrough/host-real-path.ts';
import { holdByDescriptor, holdByInode } from '../passthrough/open-path.ts';
import { createKeptOutputs } from '../process/kept-outputs.ts';
import { createRoots } from '../roots.ts';
import { findPlaces, layOut } from './binds.ts';
import { bubblewrapCommand } from './bubblewrap-command.ts';
import { findIsolation, type Isolation } from './isolation.ts';
import { lateVariables } from './late-variables.ts';
import { DEFAULT_LIMITS, type LocalLimits, type LocalSandboxOptions } from './local-options.ts';
import { createPathMap, mapFiles } from './path-map.ts';
import { seatbeltCommand } from './seatbelt-command.ts';

/**
 * Commands of this machine behind bubblewrap (Linux) or seatbelt (macOS), on the same files that the file methods
 * use. Nothing that a command leaves behind outlives it. Throws `unavailable` where the isolation cannot be had.
 */
export async function createLocalSandbox(options: LocalSandboxOptions): Promise<{ sandbox: Sandbox; roots: Roots }> {
  const { clock, newId, env, ripgrep, mounts = [], network = 'off' } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const isolation = await findIsolation(env);
  if (isolation.mechanism === 'seatbelt' && mounts.some(({ path, at }) => at !== undefined && at !== path)) {
    throw new ToolwrightError('unavailable', 'On macOS a mount is seen at its own path; `at` cannot be used.');
  }
  const places = await findPlaces(options.roots, mounts);
  const { binds, hidden } = await layOut(places, options.hidden ?? []);
  const map = createPathMap(
    places.filter(({ label }) => label === 'mount').map(({ from, to }) => ({ host: from, inside: to })),
  );
  const hostRoots = places.map(({ from, access, label }): Root => ({ path: from, access, label }));
  const id = newId();
  const hold = process.platform === 'linux' ? holdByDescriptor : holdByInode;
  const files = mapFiles(createHostFiles({ guard: createGuard(hostRoots, hostRealPath), hold, newId }), map);
  const guard = createGuard(hostRoots, hostRealPath);
  const roots = createRoots({
    cwd: options.cwd,
    roots: [
      ...options.roots,
      ...places.flatMap(({ to, access, label }): Root[] => (label === 'mount' ? [{ path: to, access, label }] : [])),
    ],
    realPath: files.realPath,
  });

  const running = new Set<SandboxProcess>();
  let disposed = false;
  const cage = once(() => cageFor(isolation, id, limits, clock, options.limits?.processes !== undefined));
  const proxy = once(() => proxyFor(network));
  const programs = [ripgrep, ...(Array.isArray(network) ? [process.execPath] : [])].filter(
    (file): file is string => file !== undefined,
  );
  const tools = await Promise.all(
    programs.map(async (file) => ({ from: (await hostRealPath(file)).real, to: file, access: 'read' as const })),
  );

  const outputs = createKeptOutputs();
  const sandbox: Sandbox = {
    id,
    kind: 'local',
    capabilities: {
      isolation: isolation.mechanism,
      rangeReads: true,
      processes: true,
      ...(ripgrep === undefined ? {} : { ripgrep }),
    },
    ...files,
    async start(command, start = {}) {
      if (disposed)
        throw new ToolwrightError('unavailable', 'The sandbox has been closed; no command can start in it.');
      const { real } = await hostRealPath(map.toHost(start.cwd ?? options.cwd));
      await guard(real, 'read');
      const { startProcess } = await import('../process/start-process.ts');
      const [caged, socket] = [await cage.get(), (await proxy.get())?.socket];
      const variables = lateVariables(env, start.env);
      const wrap = (command: readonly string[]): readonly string[] => {
        const argv = variables.enter(command);
        if (isolation.mechanism === 'seatbelt') {
          return seatbeltCommand(argv, { program: isolation.program, places, network, limits, tools, socket });
        }
        const isolated = bubblewrapCommand(argv, {
          program: isolation.program,
          cwd: map.toInside(real),
          binds: [...binds, ...tools],
          hidden,
          network:
            socket === undefined ? (network === 'on' ? 'on' : 'off') : { proxySocket: socket, node: process.execPath },
          limits,
          uid: process.getuid?.() ?? 0,
          gid: process.getgid?.() ?? 0,
        });
        return caged ? caged.enter(isolated) : isolated;
      };
      const started = await startProcess(command, {
        ...start,
        cwd: real,
        env: variables.env,
        clock,
        newId,
        wrap,
      });
      if (start.onOutput === undefined) outputs.keep(started);
      const child = bound(started, limits.wallMs);
      running.add(child);
      void child
        .wait()
        .finally(() => running.delete(child))
        .catch(() => {});
      return child;
    },
    readOutput: outputs.read,
    async dispose() {
      disposed = true;
      await Promise.allSettled([...running].map((child) => child.kill()));
      await (await proxy.made())?.close();
      await (await cage.made())?.close();
    },
  };

  /** Ends a command at the limit of time, and what it leaves behind with it. */
  function bound(child: SandboxProcess, wallMs: number | undefined): SandboxProcess {
    const timer = wallMs === undefined ? undefined : clock.after(wallMs, () => void child.kill());
    const done = child.wait().then(
      async (exit) => {
        if (timer) clock.clear(timer);
        if (exit.leftChildren) await child.kill();
        return { ...exit, leftChildren: false };
      },
      (error) => {
        if (timer) clock.clear(timer);
        throw error;
      },
    );
    done.catch(() => {});
    return { ...child, wait: () => done };
  }
  return { sandbox, roots };
}

async function cageFor({ mechanism }: Isolation, id: string, { processes }: LocalLimits, clock: Clock, asked: boolean) {
  if (mechanism !== 'bubblewrap' || processes === undefined || process.getuid?.() !== 0) return undefined;
  const { openProcessCage } = await import('./process-cage.ts');
  const cage = await openProcessCage(id.replace(/[^\w-]/g, ''), processes, clock);
  if (cage || !asked) return cage;
  throw new ToolwrightError('unavailable', 'sandbox.limits.processes cannot be kept for root on this machine.', {
    hint: 'Give this process a control group that it may divide (cgroup pids), run as another user, or leave the limit out.',
  });
}

async function proxyFor(network: LocalSandboxOptions['network']) {
  if (network === undefined || typeof network === 'string') return undefined;
  const [{ openEgressProxy }, { allowedHosts }] = await Promise.all([
    import('./egress/egress-proxy.ts'),
    import('./egress/allowed-hosts.ts'),
  ]);
  return openEgressProxy(allowedHosts(network));
}

function once<Value>(make: () => Promise<Value>) {
  let value: Promise<Value> | undefined;
  return {
    get: () => {
      value ??= make();
      return value;
    },
    /** What there is, without making it. */
    made: async () => value?.catch(() => undefined),
  };
}
