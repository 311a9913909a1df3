export {
  createPolicy,
  type ExplainingPolicy,
  type Explanation,
  type PolicyOptions,
  type RuleReport,
} from './policy.ts';
export { parseRule, type Rule } from './rule.ts';
