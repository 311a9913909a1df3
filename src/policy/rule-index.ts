import type { Effect, JudgedCall } from '../core/index.ts';
import { type CompileOptions, compileRule, type RuleTest } from './compile-rule.ts';
import type { Match } from './match-command.ts';
import type { Rule } from './rule.ts';
import { toolsNamed } from './rule-names.ts';
import type { Unit } from './units.ts';

export interface IndexedRule {
  readonly rule: Rule;
  readonly isFor: (name: string) => boolean;
  readonly test: RuleTest;
}

export interface FoundRule {
  readonly rule: Rule;
  readonly match: Exclude<Match, 'no'>;
}

/** Rules of one effect, found by tool name. */
export interface RuleIndex {
  readonly all: readonly IndexedRule[];
  add(rule: Rule): void;
  /** The first rule that surely fits a unit, else the first that may. */
  find(unit: Unit, call: JudgedCall): FoundRule | undefined;
}

export type RuleKind = Effect | 'grant';

/** Names remembered at the most; a session has fewer. */
const MOST_NAMES = 2_000;

export function createRuleIndex(
  rules: readonly Rule[],
  options: CompileOptions,
  canonical: (name: string) => string,
): RuleIndex {
  const indexed = (rule: Rule): IndexedRule => {
    let test: RuleTest | undefined;
    const { name } = rule;
    return {
      rule,
      isFor: rule.isPrefix
        ? (tool) => tool.startsWith(name)
        : (tool) => tool === name || toolsNamed(name, canonical).includes(tool),
      test(unit, call) {
        test ??= compileRule(rule, options);
        return test(unit, call);
      },
    };
  };
  const all = rules.map(indexed);
  const byName = new Map<string, readonly IndexedRule[]>();
  const rulesFor = (name: string): readonly IndexedRule[] => {
    let own = byName.get(name);
    if (own === undefined) {
      own = all.filter((each) => each.isFor(name));
      if (byName.size >= MOST_NAMES) byName.clear();
      byName.set(name, own);
    }
    return own;
  };
  return {
    all,
    add(rule) {
      all.push(indexed(rule));
      byName.clear();
    },
    find(unit, call) {
      let found: FoundRule | undefined;
      for (const { rule, test } of rulesFor(call.name)) {
        const match = test(unit, call);
        if (match === 'exact' || match === 'yes') return { rule, match };
        if (match === 'maybe') found ??= { rule, match };
      }
      return found;
    },
  };
}
