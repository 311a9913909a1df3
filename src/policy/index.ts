export type { RuleReport } from './explain-rule.ts';
export { createPolicy, type ExplainingPolicy, type Explanation, type PolicyOptions } from './policy.ts';
export { parseRule, type Rule } from './rule.ts';
export { createShellReader } from './shell/create-shell-reader.ts';
export { suggestRules } from './suggest-rules.ts';
