import type { CallFacts, Effect } from '../core/index.ts';
import { type CompileOptions, compileRule, type Fit } from './compile-rule.ts';
import type { Rule } from './rule.ts';

export interface IndexedRule {
  readonly rule: Rule;
  readonly isFor: (name: string) => boolean;
  readonly judge: (facts: CallFacts) => Fit;
}

/** Rules of one effect, found by tool name. */
export interface RuleIndex {
  readonly all: readonly IndexedRule[];
  /** The first rule that fits a call. */
  find(name: string, facts: CallFacts): Rule | undefined;
}

export type RuleKind = Effect | 'grant';

/** Names remembered at the most; a session has fewer. */
const MOST_NAMES = 2_000;

export function createRuleIndex(
  rules: readonly Rule[],
  options: CompileOptions,
  canonical: (name: string) => string,
): RuleIndex {
  const all = rules.map((rule): IndexedRule => {
    let test: ((facts: CallFacts) => Fit) | undefined;
    return {
      rule,
      isFor: (name) => (rule.isPrefix ? name.startsWith(rule.name) : canonical(rule.name) === name),
      judge(facts) {
        test ??= compileRule(rule, options);
        return test(facts);
      },
    };
  });
  const byName = new Map<string, readonly IndexedRule[]>();
  return {
    all,
    find(name, facts) {
      let own = byName.get(name);
      if (own === undefined) {
        own = all.filter((each) => each.isFor(name));
        if (byName.size >= MOST_NAMES) byName.clear();
        byName.set(name, own);
      }
      return own.find((each) => each.judge(facts).fits)?.rule;
    },
  };
}
