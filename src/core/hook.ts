import type { SessionInfo } from './context.ts';
import type { CallFacts } from './policy.ts';
import type { ToolOutput, ToolResult } from './result.ts';

export interface HookCall {
  readonly id: string;
  /** Canonical name. */
  readonly name: string;
  readonly input: unknown;
  readonly facts: CallFacts;
  readonly session: SessionInfo;
  readonly signal: AbortSignal;
}

/** What a hook may say before a call runs. Nothing said: no objection. */
export interface BeforeOutcome {
  readonly block?: string;
  readonly input?: unknown;
  readonly note?: string;
  readonly ask?: string;
  readonly allow?: string;
}

/** What a hook may say after a call has its result. */
export interface AfterOutcome {
  /** Replaces the output that the model sees. */
  readonly output?: ToolOutput;
  readonly metrics?: Readonly<Record<string, number>>;
  /** Appended to the call's own result. */
  readonly note?: string;
}

/** Code run before and after a call, in the order in which the hooks stand. */
export interface Hook {
  readonly name: string;
  /** Tool names it is for: one name, `*` at the end for a prefix, or a test. Default: all. */
  readonly match?: string | readonly string[] | ((name: string) => boolean);
  before?(call: HookCall): BeforeOutcome | undefined | void | Promise<BeforeOutcome | undefined | void>;
  after?(
    call: HookCall,
    result: ToolResult,
  ): AfterOutcome | undefined | void | Promise<AfterOutcome | undefined | void>;
  /** When the hook throws or takes too long: `deny` for judges, `continue` for observers. Default `deny` for before, `continue` for after. */
  readonly onFailure?: 'deny' | 'continue';
  /** Longest time for one answer, milliseconds. Default 60,000. */
  readonly timeoutMs?: number;
}

/** The joined word of all before hooks. */
export interface BeforeVerdict {
  /** Set when a hook refused, or failed with `onFailure: 'deny'`. */
  readonly block?: { readonly hook: string; readonly reason: string };
  readonly input: unknown;
  /** True when a hook changed the input: it is parsed and judged again. */
  readonly changed: boolean;
  readonly notes: readonly string[];
  readonly ask?: { readonly hook: string; readonly reason: string };
  readonly allow?: { readonly hook: string; readonly reason: string };
  /** Hooks that failed and were passed over. */
  readonly failures: readonly string[];
}

export interface AfterVerdict {
  readonly output?: ToolOutput;
  readonly notes: readonly string[];
  readonly metrics: Readonly<Record<string, number>>;
  readonly failures: readonly string[];
}

/** Runs a session's hooks; given to the executor. */
export interface HookRunner {
  /** False when no hook is for this tool: the executor then takes the straight way. */
  has(name: string): boolean;
  before(call: HookCall): Promise<BeforeVerdict>;
  after(call: HookCall, result: ToolResult): Promise<AfterVerdict>;
}
