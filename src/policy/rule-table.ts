import type { Rule } from './parse-rule.ts';

/** Rules by the tool that they are for, so that a call is held only against those that can fit it. */
export interface RuleTable {
  for(name: string): readonly Rule[];
  readonly all: readonly Rule[];
}

export function createRuleTable(rules: readonly Rule[], canonical: (name: string) => string): RuleTable {
  const exact = new Map<string, Rule[]>();
  const patterns: { readonly prefix: string; readonly rule: Rule }[] = [];
  for (const rule of rules) {
    if (rule.tool.endsWith('*')) patterns.push({ prefix: rule.tool.slice(0, -1), rule });
    else {
      const name = canonical(rule.tool);
      exact.set(name, [...(exact.get(name) ?? []), rule]);
    }
  }
  return {
    all: rules,
    for: (name) => [
      ...(exact.get(name) ?? []),
      ...patterns.filter(({ prefix }) => name.startsWith(prefix)).map(({ rule }) => rule),
    ],
  };
}
