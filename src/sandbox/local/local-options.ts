import type { Clock, NewId, Root } from '../../core/index.ts';

export interface LocalLimits {
  /** Of each process. */
  readonly cpuSeconds?: number;
  /** Memory of its own that each process may have. */
  readonly memoryMb?: number;
  /** At once, of a sandbox. */
  readonly processes?: number;
  /** How long a command may run. */
  readonly wallMs?: number;
}

/** What stands for a limit that is not set. */
export const DEFAULT_LIMITS: LocalLimits = { cpuSeconds: 300, memoryMb: 4096, processes: 512 };

/** A folder of the host that the session gets besides its own. */
export interface Mount {
  readonly path: string;
  /** Where it is seen inside. Default: at its own path. */
  readonly at?: string | undefined;
  readonly access: 'read' | 'write';
}

export interface LocalSandboxOptions {
  readonly roots: readonly Root[];
  readonly cwd: string;
  readonly clock: Clock;
  readonly newId: NewId;
  /** The whole environment of commands; nothing of the host's is added. */
  readonly env: Readonly<Record<string, string>>;
  readonly ripgrep?: string;
  readonly mounts?: readonly Mount[];
  /** `off` (default), `on`, or the hosts (`host`, `*.host`, each with or without `:port`) that commands may reach. */
  readonly network?: 'off' | 'on' | readonly string[];
  readonly limits?: LocalLimits;
  /** Folders that no command sees, even when they lie in a root: our own home. */
  readonly hidden?: readonly string[];
}
