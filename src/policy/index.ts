export { createPolicy, type ExplainedPolicy, type PolicyOptions, type RuleTrace } from './create-policy.ts';
export { parseRule, type Rule } from './parse-rule.ts';
