import type { FileStamp } from './sandbox.ts';

export interface SeenFile extends FileStamp {
  /** SHA-256 of the whole content, hex. */
  readonly hash: string;
}

export interface ShownText {
  readonly callId: string;
  readonly offset: number;
  readonly limit: number;
  readonly stamp: FileStamp;
}

/**
 * What one agent knows of files, by real path. `seen` guards edits: the file was read, in that state.
 * `shown` says which call's result still shows the model which lines, so that an unchanged file need
 * not be sent again. The two live apart: hiding a result from the model does not unlearn the file.
 */
export interface ReadState {
  seen(path: string): SeenFile | undefined;
  shown(path: string, offset: number, limit: number): ShownText | undefined;
  see(path: string, file: SeenFile): void;
  show(path: string, text: ShownText): void;
  /** Clears what these calls had shown: their results were removed, shortened or stored. */
  hide(callIds: Iterable<string>): void;
  /** After an own edit: the new state is known, the shown text is not current any more. */
  renew(path: string, file: SeenFile): void;
  forget(path: string): void;
}

export function sameStamp(a: FileStamp, b: FileStamp): boolean {
  return a.size === b.size && a.mtimeNs === b.mtimeNs && a.ctimeNs === b.ctimeNs;
}
