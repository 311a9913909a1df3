import { type Clock, type Json, messageOf, type SuggestedRule } from '../core/index.ts';
import type { AnswerOutcome, AskRecord, AskResolution, AskStore } from '../store/index.ts';
import { answersFault } from './check-answers.ts';

/** Whose settings an `always` is kept in. */
export type RulePlace = 'home' | 'project';

/** A person's answer to one ask, from whichever door. */
export interface AskDecision {
  /** As the ask shows them: an answer is for exactly what was asked. */
  readonly sessionId: string;
  readonly hash: string;
  /** `approved` or `denied` for a permission, `answered` or `declined` for questions. */
  readonly decision: 'approved' | 'denied' | 'answered' | 'declined';
  /** How long a yes stands. Default `once`. */
  readonly scope?: SuggestedRule['scope'];
  /** One of the suggested rules. Default for `session` and `always`: the narrowest. */
  readonly rule?: string;
  /** Where an `always` is written. Default `home`. */
  readonly place?: RulePlace;
  readonly answers?: Readonly<Record<string, Json>>;
  readonly reason?: string;
  /** The door that it came through. */
  readonly by: string;
}

/** What became of a decision; anything but `resolved` has changed nothing. */
export interface AskReceipt {
  readonly outcome: AnswerOutcome | 'invalid';
  /** In one sentence, for people. */
  readonly message: string;
  /** The file that an `always` was written to. */
  readonly keptIn?: string;
  /** The yes stands, but its rule could not be kept. */
  readonly warning?: string;
}

/** All questions to the person, of all sessions of this home. */
export interface Asks {
  /** Oldest first. Default: those that can be answered now. */
  list(filter?: { readonly sessionId?: string; readonly all?: boolean }): Promise<readonly AskRecord[]>;
  get(id: string): Promise<AskRecord | undefined>;
  /** Never throws for an answer that comes too late or is for something else: the receipt says it. */
  resolve(id: string, decision: AskDecision): Promise<AskReceipt>;
}

export interface AsksOptions {
  readonly store: () => Promise<AskStore>;
  readonly clock: Clock;
  readonly keepRule: (rule: string, place: RulePlace, ask: AskRecord) => Promise<string>;
}

const SAYS: Record<AnswerOutcome, string> = {
  resolved: 'The answer stands.',
  not_found: 'There is no such ask.',
  wrong_session: 'The ask belongs to another session.',
  wrong_hash: 'The answer is for something else than what was asked: the hash differs.',
  expired: 'The answer came too late: the ask has expired.',
  already_resolved: 'The ask has been answered already, or is settled.',
};

export function createAsks({ store, clock, keepRule }: AsksOptions): Asks {
  return {
    async list({ sessionId, all = false } = {}) {
      const asks = await store();
      return asks.list({
        ...(sessionId === undefined ? {} : { sessionId }),
        ...(all ? {} : { open: true, at: clock.now() }),
      });
    },
    get: async (id) => (await store()).get(id),
    async resolve(id, decision) {
      const asks = await store();
      const ask = await asks.get(id);
      const checked = ask === undefined ? undefined : check(ask, decision);
      if (typeof checked === 'string') {
        const { sessionId, hash } = decision;
        // What the answer is for is told before what is wrong with it.
        const isMeant = ask?.sessionId === sessionId && ask.hash === hash && ask.resolution === undefined;
        if (isMeant && ask.expiresAt > clock.now()) {
          return { outcome: 'invalid', message: `The answer does not fit: ${checked}.` };
        }
      }
      const { scope, rule } = typeof checked === 'object' ? checked : {};
      const resolution: AskResolution = {
        outcome: decision.decision,
        by: decision.by,
        at: clock.now(),
        ...(decision.reason === undefined ? {} : { reason: decision.reason }),
        ...(scope === undefined ? {} : { scope }),
        ...(rule === undefined ? {} : { rule }),
        ...(decision.decision === 'answered' ? { answers: decision.answers ?? {} } : {}),
      };
      const outcome = await asks.answer({ id, sessionId: decision.sessionId, hash: decision.hash }, resolution);
      const receipt = { outcome, message: SAYS[outcome] };
      if (outcome !== 'resolved' || scope !== 'always' || rule === undefined || ask === undefined) return receipt;
      try {
        return { ...receipt, keptIn: await keepRule(rule, decision.place ?? 'home', ask) };
      } catch (error) {
        return { ...receipt, warning: messageOf(error) };
      }
    },
  };
}

type Checked = Pick<AskResolution, 'scope' | 'rule'>;

/** What stands with the decision, or what is wrong with it. */
function check(ask: AskRecord, { decision, scope = 'once', rule, answers = {} }: AskDecision): Checked | string {
  if (ask.kind !== 'permission') {
    if (decision === 'declined') return {};
    if (decision !== 'answered') return 'questions are answered or declined';
    return answersFault(ask.questions ?? [], answers) ?? {};
  }
  if (decision === 'denied') return {};
  if (decision !== 'approved') return 'a permission is approved or denied';
  if (scope === 'once') return rule === undefined ? { scope } : 'a rule needs the scope session or always';
  const rules = ask.suggestions.flatMap((suggestion) => suggestion.rule ?? []);
  const chosen = rule ?? rules[0];
  if (chosen === undefined) return 'no rule was suggested that could stand longer than once';
  if (!rules.includes(chosen)) return `the rule ${chosen} is none of those that were suggested`;
  return { scope, rule: chosen };
}
