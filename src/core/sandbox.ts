export type FileKind = 'file' | 'directory' | 'symlink' | 'other';

/** What tells one state of a file from another. Times are nanoseconds since the epoch. */
export interface FileStamp {
  readonly size: number;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
}

export interface FileStat extends FileStamp {
  readonly kind: FileKind;
  /** For kind `other`: `fifo`, `socket`, `character device`, `block device`. */
  readonly special?: string;
  readonly mode: number;
}

export interface DirectoryEntry {
  readonly name: string;
  readonly kind: FileKind;
}

export type Access = 'read' | 'write';

/** A folder that tools may touch. */
export interface Root {
  /** Absolute path as it was configured. */
  readonly path: string;
  readonly access: Access;
  /** What it is for: `workspace`, `added`, `skill`, `library`. */
  readonly label: string;
}

/** A path as the model wrote it, judged: where it really leads and under which root. */
export interface ResolvedPath {
  readonly written: string;
  /** Absolute, `.` and `..` folded, links not followed. */
  readonly path: string;
  /** Absolute, every link followed; for a file that does not exist yet, below its nearest existing ancestor. */
  readonly real: string;
  readonly root: Root;
  readonly exists: boolean;
}

/** The roots of a session and the one judge of paths. Throws ToolwrightError `denied` or `invalid_input`. */
export interface Roots {
  /** Where relative paths start. */
  readonly cwd: string;
  readonly list: readonly Root[];
  resolve(path: string, access: Access): Promise<ResolvedPath>;
  /** The path as shown to the model: relative to cwd when below it, else absolute. */
  display(path: string): string;
}

export interface StartOptions {
  readonly cwd?: string;
  /** Added to the sandbox's own small environment; nothing of the host's is passed on unasked. */
  readonly env?: Readonly<Record<string, string>>;
  /** Ends the whole process tree (TERM, then KILL). */
  readonly signal?: AbortSignal;
  /** Called with raw bytes as they come; a promise holds the stream back. When absent the output is kept for `readOutput`. */
  readonly onOutput?: (bytes: Uint8Array, stream: OutputStream) => void | Promise<void>;
}

export type OutputStream = 'stdout' | 'stderr';

export interface ProcessExit {
  /** Exit code; null when a signal ended it. */
  readonly code: number | null;
  readonly signal: string | null;
  /** True when a child of the process was still alive after it exited. */
  readonly leftChildren: boolean;
}

export interface SandboxProcess {
  readonly id: string;
  /** Resolves when the process itself has exited and its output was drained; never waits for a silent child's pipe. */
  wait(): Promise<ProcessExit>;
  /** Ends the whole tree: TERM, two seconds, KILL. Resolves when nothing of it is left. */
  kill(): Promise<void>;
}

export interface SandboxCapabilities {
  /** What stands between a command and the host: `none`, `memory`, or the name of the mechanism. */
  readonly isolation: string;
  readonly rangeReads: boolean;
  /** False: `onOutput` is never called, the output is read by range or tail. Default true. */
  readonly pushes?: boolean;
  readonly processes: boolean;
  /** Where ripgrep is, seen from inside; absent when searching is not possible. */
  readonly ripgrep?: string;
}

/**
 * Where files and commands really happen. Every path is absolute and already resolved; each method
 * judges it against the roots again at the moment of opening, so that a swapped link changes nothing.
 */
export interface Sandbox {
  readonly id: string;
  readonly kind: string;
  readonly capabilities: SandboxCapabilities;
  /** The file's bytes from `offset` (default 0), at most `length` of them (default: all). */
  read(path: string, range?: { offset?: number; length?: number }): Promise<Uint8Array>;
  /**
   * Writes the whole file atomically (temp file and rename), making missing folders, keeping mode and
   * owner. With `expect` the write happens only if the file still has that stamp (`null`: does not
   * exist), else ToolwrightError `failed` with `data.reason === 'stale'`. `mode` is that of a new file.
   */
  write(path: string, bytes: Uint8Array, options?: { expect?: FileStamp | null; mode?: number }): Promise<FileStat>;
  /** Of the path itself, links not followed; undefined when nothing is there. */
  stat(path: string): Promise<FileStat | undefined>;
  list(path: string): Promise<readonly DirectoryEntry[]>;
  remove(path: string): Promise<void>;
  /** Real path of the nearest existing ancestor with the rest appended; a dangling link is an error. */
  realPath(path: string): Promise<{ real: string; exists: boolean }>;
  /** A text runs in `bash -c`; an array is a program and its arguments, no shell between. */
  start(command: string | readonly string[], options?: StartOptions): Promise<SandboxProcess>;
  /** Kept output by byte offset, at most 1 MiB a read. */
  readOutput?(
    id: string,
    stream: OutputStream,
    offset: number,
    max: number,
  ): Promise<{ bytes: Uint8Array; next: number }>;
  /** The last bytes of a kept output, where ranges cannot be read. */
  tailOutput?(id: string, stream: OutputStream, max: number): Promise<Uint8Array>;
  dispose(): Promise<void>;
}
