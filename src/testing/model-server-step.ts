import type { StopReason } from '../core/index.ts';

/** One thing that the server does with an open answer. */
export type ServerPiece =
  /** Bytes as they are. */
  | { readonly send: string | Uint8Array }
  /** One event of the stream. */
  | { readonly data: unknown; readonly event?: string }
  | { readonly delayMs: number }
  /** Stays open until `release()`. */
  | { readonly stall: true }
  /** The connection is destroyed. */
  | { readonly cut: true };

export interface ServerCall {
  readonly id?: unknown;
  readonly name: string;
  /** An object is sent as JSON, a text as it is. */
  readonly arguments?: unknown;
}

/** What the server answers to one request: a reply in words, exact pieces, or a status with a body. */
export interface ServerStep {
  readonly thinking?: string;
  readonly text?: string;
  readonly calls?: readonly ServerCall[];
  /** Characters of arguments or text in one event; default 16. */
  readonly pieceChars?: number;
  /** Before the answer begins. */
  readonly delayMs?: number;
  /** After the last call, before the end. */
  readonly stall?: boolean;
  readonly endDelayMs?: number;
  readonly reason?: Extract<StopReason, 'stop' | 'tool_calls' | 'length'>;
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number };
  /** The exact stream, by the protocol that was spoken; in place of the words above. */
  readonly openai?: readonly ServerPiece[];
  readonly anthropic?: readonly ServerPiece[];
  /** Anything but 200 answers with `body` alone. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export function argumentsText(call: ServerCall): string {
  return typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments ?? {});
}

/** A text in pieces of at most `size` characters. */
export function inPieces(text: string, size: number): string[] {
  const pieces: string[] = [];
  for (let from = 0; from < text.length; from += size) pieces.push(text.slice(from, from + size));
  return pieces;
}

/** The pauses that a step of words asks for before its end. */
export function endPauses(step: ServerStep): ServerPiece[] {
  const pauses: ServerPiece[] = [];
  if (step.stall) pauses.push({ stall: true });
  if (step.endDelayMs) pauses.push({ delayMs: step.endDelayMs });
  return pauses;
}
