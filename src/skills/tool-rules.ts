/**
 * The rules in a list of tools: `Bash(git add:*) Read`, with commas, or as a list. A blank in parentheses does
 * not part two rules.
 */
export function toolRules(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(toolRules);
  if (typeof value !== 'string') return [];
  const rules: string[] = [];
  let rule = '';
  let depth = 0;
  for (const sign of `${value} `) {
    if (sign === '(') depth++;
    else if (sign === ')') depth = Math.max(0, depth - 1);
    if (depth === 0 && /[\s,]/.test(sign)) {
      if (rule !== '') rules.push(rule);
      rule = '';
    } else rule += sign;
  }
  return depth > 0 && rule.trim() !== '' ? [...rules, rule.trim()] : rules;
}
