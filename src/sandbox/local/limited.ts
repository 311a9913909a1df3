import type { LocalLimits } from './local-options.ts';

const MEGABYTE = 1_048_576;

/** The command under the kernel's limits of each of its processes, and none may leave a core file. */
export function limited(command: readonly string[], { cpuSeconds, memoryMb, processes }: LocalLimits): string[] {
  return [
    'prlimit',
    '--core=0',
    ...(cpuSeconds === undefined ? [] : [`--cpu=${cpuSeconds}`]),
    ...(memoryMb === undefined ? [] : [`--data=${memoryMb * MEGABYTE}`]),
    ...(processes === undefined ? [] : [`--nproc=${processes}`]),
    '--',
    ...command,
  ];
}
