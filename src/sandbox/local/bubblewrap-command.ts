import { FORWARDER_PORT, withForwarder } from './egress/forwarder.ts';
import { limited } from './limited.ts';
import type { LocalLimits } from './local-options.ts';
import { ETC, SYSTEM_FOLDERS } from './system-folders.ts';

/** A host path that is seen inside. A missing one is passed over. */
export interface Bind {
  readonly from: string;
  readonly to: string;
  readonly access: 'read' | 'write';
}

export interface BubblewrapOptions {
  readonly program: string;
  /** Where the command starts, seen from inside. */
  readonly cwd: string;
  /** In this order; a later one covers an earlier one. */
  readonly binds: readonly Bind[];
  /** Folders, seen from inside, that are shown empty. */
  readonly hidden: readonly string[];
  /** `off`, the host's own, or nothing but the socket of a proxy. */
  readonly network: 'off' | 'on' | { readonly proxySocket: string; readonly node: string };
  readonly limits: LocalLimits;
  readonly uid: number;
  readonly gid: number;
}

/** Of /tmp and /dev/shm, which live in memory and end with the command. */
const TEMP_BYTES = 512 * 1024 * 1024;
const SHARED_BYTES = 64 * 1024 * 1024;
/** Who the host's root is inside: without rights of its own, programs should not take it for root. */
const UID_OF_ROOT = 1_000;
const PROXY_SOCKET = '/run/toolwright/proxy.sock';

/**
 * The command in namespaces of its own: no capability, no new rights, no further user namespaces; of the host it
 * sees programs and libraries, what the options bind, and nothing else. TERM is left to the command: bubblewrap
 * itself passes it over, and ends when the command has.
 */
export function bubblewrapCommand(command: readonly string[], options: BubblewrapOptions): string[] {
  const { program, cwd, binds, hidden, network, limits, uid, gid } = options;
  const proxied = typeof network === 'object';
  const inner = limited(command, limits);
  return [
    ...['env', '--ignore-signal=TERM', program],
    ...['--die-with-parent', '--new-session', '--unshare-all', '--unshare-user', '--disable-userns'],
    ...['--cap-drop', 'ALL', '--uid', String(uid || UID_OF_ROOT), '--gid', String(gid || UID_OF_ROOT)],
    ...(network === 'on' ? ['--share-net'] : []),
    ...SYSTEM_FOLDERS.flatMap((folder) => ['--ro-bind-try', folder, folder]),
    ...ETC.flatMap((name) => ['--ro-bind-try', `/etc/${name}`, `/etc/${name}`]),
    ...['--proc', '/proc', '--dev', '/dev', '--size', String(SHARED_BYTES), '--tmpfs', '/dev/shm'],
    // To the kernel, root's own process owns its tunables, whatever namespace it is in: all of /proc is read-only.
    ...[
      '--remount-ro',
      '/proc',
      '--remount-ro',
      '/dev',
      '--size',
      String(TEMP_BYTES),
      '--perms',
      '1777',
      '--tmpfs',
      '/tmp',
    ],
    ...binds.flatMap(({ from, to, access }) => [access === 'write' ? '--bind-try' : '--ro-bind-try', from, to]),
    ...hidden.flatMap((folder) => ['--tmpfs', folder, '--remount-ro', folder]),
    ...(proxied ? ['--ro-bind', network.proxySocket, PROXY_SOCKET, ...proxyVariables()] : []),
    ...['--setenv', 'HOME', '/tmp', '--setenv', 'TMPDIR', '/tmp', '--unsetenv', 'TMP', '--unsetenv', 'TEMP'],
    ...['--remount-ro', '/', '--chdir', cwd, '--', 'env', '--default-signal=TERM'],
    ...(proxied ? withForwarder(inner, network.node, PROXY_SOCKET) : inner),
  ];
}

function proxyVariables(): string[] {
  const address = `http://127.0.0.1:${FORWARDER_PORT}`;
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'];
  return [...names.flatMap((name) => ['--setenv', name, address]), '--setenv', 'NODE_USE_ENV_PROXY', '1'];
}
