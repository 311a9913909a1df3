import type { Effect } from '../core/index.ts';

const byFlag = (name: string) => `To allow it, start with --allow ${name}`;
const byFlagOrRule = (name: string) => `${byFlag(name)} or add the rule "${name}" to permissions.allow.`;

export const openMode = 'the mode open allows what no rule forbids.';
export const onlyReads = 'it only reads.';
export const strictMode = (name: string) => `the mode strict denies what no rule allows. ${byFlagOrRule(name)}`;
export const standardMode = (name: string) =>
  `it may change something, and no rule speaks of it. ${byFlagOrRule(name)}`;
export const byGrant = (rule: string) => `it was allowed by ${rule}.`;

const NO_WAY_ROUND = 'No --allow lifts that: the rule itself would have to go.';

export function byRule(effect: Effect, name: string, rule: string): string {
  if (effect === 'allow') return `the rule ${rule} allows it.`;
  if (effect === 'ask') return `the rule ${rule} wants a person's yes. ${byFlag(name)}.`;
  return `the rule ${rule} forbids it. ${NO_WAY_ROUND}`;
}

/** `said`: what the tool itself had to say about the call. */
export function byTool(effect: Effect, name: string, said: string): string {
  const text = /[.!?]$/.test(said) ? said : `${said}.`;
  return effect === 'ask' ? `${text} ${byFlag(name)}.` : text;
}
