import type { SuggestedRule } from './ask.ts';
import type { Claim } from './claim.ts';
import type { ResolvedPath } from './sandbox.ts';
import type { ToolPermission } from './tool.ts';

export type Effect = 'allow' | 'ask' | 'deny';
export type PermissionMode = 'open' | 'standard' | 'strict';

/** One simple command of a shell line, as the shell would run it. */
export interface ShellCommand {
  /** Program and arguments without their quotes; null where only the running shell knows. */
  readonly words: readonly (string | null)[];
  /** What it does that its words do not say, such as `writes list.txt`. */
  readonly beside?: string;
  /** Files that its redirections write, as far as they are known. */
  readonly writes?: readonly string[];
  /** Why not all that it would run is known. */
  readonly hides?: string;
  /** The command that runs it (its place in the line) and, where its words stand among that one's, where. */
  readonly within?: { readonly command: number; readonly word?: number };
  /** It does nothing but run another command of the line, or nothing at all. */
  readonly passive?: true;
}

/** The simple commands of a shell line, however deep they stand; `env` is set for all of it. */
export type ReadShell = (line: string, env?: Readonly<Record<string, string>>) => Promise<readonly ShellCommand[]>;

/** What `prepare` found out about a call, once; policy, hooks and audit judge by it and by nothing else. */
export interface CallFacts {
  readonly readOnly: boolean;
  readonly claims: readonly Claim[];
  /** False when the tool declared none and the default stands. */
  readonly declared: boolean;
  readonly paths: readonly (ResolvedPath & { readonly access: 'read' | 'write' })[];
  readonly hosts: readonly string[];
  readonly commands: readonly string[];
  /** What each of the commands would run; absent when nothing could read them. */
  readonly shell?: readonly (readonly ShellCommand[])[];
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

/** Who decided; a rule of settings is named by where it stands. */
export type DecisionLayer = 'tool' | 'session' | 'project' | 'home' | 'rules' | 'hook' | 'grant' | 'mode';

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
