/** One thing found wrong, with its place. `error`: the standard forbids it; `warning`: it is allowed and unwise. */
export interface SkillDiagnostic {
  /** Which rule, in kebab case. */
  readonly rule: string;
  readonly severity: 'error' | 'warning';
  readonly message: string;
  readonly file: string;
  /** Counted from 1. */
  readonly line?: number;
}

/** What is known of a skill before its text is read. */
export interface Skill {
  /** What it is called by. Text of a stranger: never part of a path. */
  readonly name: string;
  /** Other names that find it: its folder, its heading, its id. */
  readonly aliases: readonly string[];
  readonly description: string;
  /** When to use it, where that is said apart from the description. */
  readonly activation?: string;
  /** Real path of its folder. */
  readonly folder: string;
  /** Its SKILL.md. */
  readonly file: string;
  /** Rules of calls that need no asking while it is active. */
  readonly allowedTools: readonly string[];
  /** Rules of the only calls that may be made while it is active. */
  readonly restrictTools?: readonly string[];
  /** Its text stands in the system prompt from the beginning. */
  readonly always: boolean;
  /** It is a tool of its own, too. */
  readonly isTool: boolean;
  /** The model may load it. */
  readonly forModel: boolean;
  /** A person may start it as `/name`. */
  readonly forPerson: boolean;
}
