import type { Policy } from '../core/index.ts';
import { createPolicy, parseRule } from '../policy/index.ts';
import type { SessionOptions } from './session-options.ts';
import type { Settings } from './settings.ts';

/** Settings first, the session's own rules after them; an allow of the session is a grant. */
export function sessionPolicy(
  settings: Settings,
  options: SessionOptions,
  canonical: (name: string) => string,
): Policy {
  const { permissions } = settings;
  const parse = (rules: readonly string[] = []) => rules.map((rule) => parseRule(rule));
  return createPolicy({
    mode: options.mode ?? permissions.mode,
    precedence: permissions.precedence,
    allow: parse(permissions.allow),
    ask: parse([...permissions.ask, ...(options.ask ?? [])]),
    deny: parse([...permissions.deny, ...(options.denyRules ?? [])]),
    grants: parse(options.allow),
    canonical,
  });
}
