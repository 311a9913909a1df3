import type { SuggestedRule } from './ask.ts';
import type { Claim } from './claim.ts';
import type { ResolvedPath } from './sandbox.ts';
import type { ToolPermission } from './tool.ts';

export type Effect = 'allow' | 'ask' | 'deny';
export type PermissionMode = 'open' | 'standard' | 'strict';

/** What `prepare` found out about a call, once; policy, hooks and audit judge by it and by nothing else. */
export interface CallFacts {
  readonly readOnly: boolean;
  readonly claims: readonly Claim[];
  /** False when the tool declared none and the default stands. */
  readonly declared: boolean;
  readonly paths: readonly (ResolvedPath & { readonly access: 'read' | 'write' })[];
  readonly hosts: readonly string[];
  readonly commands: readonly string[];
  readonly texts: readonly string[];
  /** The tool's own rules for this call. */
  readonly permissions: readonly ToolPermission[];
}

export interface JudgedCall {
  /** Canonical name. */
  readonly name: string;
  readonly input: unknown;
  readonly facts: CallFacts;
}

export type DecisionLayer = 'tool' | 'rules' | 'hook' | 'grant' | 'mode';

export interface Decision {
  readonly effect: Effect;
  readonly reason: string;
  /** The rule that decided, as written. */
  readonly rule?: string;
  readonly layer: DecisionLayer;
}

/** Pure and synchronous: the same call and facts give the same verdict. */
export interface Policy {
  readonly mode: PermissionMode;
  decide(call: JudgedCall): Decision;
  /** Rules that would allow a call, from narrow to wide. */
  suggest?(call: JudgedCall): readonly SuggestedRule[];
}
