import { createHash } from 'node:crypto';
import {
  type Ask,
  type AskAnswer,
  type AskPermission,
  type AskRequest,
  type CallFacts,
  type Clock,
  canonicalJson,
  type Emit,
  type JudgedCall,
  type Log,
  type Masker,
  type NewId,
  type Policy,
  type PutQuestions,
  type QuestionAnswer,
} from '../core/index.ts';
import type { AskResolution, AskStore } from '../store/index.ts';
import { type AskHandler, createAskWait } from './ask-wait.ts';
import type { Asks } from './asks.ts';
import { maskValue } from './mask-value.ts';

const PERMISSION_MS = 30 * 60_000;
const QUESTION_MS = 5 * 60_000;
/** A question that a tool asks for longer is cut to this. */
const LONGEST_QUESTION_MS = 60 * 60_000;

/** One session's questions to its person. */
export interface AskDesk {
  readonly permission: AskPermission;
  readonly question: PutQuestions;
  /** Says yes to what `takeOver` gave, and asks nobody. */
  readonly taken: AskPermission;
  /**
   * Ends what an earlier process left open, as superseded; gives the calls that a person has allowed since,
   * which then need no second question.
   */
  takeOver(heldCalls: ReadonlySet<string>): Promise<ReadonlySet<string>>;
  /** Resolves when every question of this process has its end, on disk and told. */
  idle(): Promise<void>;
}

export interface AskDeskOptions {
  readonly sessionId: string;
  readonly cwd: string;
  readonly store: AskStore;
  readonly asks: Asks;
  readonly policy: Policy & { grant(rule: string): void };
  readonly onAsk: AskHandler | undefined;
  readonly emit: Emit;
  readonly masker: Masker;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
}

export function createAskDesk(options: AskDeskOptions): AskDesk {
  const { sessionId, cwd, store, policy, emit, masker, clock, newId } = options;
  const wait = createAskWait(options);
  /** Open permission asks of this process, as they were judged. */
  const open = new Map<string, JudgedCall>();
  const pending = new Set<Promise<unknown>>();
  /** What a person allowed while nobody was there to run it: hash by call. */
  const allowed = new Map<string, string>();

  const tell = (id: string, { outcome, by }: AskResolution) => emit({ type: 'ask_resolved', id, outcome, by });
  /** Kept first, then told: who sees the event can answer at once. */
  const put = async (ask: Ask, signal: AbortSignal): Promise<AskResolution> => {
    const body = (async () => {
      await store.open(ask);
      emit({ type: 'ask', ask });
      const resolution = await wait(ask, signal);
      tell(ask.id, resolution);
      return resolution;
    })();
    pending.add(body);
    return body.finally(() => pending.delete(body));
  };
  /** A standing yes answers whatever else of this session it covers. */
  const grant = (rule: string) => {
    policy.grant(rule);
    for (const [id, call] of open) {
      const { effect, layer } = policy.decide(call);
      if (effect !== 'allow' || layer !== 'grant') continue;
      void store.settle(id, { outcome: 'approved', by: 'grant', at: clock.now(), rule }).catch(() => {});
    }
  };
  const hashOf = (tool: string, input: unknown, more: unknown) =>
    createHash('sha256').update(canonicalJson({ tool, input, cwd, sessionId, more })).digest('hex');
  const newAsk = (
    ask: Pick<Ask, 'kind' | 'callId' | 'tool' | 'input' | 'reason' | 'hash' | 'questions' | 'suggestions'>,
    ms: number,
  ): Ask => {
    const shown = { ...ask, input: maskValue(ask.input, masker), reason: masker.mask(ask.reason) };
    return { id: newId(), sessionId, ...shown, createdAt: clock.now(), expiresAt: clock.now() + ms };
  };

  const isAllowed = ({ callId, name, input, facts }: AskRequest) =>
    allowed.get(callId) === hashOf(name, input, factsThatMatter(facts));

  return {
    taken: async (request) => (isAllowed(request) ? { outcome: 'approved' } : { outcome: 'unanswered' }),
    async permission(request, signal) {
      const { callId, name, input, facts, reason } = request;
      if (isAllowed(request)) return { outcome: 'approved' };
      const hash = hashOf(name, input, factsThatMatter(facts));
      const call = { name, input, facts };
      const suggestions = policy.suggest?.(call) ?? [];
      const ask = newAsk({ kind: 'permission', callId, tool: name, input, reason, hash, suggestions }, PERMISSION_MS);
      open.set(ask.id, call);
      try {
        const resolution = await put(ask, signal);
        open.delete(ask.id);
        const { outcome, scope, rule } = resolution;
        if (outcome === 'approved' && rule !== undefined && (scope === 'session' || scope === 'always')) grant(rule);
        return asAnswer(resolution);
      } finally {
        open.delete(ask.id);
      }
    },
    async question({ kind, reason, questions: asIs, timeoutMs = QUESTION_MS }, { callId, name, input }, signal) {
      const questions = maskValue(asIs, masker) as typeof asIs;
      const hash = hashOf(name, input, questions);
      const asked = { kind, callId, tool: name, input, reason, hash, questions, suggestions: [] };
      return asQuestionAnswer(await put(newAsk(asked, Math.min(timeoutMs, LONGEST_QUESTION_MS)), signal));
    },
    async takeOver(heldCalls) {
      allowed.clear();
      const at = clock.now();
      for (const ask of await store.list({ sessionId, open: true })) {
        const outcome = ask.expiresAt > at ? ('superseded' as const) : ('unanswered' as const);
        const end = { outcome, by: outcome === 'superseded' ? 'new run' : 'time', at };
        if ((await store.settle(ask.id, end)) && !heldCalls.has(ask.callId)) tell(ask.id, end);
      }
      if (heldCalls.size === 0) return new Set();
      for (const { id, callId, hash, resolution } of await store.list({ sessionId })) {
        if (!heldCalls.has(callId) || resolution === undefined) continue;
        tell(id, resolution);
        if (resolution.outcome === 'approved') allowed.set(callId, hash);
      }
      return new Set(allowed.keys());
    },
    async idle() {
      while (pending.size > 0) await Promise.allSettled([...pending]);
    },
  };
}

/** Where the input really leads: the same words may mean another file, host or command. */
function factsThatMatter({ paths, hosts, commands }: CallFacts) {
  return { paths: paths.map(({ real, access }) => ({ real, access })), hosts, commands };
}

function asAnswer({ outcome, reason }: AskResolution): AskAnswer {
  if (outcome === 'approved') return { outcome };
  if (outcome === 'denied') return reason === undefined ? { outcome } : { outcome, reason };
  if (outcome === 'superseded') return { outcome: 'denied', reason: 'a new message came before an answer' };
  return { outcome: 'unanswered' };
}

function asQuestionAnswer({ outcome, answers = {}, reason }: AskResolution): QuestionAnswer {
  if (outcome === 'answered') return { outcome, answers };
  if (outcome === 'declined') return reason === undefined ? { outcome } : { outcome, reason };
  return { outcome: 'unanswered' };
}
