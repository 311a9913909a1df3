import type { QuestionAnswer, QuestionRequest } from './ask.ts';
import type { Audit } from './audit.ts';
import type { SessionInfo, ToolContext } from './context.ts';
import type { Emit, EventBody } from './event.ts';
import type { HookRunner } from './hook.ts';
import type { JsonObject } from './json.ts';
import type { RawToolCall } from './message.ts';
import type { JudgedCall, Policy } from './policy.ts';
import type { ToolResult } from './result.ts';
import type { Tool, ToolDefinition } from './tool.ts';

/** Tools by name, as a session sees them. Registry, view and selection all read like this. */
export interface ToolSet {
  /** By canonical name or alias. */
  get(name: string): Tool | undefined;
  /** The canonical name that a written one stands for. */
  canonical(name: string): string | undefined;
  /** Canonical names, sorted. */
  names(): readonly string[];
  definitions(): readonly ToolDefinition[];
}

/** What the executor asks of the current request's tools. */
export interface OfferedTools extends ToolSet {
  /** False: allowed in the session, but not in this request. */
  offers(name: string): boolean;
  /** True: the tool's definition was sent and the tool has gone since; calls answer `unavailable`. */
  isGone?(name: string): boolean;
}

/** Rows of calls; `started` is on disk before an effectful call runs. */
export interface CallJournal {
  started(call: StartedCall): Promise<void>;
  ended(result: ToolResult): Promise<void>;
}

export interface StartedCall {
  readonly callId: string;
  readonly name: string;
  readonly input: unknown;
  readonly step: number;
}

/** Masks secrets in text that leaves the process. */
export interface Masker {
  mask(text: string): string;
  /** For text that comes in pieces: what is given back is safe to pass on, the rest is held back (at most 4 KB). */
  stream(): { push(piece: string): string; end(): string };
}

/** A call that a person must allow first, as it was judged, and why. */
export interface AskRequest extends JudgedCall {
  readonly callId: string;
  readonly reason: string;
}

export type AskAnswer =
  | { readonly outcome: 'approved' }
  | { readonly outcome: 'denied'; readonly reason?: string }
  | { readonly outcome: 'unanswered' };

/** Puts a permission question to a person. Absent when nobody can answer. */
export type AskPermission = (request: AskRequest, signal: AbortSignal) => Promise<AskAnswer>;

/** Puts a running call's own questions to a person. Absent when nobody can answer. */
export type PutQuestions = (
  request: QuestionRequest,
  call: Omit<AskRequest, 'reason' | 'facts'>,
  signal: AbortSignal,
) => Promise<QuestionAnswer>;

/** All that one turn's calls need of their session. */
export interface ExecutionSession {
  readonly info: SessionInfo;
  readonly step: number;
  readonly tools: OfferedTools;
  /** The run's cancel: reaches `cancel` tools at once and never `block` tools. */
  readonly signal: AbortSignal;
  /** The second cancel: settles `block` calls too, as `uncertain`. */
  readonly forceSignal?: AbortSignal;
  readonly policy: Policy;
  readonly hooks?: HookRunner;
  readonly journal?: CallJournal;
  readonly masker?: Masker;
  readonly ask?: AskPermission;
  readonly audit?: Audit;
  /** Becomes the tool's `ask`. */
  readonly question?: PutQuestions;
  /** What tools get beside the call's own fields. */
  readonly context: Omit<ToolContext, 'call' | 'signal' | 'progress' | 'session'>;
  /** Earlier turns' calls, for the repeat guard; kept by the session. */
  readonly history?: CallHistory;
  /** Where events go. When absent they are read from the execution itself. */
  readonly emit?: Emit;
}

/** A call as the repeat guard compares it. */
export interface PastCall {
  readonly callId: string;
  /** Name and canonical input. */
  readonly signature: string;
  /** What came out, with times and random ids masked; undefined while it is not known. */
  readonly outcome: string | undefined;
}

/** The finished turns of a session as the repeat guard sees them. */
export interface CallHistory {
  /** The earlier call that this one would only repeat; `pending` are the calls before it in its own turn. */
  repeated(signature: string, pending: readonly PastCall[]): PastCall | undefined;
  record(turn: readonly PastCall[]): void;
}

/** A turn's calls under way. */
export interface Execution extends AsyncIterable<EventBody> {
  /** In call order, one for each call. Resolves when every call has settled. Never rejects. */
  readonly results: Promise<readonly ToolResult[]>;
  /** Resolves when every call has finished too: nothing of this turn runs any more. */
  readonly finished: Promise<void>;
}

export interface Executor {
  execute(calls: Iterable<RawToolCall> | AsyncIterable<RawToolCall>, session: ExecutionSession): Execution;
  /** The tool is known and read-only for these arguments, so the call may start as soon as its object has closed. */
  isReadOnly(call: RawToolCall, session: Pick<ExecutionSession, 'tools'>): boolean;
  /** The call as it will be kept: canonical name, arguments as the text of a JSON object. Does not judge it. */
  normalize(call: RawToolCall, tools: ToolSet): { name: string; arguments: string; input: JsonObject | undefined };
}
