import { messageOf } from '../../../core/index.ts';

/** Something between us and the server failed, or it went away: what was asked for may or may not have been done. */
export class LineFault extends Error {
  /** Nothing can have reached the server. */
  readonly isUnreached: boolean;
  /** The connection was an old one, which may have been dead for long. */
  readonly isStale: boolean;

  constructor(message: string, { isUnreached = false, isStale = false } = {}) {
    super(message);
    this.name = 'LineFault';
    this.isUnreached = isUnreached;
    this.isStale = isStale;
  }
}

const NOBODY_THERE = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

export function toLineFault(error: unknown, isStale = false): LineFault {
  if (error instanceof LineFault) return error;
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  return new LineFault(code ?? messageOf(error), {
    isUnreached: code !== undefined && NOBODY_THERE.has(code),
    isStale,
  });
}
