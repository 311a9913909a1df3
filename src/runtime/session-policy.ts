import { homedir } from 'node:os';
import { createPolicy, type ExplainingPolicy } from '../policy/index.ts';
import type { SessionOptions } from './session-options.ts';
import type { Settings } from './settings.ts';

export interface SessionPolicyOptions {
  readonly settings: Pick<Settings, 'permissions'>;
  readonly options: Pick<SessionOptions, 'mode' | 'allow' | 'ask' | 'denyRules'>;
  readonly canonical: (name: string) => string;
  /** What the paths of rules are relative to. */
  readonly cwd: string;
}

/** Settings first, the session's own rules after them; an allow of the session is a grant. */
export function sessionPolicy({ settings, options, canonical, cwd }: SessionPolicyOptions): ExplainingPolicy {
  const { mode, precedence, allow, ask, deny } = settings.permissions;
  return createPolicy({
    mode: options.mode ?? mode,
    precedence,
    allow,
    ask: [...ask, ...(options.ask ?? [])],
    deny: [...deny, ...(options.denyRules ?? [])],
    grants: options.allow ?? [],
    canonical,
    cwd,
    home: homedir(),
  });
}
