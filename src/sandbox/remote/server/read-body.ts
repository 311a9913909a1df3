import type { IncomingMessage } from 'node:http';
import { sizeText, ToolwrightError } from '../../../core/index.ts';

/** Bytes of bodies and files that the server holds at once, and how many more there may be. */
export interface HeldBytes {
  take(bytes: number): void;
  give(bytes: number): void;
}

export function createHeldBytes(most: number): HeldBytes {
  let held = 0;
  return {
    take(bytes) {
      if (held + bytes > most) {
        throw new ToolwrightError('too_many', 'The sandbox server has no memory for more files at once.', {
          hint: 'Try again when others are done.',
          retryable: true,
        });
      }
      held += bytes;
    },
    give(bytes) {
      held -= bytes;
    },
  };
}

/** The whole body; ToolwrightError `too_large` as soon as it is known to be more than `most` bytes. */
export async function withBody<Value>(
  request: IncomingMessage,
  most: number,
  held: HeldBytes,
  use: (body: Buffer) => Promise<Value>,
): Promise<Value> {
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > most) throw tooLarge(most);
  let taken = 0;
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) {
      if (taken + chunk.byteLength > most) throw tooLarge(most);
      held.take(chunk.byteLength);
      taken += chunk.byteLength;
      chunks.push(chunk);
    }
    return await use(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks));
  } finally {
    held.give(taken);
  }
}

const tooLarge = (most: number) =>
  new ToolwrightError('too_large', `The body is larger than the sandbox server takes (${sizeText(most)}).`, {
    hint: 'Send less at once; files that large are better made there, by a command.',
    data: { reason: 'too_large' },
  });
