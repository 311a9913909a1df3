import type { Decision, DecisionLayer, Effect, JudgedCall, PermissionMode, Policy } from '../core/index.ts';
import { matchRule, type Side } from './match-rule.ts';
import { parseRule, type Rule } from './parse-rule.ts';
import { createRuleTable, type RuleTable } from './rule-table.ts';

export interface PolicyOptions {
  /** Decides where no rule does: `open` allows, `standard` allows what is read-only and asks for the rest, `strict` denies. */
  readonly mode: PermissionMode;
  readonly allow?: readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
  /** Standing answers of a person: each satisfies an ask for exactly what it covers, and never a deny. */
  readonly grants?: readonly string[];
  /** `allow-first`: an allow is found before an ask. Default: an ask is found first. */
  readonly precedence?: 'ask-first' | 'allow-first';
  readonly canonical?: (name: string) => string;
  readonly cwd?: string;
  readonly home?: string;
}

/** One line of why: a rule and whether it fitted. */
export interface RuleTrace {
  readonly effect: Effect;
  readonly layer: DecisionLayer;
  readonly rule: string;
  readonly fits: boolean;
}

export interface ExplainedPolicy extends Policy {
  explain(call: JudgedCall): { readonly decision: Decision; readonly trace: readonly RuleTrace[] };
}

type Verdict = Omit<Decision, 'effect'>;

/** Throws ToolwrightError `invalid_request` for a malformed rule. */
export function createPolicy(options: PolicyOptions): ExplainedPolicy {
  const canonical = options.canonical ?? ((name: string) => name);
  const table = (rules: readonly string[] = []) => createRuleTable(rules.map(parseRule), canonical);
  const tables = {
    deny: table(options.deny),
    ask: table(options.ask),
    allow: table(options.allow),
    grants: table(options.grants),
  };
  const base = { cwd: options.cwd ?? '/', ...(options.home === undefined ? {} : { home: options.home }) };
  const find = (rules: RuleTable, call: JudgedCall, side: Side): Rule | undefined =>
    rules.for(call.name).find((rule) => matchRule(rule, call, side, base));

  const byRules = (
    rules: RuleTable,
    call: JudgedCall,
    side: Side,
    layer: DecisionLayer,
    word: string,
  ): Verdict | undefined => {
    const rule = find(rules, call, side);
    return rule && { reason: `the rule "${rule.text}" ${word} it`, rule: rule.text, layer };
  };
  const byTool = (call: JudgedCall, effect: Effect): Verdict | undefined => {
    const own = call.facts.permissions.find((permission) => permission.effect === effect);
    return own && { reason: own.reason, layer: 'tool', ...(own.rule === undefined ? {} : { rule: own.rule }) };
  };

  const decide = (call: JudgedCall): Decision => {
    const denied = byTool(call, 'deny') ?? byRules(tables.deny, call, 'refusing', 'rules', 'forbids');
    if (denied) return { effect: 'deny', ...denied };
    const granted = byRules(tables.grants, call, 'allowing', 'grant', 'was granted for');
    if (granted) return { effect: 'allow', ...granted };
    const ask = byTool(call, 'ask') ?? byRules(tables.ask, call, 'refusing', 'rules', 'asks for');
    const allow = byRules(tables.allow, call, 'allowing', 'rules', 'allows') ?? byTool(call, 'allow');
    if (allow && (options.precedence === 'allow-first' || !ask)) return { effect: 'allow', ...allow };
    if (ask) return { effect: 'ask', ...ask };
    return byMode(options.mode, call);
  };

  return {
    mode: options.mode,
    decide,
    explain(call) {
      const trace = (rules: RuleTable, effect: Effect, layer: DecisionLayer, side: Side): RuleTrace[] =>
        rules.all.map((rule) => ({
          effect,
          layer,
          rule: rule.text,
          fits: rules.for(call.name).includes(rule) && matchRule(rule, call, side, base),
        }));
      return {
        decision: decide(call),
        trace: [
          ...trace(tables.deny, 'deny', 'rules', 'refusing'),
          ...trace(tables.grants, 'allow', 'grant', 'allowing'),
          ...trace(tables.ask, 'ask', 'rules', 'refusing'),
          ...trace(tables.allow, 'allow', 'rules', 'allowing'),
        ],
      };
    },
  };
}

function byMode(mode: PermissionMode, { name, facts }: JudgedCall): Decision {
  if (mode === 'open') return { effect: 'allow', reason: 'mode open allows what no rule forbids', layer: 'mode' };
  if (mode === 'strict') {
    const reason = `mode strict allows only what a rule allows; the rule "${name}" would`;
    return { effect: 'deny', reason, layer: 'mode' };
  }
  if (facts.readOnly) return { effect: 'allow', reason: 'it is read-only', layer: 'mode' };
  return { effect: 'ask', reason: `it is not read-only; --allow ${name} would allow it`, layer: 'mode' };
}
