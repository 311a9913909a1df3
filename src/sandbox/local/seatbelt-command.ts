import type { Bind } from './bubblewrap-command.ts';
import type { LocalLimits } from './local-options.ts';
import { PROTECTED } from './system-folders.ts';

export interface SeatbeltOptions {
  readonly program: string;
  readonly places: readonly Bind[];
  readonly tools: readonly Bind[];
  readonly network: 'off' | 'on' | readonly string[];
  /** The proxy's, when the network is a list. */
  readonly socket: string | undefined;
  readonly limits: LocalLimits;
}

const READABLE = [
  '/usr',
  '/bin',
  '/sbin',
  '/System',
  '/Library/Developer',
  '/opt/homebrew',
  '/private/var/db/timezone',
];
const READABLE_FILES = [
  '/private/etc/hosts',
  '/private/etc/passwd',
  '/private/etc/resolv.conf',
  '/private/etc/ssl/cert.pem',
];
const DEVICES = ['/dev/null', '/dev/zero', '/dev/random', '/dev/urandom', '/dev/fd', '/dev/dtracehelper'];

/** The command under a profile of seatbelt, with the limits that a shell can set. */
export function seatbeltCommand(command: readonly string[], options: SeatbeltOptions): string[] {
  const { cpuSeconds, processes, memoryMb } = options.limits;
  const limits = [
    'ulimit -c 0',
    ...(cpuSeconds === undefined ? [] : [`ulimit -t ${cpuSeconds}`]),
    ...(processes === undefined ? [] : [`ulimit -u ${processes}`]),
    ...(memoryMb === undefined ? [] : [`ulimit -d ${memoryMb * 1024}`]),
  ].join(' && ');
  return [options.program, '-p', seatbeltProfile(options), 'bash', '-c', `${limits}; exec "$@"`, 'limited', ...command];
}

/** All is denied but programs, libraries and the session's folders. */
export function seatbeltProfile({
  places,
  tools,
  network,
  socket,
}: Omit<SeatbeltOptions, 'program' | 'limits'>): string {
  const subpath = (path: string) => `(subpath ${quoted(path)})`;
  const literal = (path: string) => `(literal ${quoted(path)})`;
  const writable = places.filter(({ access }) => access === 'write').map(({ from }) => from);
  const readOnly = places.filter(({ access }) => access === 'read').map(({ from }) => from);
  const kept = writable.flatMap((folder) => PROTECTED.map((name) => `${folder}/${name}`));
  const lines = [
    '(version 1)',
    '(deny default)',
    '(allow process-fork process-exec)',
    '(allow signal (target same-sandbox))',
    '(allow sysctl-read)',
    '(allow file-read-metadata)',
    `(allow file-read* ${[...READABLE, ...writable, ...readOnly].map(subpath).join(' ')})`,
    `(allow file-read* (literal "/") ${[...READABLE_FILES, ...tools.map(({ from }) => from)].map(literal).join(' ')})`,
    `(allow file-read* file-write-data file-ioctl ${DEVICES.map(subpath).join(' ')})`,
    ...(writable.length > 0 ? [`(allow file-write* ${writable.map(subpath).join(' ')})`] : []),
    ...(readOnly.length > 0 ? [`(deny file-write* ${readOnly.map(subpath).join(' ')})`] : []),
    ...(kept.length > 0 ? [`(deny file-write* ${kept.map(subpath).join(' ')})`] : []),
    ...(network === 'on'
      ? ['(allow network*)', '(allow mach-lookup (global-name "com.apple.SystemConfiguration.configd"))']
      : []),
    ...(socket === undefined ? [] : [`(allow network-outbound ${literal(socket)})`]),
  ];
  return `${lines.join('\n')}\n`;
}

function quoted(path: string): string {
  return `"${path.replace(/["\\]/g, '\\$&')}"`;
}
