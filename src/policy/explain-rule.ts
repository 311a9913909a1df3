import type { DecisionLayer, JudgedCall } from '../core/index.ts';
import type { IndexedRule, RuleKind } from './rule-index.ts';
import { isPassive, type Unit, unitLabel } from './units.ts';

/** One rule's word on a call. */
export interface RuleReport {
  readonly layer: DecisionLayer;
  readonly effect: RuleKind;
  readonly rule: string;
  readonly fits: boolean;
  readonly why: string;
}

/** Whether a rule is for a call, and why: for all of it, or for which part. */
export function explainRule(
  kind: RuleKind,
  { rule, isFor, test }: IndexedRule,
  units: readonly Unit[],
  call: JudgedCall,
): Pick<RuleReport, 'fits' | 'why'> {
  if (!isFor(call.name)) return { fits: false, why: `it is not for ${call.name}` };
  if (rule.specifier === undefined) return { fits: true, why: 'it is for every call of this tool' };
  const active = units.filter((unit) => !isPassive(unit));
  const counted = active.length > 0 ? active : units;
  if (kind === 'deny' || kind === 'ask') {
    for (const unit of units) {
      const match = test(unit, call);
      if (match === 'maybe') return { fits: true, why: `it may be what runs: ${unitLabel(unit)}` };
      if (match !== 'no') return { fits: true, why: `it matches ${named(unit)}` };
    }
    return { fits: false, why: `it matches no ${kindOf(units)} of the call` };
  }
  const open = counted.filter((unit) => test(unit, call) === 'no');
  if (open.length === 0) return { fits: true, why: `it covers every ${kindOf(units)} of the call` };
  if (open.length === counted.length) return { fits: false, why: `it covers no ${kindOf(units)} of the call` };
  return { fits: true, why: `it covers part of the call, but not ${named(open[0] as Unit)}` };
}

const kindOf = (units: readonly Unit[]) => (units[0]?.kind === 'call' ? 'part' : (units[0]?.kind ?? 'part'));

function named(unit: Unit): string {
  const label = unitLabel(unit);
  return label === '' ? 'the call' : `the ${unit.kind} ${label}`;
}
