import type { Effect } from '../core/index.ts';

export const openMode = 'the mode open allows what no rule forbids.';
export const onlyReads = 'it only reads.';
export const strictMode = (rule: string) =>
  `the mode strict denies what no rule allows. To allow it, add ${rule} to permissions.allow, or give it with --allow.`;
export const standardMode = 'it may change something, and no rule speaks of it.';
export const byGrant = (rule: string) => `it was allowed by ${rule}.`;

export function byRule(effect: Effect, rule: string): string {
  if (effect === 'allow') return `the rule ${rule} allows it.`;
  if (effect === 'ask') return `the rule ${rule} wants a person's yes.`;
  return `the rule ${rule} forbids it. No --allow lifts that: the rule itself would have to go.`;
}

/** `what`: the part of the call of which more is known only when it runs. */
export const maybeDenied = (rule: string, what: string) =>
  `nobody can say beforehand whether it does what the rule ${rule} forbids (${shown(what)}), so a person has to say yes.`;

/** `said`: what the tool itself had to say about the call. */
export const byTool = (said: string) => (/[.!?]$/.test(said) ? said : `${said}.`);

/** Which part of a call a reason is about. */
export const ofPart = (part: string, reason: string) => (part === '' ? reason : `${shown(part)}: ${reason}`);

const shown = (text: string) => (text.length > 120 ? `${text.slice(0, 120)}…` : text).replace(/\s+/g, ' ');
