import { createHash } from 'node:crypto';
import {
  type Audit,
  type AuditEntry,
  type CallFacts,
  type Clock,
  canonicalJson,
  cutEnd,
  type Log,
  type Masker,
  messageOf,
  type SessionInfo,
} from '../core/index.ts';
import { maskJson, plainJson } from '../executor/index.ts';
import type { AuditRow, AuditStore } from '../store/index.ts';

/** Characters of one text of a row. */
const MOST_CHARS = 4_000;
/** Characters that are looked through for secrets to find those. */
const MOST_MASKED = 65_536;
/** Rows of calls that only read are gathered for so long, or until there are so many. */
const GATHER_MS = 50;
const MOST_GATHERED = 256;

/** The audit log as all sessions of a runtime write it: what they tell within one window is one append. */
export interface AuditLog {
  /** How a session tells, its texts masked by its own masker. */
  of(session: AuditedSession, masker: Masker): Audit;
  /** Resolves when all that was told so far is kept, or is known not to be. */
  flush(): Promise<void>;
}

type AuditedSession = Pick<SessionInfo, 'id' | 'agentName'>;

interface Told {
  readonly entry: AuditEntry;
  readonly session: AuditedSession;
  readonly masker: Masker;
  readonly at: number;
}

export interface AuditLogOptions {
  readonly store: AuditStore;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Masks, bounds and gathers what the executor tells. An effect waits until its rows are on disk; all others
 * follow within 50 ms, or with the end of the work.
 */
export function createAuditLog({ store, clock, log }: AuditLogOptions): AuditLog {
  let gathered: Told[] = [];
  let timer: ReturnType<Clock['after']> | undefined;
  let writing: Promise<void> = Promise.resolve();

  const write = (): Promise<void> => {
    if (timer) clock.clear(timer);
    timer = undefined;
    if (gathered.length === 0) return writing;
    const rows = gathered.map(toRow);
    gathered = [];
    const written = store.append(rows);
    // One that failed is told, and does not hold back the next.
    writing = written.catch((error) => log('error', 'the audit log was not written', { error: messageOf(error) }));
    return written;
  };
  const writeLater = () => void write().catch(() => {});

  return {
    of: (session, masker) => (entry) => {
      gathered.push({ entry, session, masker, at: clock.now() });
      if (entry.event === 'started') return write();
      if (gathered.length >= MOST_GATHERED) writeLater();
      else timer ??= clock.after(GATHER_MS, writeLater);
      return undefined;
    },
    async flush() {
      writeLater();
      await writing;
    },
  };
}

function toRow({ entry, at, masker, session: { id, agentName } }: Told): AuditRow {
  const text = (value: string | undefined) =>
    value === undefined ? null : cutEnd(maskStart(value, masker), MOST_CHARS);
  const { facts } = entry;
  const input = plainJson(entry.input) ?? null;
  // With the decision, and with the end of a call that went wrong, which may never have come to one.
  const isTold = entry.event === 'decision' || (entry.event === 'ended' && entry.outcome !== 'ok');
  return {
    at,
    sessionId: id,
    agentName,
    callId: cutEnd(entry.callId, MOST_CHARS),
    tool: cutEnd(entry.tool, MOST_CHARS),
    event: entry.event,
    effect: entry.effect ?? null,
    layer: entry.layer ?? null,
    rule: text(entry.rule),
    hook: text(entry.hook),
    reason: text(entry.reason),
    input: isTold ? text(JSON.stringify(input)) : null,
    inputHash: createHash('sha256').update(canonicalJson(input)).digest('hex'),
    facts: facts === undefined ? null : factsText(facts, masker),
    durationMs: entry.durationMs ?? null,
    outcome: entry.outcome ?? null,
  };
}

/** As much of a text as a row may need, masked; a secret that is cut through is held back. */
function maskStart(text: string, masker: Masker): string {
  return text.length > MOST_MASKED ? masker.stream().push(text.slice(0, MOST_MASKED)) : masker.mask(text);
}

/** Cut facts would judge another call, so they are whole or not there. */
function factsText(facts: CallFacts, masker: Masker): string | null {
  const text = JSON.stringify(facts);
  return text.length > MOST_CHARS ? null : JSON.stringify(maskJson(facts, masker, text));
}
