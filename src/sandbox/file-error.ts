import { type FileStat, messageOf, ToolwrightError } from '../core/index.ts';

/** Why a file method failed, in `data.reason` of its error. */
export type FileReason =
  | 'missing'
  | 'stale'
  | 'folder'
  | 'not_a_folder'
  | 'not_empty'
  | 'special'
  | 'outside'
  | 'read_only'
  | 'dangling'
  | 'swapped'
  | 'no_permission'
  | 'no_space'
  | 'too_large'
  | 'disk';

interface FileErrorOptions {
  readonly hint?: string;
  readonly cause?: unknown;
}

export function fileError(reason: FileReason, message: string, options: FileErrorOptions = {}): ToolwrightError {
  return new ToolwrightError(codeOf(reason), message, { ...options, data: { reason } });
}

function codeOf(reason: FileReason) {
  if (reason === 'outside' || reason === 'read_only' || reason === 'dangling' || reason === 'swapped') return 'denied';
  if (reason === 'missing') return 'not_found';
  return reason === 'too_large' ? 'too_large' : 'failed';
}

export const missing = (path: string) => fileError('missing', `${path} does not exist.`);

export const stale = (path: string) =>
  fileError('stale', `${path} has changed on disk since it was looked at; nothing was written.`, {
    hint: 'Read it again with read_file and make the change to what it holds now.',
  });

/** Refuses everything but a regular file, saying what it is. */
export function requireFile(path: string, stat: FileStat): void {
  if (stat.kind === 'file') return;
  if (stat.kind === 'directory') throw fileError('folder', `${path} is a folder, not a file.`);
  if (stat.kind === 'symlink') throw fileError('swapped', `${path} became a link while it was opened; refused.`);
  throw fileError('special', `${path} is a ${stat.special ?? 'special file'}, not a regular file.`, {
    hint: 'Only regular files can be read and written.',
  });
}

export const errnoOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

/** A host's error as ours; one that is ours already passes through. */
export function fromErrno(path: string, error: unknown): unknown {
  const options = { cause: error };
  switch (errnoOf(error)) {
    case 'ENOENT':
      return missing(path);
    case 'ENOTDIR':
      return fileError('not_a_folder', `A part of ${path} is a file, not a folder.`, options);
    case 'EISDIR':
      return fileError('folder', `${path} is a folder, not a file.`, options);
    case 'ENOTEMPTY':
      return fileError('not_empty', `${path} is a folder that is not empty.`, options);
    case 'EACCES':
    case 'EPERM':
      return fileError('no_permission', `The operating system refuses access to ${path}.`, options);
    case 'EROFS':
      return fileError('no_permission', `${path} lies on a file system that is mounted read-only.`, options);
    case 'ENOSPC':
    case 'EDQUOT':
      return fileError('no_space', `The disk is full; ${path} is as it was before.`, {
        ...options,
        hint: 'Free some space, then try again.',
      });
    case 'EFBIG':
      return fileError('too_large', `${path} would become larger than the file system takes.`, options);
    case 'ELOOP':
      return fileError('dangling', `${path} leads through links that go in a circle.`, options);
    case 'ENAMETOOLONG':
      return new ToolwrightError(
        'invalid_input',
        `${path.slice(0, 80)}… is longer than the file system takes.`,
        options,
      );
    case 'ENXIO':
    case 'ENODEV':
      return fileError('special', `${path} is not a regular file.`, options);
    case undefined:
      return error;
    default:
      return error instanceof Error && error.name === 'ToolwrightError'
        ? error
        : fileError('disk', `${path}: ${messageOf(error)}`, options);
  }
}
