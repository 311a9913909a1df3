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
import { explainRule, type RuleReport } from './explain-rule.ts';
import * as reasons from './reasons.ts';
import { parseRule, type Rule } from './rule.ts';
import { createRuleIndex, type FoundRule, type RuleIndex, type RuleKind } from './rule-index.ts';
import { suggestRules } from './suggest-rules.ts';
import { isPassive, type Unit, unitLabel, unitsOf } from './units.ts';
import { findWrittenPath } from './written-paths.ts';

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

export interface Explanation {
  readonly decision: Decision;
  /** Every rule, in the order in which they are heard. */
  readonly rules: readonly RuleReport[];
}

export interface ExplainingPolicy extends Policy {
  explain(call: JudgedCall): Explanation;
  suggest(call: JudgedCall): readonly SuggestedRule[];
  /** A person's standing answer, from now on. A malformed rule is `invalid_request`. */
  grant(rule: Rule | string): void;
  /** No call of that tool can be allowed: the model need not know of it. */
  hides(name: string): boolean;
}

/** The judge of calls: allow, ask or deny, from rules and facts, and nothing else. */
export function createPolicy(options: PolicyOptions): ExplainingPolicy {
  const { mode, precedence = 'ask-first', canonical = (name) => name, cwd, home } = options;
  const indexOf = (rules: readonly (Rule | string)[] = [], allows: boolean) =>
    createRuleIndex(rules.map(read), { allows, cwd, home }, canonical);
  const rules: Record<RuleKind, RuleIndex> = {
    deny: indexOf(options.deny, false),
    ask: indexOf(options.ask, false),
    grant: indexOf(options.grants, true),
    allow: indexOf(options.allow, true),
  };

  function find(effect: 'ask' | 'allow', unit: Unit, call: JudgedCall): Decision | undefined {
    const own = ownDecision(effect, call);
    if (own) return own;
    const written = effect === 'ask' ? findWrittenPath(unit, call, rules.ask, options) : undefined;
    const rule = (rules[effect].find(unit, call) ?? written)?.rule;
    return rule && decision(effect, reasons.byRule(effect, rule.text), layerOf(rule), rule.text);
  }

  /** A sure match before one that may be. */
  function findDenied(unit: Unit, call: JudgedCall): FoundRule | undefined {
    const found = rules.deny.find(unit, call);
    return found === undefined || found.match === 'maybe'
      ? (findWrittenPath(unit, call, rules.deny, options) ?? found)
      : found;
  }

  function judge(unit: Unit, call: JudgedCall): Decision {
    const denied = findDenied(unit, call);
    if (denied !== undefined && denied.match !== 'maybe') {
      return decision('deny', reasons.byRule('deny', denied.rule.text), layerOf(denied.rule), denied.rule.text);
    }
    const grant = rules.grant.find(unit, call);
    if (grant !== undefined && (denied === undefined || grant.match === 'exact')) {
      return decision('allow', reasons.byGrant(grant.rule.text), 'grant', grant.rule.text);
    }
    if (denied !== undefined) {
      return decision(
        'ask',
        reasons.maybeDenied(denied.rule.text, unitLabel(unit)),
        layerOf(denied.rule),
        denied.rule.text,
      );
    }
    const [first, second] = precedence === 'allow-first' ? (['allow', 'ask'] as const) : (['ask', 'allow'] as const);
    return find(first, unit, call) ?? find(second, unit, call) ?? byMode(mode, call);
  }

  /** What only runs another command of its line is held to what forbids it, and needs nothing that permits it. */
  function decide(call: JudgedCall): Decision {
    const own = ownDecision('deny', call);
    if (own) return own;
    const units = unitsOf(call);
    const counts = units.some((unit) => !isPassive(unit)) ? (unit: Unit) => !isPassive(unit) : () => true;
    const judged: Judged[] = [];
    for (const unit of units) {
      const verdict = judge(unit, call);
      const namesIt = verdict.effect !== 'allow' && verdict.rule?.includes('(') === true;
      if (counts(unit) || namesIt) judged.push({ unit, verdict });
    }
    return joined(judged, call, mode);
  }

  return {
    mode,
    decide,
    suggest: suggestRules,
    grant: (rule) => rules.grant.add(read(rule)),
    hides: (name) => rules.deny.all.some(({ rule, isFor }) => rule.specifier === undefined && isFor(name)),
    explain(call) {
      const own = call.facts.permissions.map(reportOwn);
      const order: readonly RuleKind[] =
        precedence === 'allow-first' ? ['deny', 'grant', 'allow', 'ask'] : ['deny', 'grant', 'ask', 'allow'];
      const units = unitsOf(call);
      const all = order.flatMap((kind) =>
        rules[kind].all.map((rule): RuleReport => {
          const layer = kind === 'grant' ? 'grant' : layerOf(rule.rule);
          return { layer, effect: kind, rule: rule.rule.text, ...explainRule(kind, rule, units, call) };
        }),
      );
      return { decision: decide(call), rules: [...own, ...all] };
    },
  };
}

interface Judged {
  readonly unit: Unit;
  readonly verdict: Decision;
}

/** The strictest verdict stands; of asks a rule's before the mode's, and a grant only when it covers everything. */
function joined(judged: readonly Judged[], call: JudgedCall, mode: PermissionMode): Decision {
  const withLayer = (list: readonly Judged[], isFirst: (layer: DecisionLayer) => boolean) =>
    list.find(({ verdict }) => isFirst(verdict.layer)) ?? list[0];
  const of = (effect: Effect) => judged.filter(({ verdict }) => verdict.effect === effect);
  const strictest =
    withLayer(of('deny'), (layer) => layer !== 'mode') ??
    withLayer(of('ask'), (layer) => layer !== 'mode') ??
    judged.find(({ verdict }) => verdict.layer === 'mode') ??
    withLayer(of('allow'), (layer) => layer !== 'grant');
  if (strictest === undefined) return byMode(mode, call);
  const { unit, verdict } = strictest;
  const part = unitLabel(unit);
  if (verdict.effect === 'allow' || judged.length === 1 || verdict.reason.includes(part)) return verdict;
  return { ...verdict, reason: reasons.ofPart(part, verdict.reason) };
}

const read = (rule: Rule | string) => (typeof rule === 'string' ? parseRule(rule) : rule);
const layerOf = (rule: Rule): DecisionLayer => rule.scope ?? 'rules';

function ownDecision(effect: Effect, { facts }: JudgedCall): Decision | undefined {
  const own = ownRule(effect, facts);
  return own && decision(effect, reasons.byTool(own.reason), 'tool', own.rule);
}

function ownRule(effect: Effect, facts: CallFacts): ToolPermission | undefined {
  return facts.permissions.find((permission) => permission.effect === effect);
}

function byMode(mode: PermissionMode, call: JudgedCall): Decision {
  const { name, facts } = call;
  if (mode === 'open') return decision('allow', reasons.openMode, 'mode');
  if (mode !== 'standard') {
    const narrow = suggestRules(call).find(({ rule }) => rule !== undefined)?.rule;
    return decision('deny', reasons.strictMode(narrow ?? name), 'mode');
  }
  if (facts.readOnly) return decision('allow', reasons.onlyReads, 'mode');
  return decision('ask', reasons.standardMode, 'mode');
}

function decision(effect: Effect, reason: string, layer: DecisionLayer, rule?: string): Decision {
  return rule === undefined ? { effect, reason, layer } : { effect, reason, layer, rule };
}

function reportOwn({ effect, rule, reason }: ToolPermission): RuleReport {
  return { layer: 'tool', effect, rule: rule ?? "the tool's own rule", fits: true, why: reason };
}
