import type { Hook, Model, PermissionMode } from '../core/index.ts';
import type { AgentMode } from '../registry/index.ts';
import type { AskHandler } from './ask-wait.ts';

export interface SessionOptions {
  /** Continues the session of that id, or begins one under it. Default: a new one. */
  readonly id?: string;
  /** Where relative paths start. Default: the session's own, else the runtime's. */
  readonly cwd?: string;
  /** More folders that tools may touch. */
  readonly addDirs?: readonly string[];
  /** Tools (or aliases, or bundles) that this session may use. Default: all that are not `explicitOnly`. */
  readonly tools?: readonly string[];
  /** Tools that it may not use. */
  readonly deny?: readonly string[];
  /** Skills that this session may use, by name or `prefix*`. Default: all that may be used. */
  readonly skills?: readonly string[];
  /** Variables of its commands: `NAME` passes one of ours on, `NAME=value` sets one. Not kept with the session. */
  readonly env?: readonly string[];
  readonly agentMode?: AgentMode;
  readonly model?: string | Model;
  readonly fallbackModel?: string | Model;
  readonly mode?: PermissionMode;
  /** Rules on top of those of the settings. `allow` is a grant: it satisfies an ask, never a deny. */
  readonly allow?: readonly string[];
  readonly ask?: readonly string[];
  readonly denyRules?: readonly string[];
  /** Model replies of one run at the most. Default 50. */
  readonly maxSteps?: number;
  readonly thinking?: boolean;
  /** Puts questions to the person who is here: for a permission when the verdict is ask, and a tool's own. */
  readonly onAsk?: AskHandler;
  /** Somebody can answer: here, or through `runtime.asks` from elsewhere. Else calls that need a yes are denied. Default: when there is `onAsk`. */
  readonly interactive?: boolean;
  readonly hooks?: readonly Hook[];
  /** False: nothing goes on after its call, as for a session that is closed right after it. Default true. */
  readonly background?: boolean;
}
