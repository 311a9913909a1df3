import type {
  CallFacts,
  Decision,
  DecisionLayer,
  Effect,
  JudgedCall,
  PermissionMode,
  Policy,
  SuggestedRule,
  ToolPermission,
} from '../core/index.ts';
import * as reasons from './reasons.ts';
import { parseRule, type Rule } from './rule.ts';
import { createRuleIndex, type RuleIndex, type RuleKind } from './rule-index.ts';

export interface PolicyOptions {
  readonly mode: PermissionMode;
  readonly allow?: readonly (Rule | string)[];
  readonly ask?: readonly (Rule | string)[];
  readonly deny?: readonly (Rule | string)[];
  /** A person's standing answers, `--allow`: they satisfy an ask from any layer, never a deny. */
  readonly grants?: readonly (Rule | string)[];
  /** `allow-first`: an allow stands before an ask. Deny is first in both. Default `ask-first`. */
  readonly precedence?: 'ask-first' | 'allow-first';
  /** The name that an alias in a rule stands for. */
  readonly canonical?: (name: string) => string;
  /** The folder that relative path rules start from. Default: the root that a path lies in. */
  readonly cwd?: string;
  /** What `~/` in a path rule means. */
  readonly home?: string;
}

/** One rule's word on a call. */
export interface RuleReport {
  readonly layer: DecisionLayer;
  readonly effect: RuleKind;
  readonly rule: string;
  readonly fits: boolean;
  readonly why: string;
}

export interface Explanation {
  readonly decision: Decision;
  /** Every rule, in the order in which they are heard. */
  readonly rules: readonly RuleReport[];
}

export interface ExplainingPolicy extends Policy {
  explain(call: JudgedCall): Explanation;
  suggest(call: JudgedCall): readonly SuggestedRule[];
  /** A person's standing answer, from now on. */
  grant(rule: Rule | string): void;
}

/** The judge of calls: allow, ask or deny, from rules and facts, and nothing else. */
export function createPolicy(options: PolicyOptions): ExplainingPolicy {
  const { mode, precedence = 'ask-first', canonical = (name) => name, cwd, home } = options;
  const indexOf = (rules: readonly (Rule | string)[] = [], allows: boolean) =>
    createRuleIndex(
      rules.map((rule) => (typeof rule === 'string' ? parseRule(rule) : rule)),
      { allows, cwd, home },
      canonical,
    );
  const rules: Record<RuleKind, RuleIndex> = {
    deny: indexOf(options.deny, false),
    ask: indexOf(options.ask, false),
    grant: indexOf(options.grants, true),
    allow: indexOf(options.allow, true),
  };

  function find(effect: Effect, { name, facts }: JudgedCall): Decision | undefined {
    const own = ownRule(effect, facts);
    if (own) return decision(effect, reasons.byTool(effect, name, own.reason), 'tool', own.rule);
    const rule = rules[effect].find(name, facts)?.text;
    return rule === undefined ? undefined : decision(effect, reasons.byRule(effect, name, rule), 'rules', rule);
  }

  function decide(call: JudgedCall): Decision {
    const denied = find('deny', call);
    if (denied) return denied;
    const grant = rules.grant.find(call.name, call.facts)?.text;
    if (grant !== undefined) return decision('allow', reasons.byGrant(grant), 'grant', grant);
    const [first, second] = precedence === 'allow-first' ? (['allow', 'ask'] as const) : (['ask', 'allow'] as const);
    return find(first, call) ?? find(second, call) ?? byMode(mode, call);
  }

  const grants = [...(options.grants ?? [])];
  return {
    mode,
    decide,
    suggest: ({ name }) => [
      { scope: 'once', allows: '' },
      { scope: 'always', rule: name, allows: `every call of ${name}, whatever its input` },
    ],
    grant(rule) {
      grants.push(rule);
      rules.grant = indexOf(grants, true);
    },
    explain(call) {
      const own = call.facts.permissions.map(reportOwn);
      const order: readonly RuleKind[] =
        precedence === 'allow-first' ? ['deny', 'grant', 'allow', 'ask'] : ['deny', 'grant', 'ask', 'allow'];
      return { decision: decide(call), rules: [...own, ...order.flatMap((kind) => report(kind, rules[kind], call))] };
    },
  };
}

function ownRule(effect: Effect, facts: CallFacts): ToolPermission | undefined {
  return facts.permissions.find((permission) => permission.effect === effect);
}

function byMode(mode: PermissionMode, { name, facts }: JudgedCall): Decision {
  if (mode === 'open') return decision('allow', reasons.openMode, 'mode');
  if (mode !== 'standard') return decision('deny', reasons.strictMode(name), 'mode');
  if (facts.readOnly) return decision('allow', reasons.onlyReads, 'mode');
  return decision('ask', reasons.standardMode(name), 'mode');
}

function decision(effect: Effect, reason: string, layer: DecisionLayer, rule?: string): Decision {
  return rule === undefined ? { effect, reason, layer } : { effect, reason, layer, rule };
}

function reportOwn({ effect, rule, reason }: ToolPermission): RuleReport {
  return { layer: 'tool', effect, rule: rule ?? "the tool's own rule", fits: true, why: reason };
}

function report(kind: RuleKind, index: RuleIndex, { name, facts }: JudgedCall): RuleReport[] {
  const layer = kind === 'grant' ? 'grant' : 'rules';
  return index.all.map(({ rule, isFor, judge }) => {
    const fit = isFor(name) ? judge(facts) : { fits: false, why: `it is not for ${name}` };
    return { layer, effect: kind, rule: rule.text, ...fit };
  });
}
