import type { AuditEntry, CallError, ExecutionSession, ToolResult } from '../core/index.ts';
import type { Entry } from './entry.ts';
import type { Passed } from './judge.ts';

/** What the audit log is told of a turn's calls. */
export interface CallAudit {
  decided(entry: Entry, passed: Passed): void;
  /** What came of the question to a person. */
  answered(entry: Entry, fault: CallError | undefined): void;
  /** Judged again right before its start, and refused. */
  deniedAgain(entry: Entry, fault: CallError): void;
  started(entry: Entry): Promise<void> | undefined;
  ended(entry: Entry, result: ToolResult): void;
}

export function createCallAudit({ audit, ask }: ExecutionSession): CallAudit {
  const tell = (entry: Entry, rest: Omit<AuditEntry, 'callId' | 'tool' | 'input'>) =>
    audit?.({ callId: entry.id, tool: entry.name, input: entry.input ?? null, ...rest });
  return {
    decided(entry, { verdict: { effect, layer, reason, rule, hook }, facts }) {
      const named = { ...(rule === undefined ? {} : { rule }), ...(hook === undefined ? {} : { hook }) };
      tell(entry, { event: 'decision', effect, layer, reason, facts, ...named });
    },
    answered(entry, fault) {
      // A cancel ends the waiting and is nobody's answer.
      if (fault && fault.code !== 'denied' && fault.code !== 'unanswered') return;
      const by = ask ? ({ layer: 'person' } as const) : { layer: entry.passed?.verdict.layer ?? 'mode' };
      if (!fault) tell(entry, { event: 'decision', effect: 'allow', ...by, reason: 'approved' });
      else tell(entry, { event: 'decision', effect: 'deny', ...by, reason: fault.message });
    },
    deniedAgain(entry, fault) {
      tell(entry, { event: 'decision', effect: 'deny', layer: 'rules', reason: fault.message });
    },
    started: (entry) => tell(entry, { event: 'started' }),
    ended(entry, { error, durationMs }) {
      tell(entry, { event: 'ended', durationMs, outcome: error?.code ?? 'ok' });
    },
  };
}
