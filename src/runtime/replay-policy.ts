import type { Effect, Policy, ReadShell, ToolSet } from '../core/index.ts';
import type { CallRecord, SessionRecord, SessionStore } from '../store/index.ts';
import { pastFacts } from './past-facts.ts';

/** Calls that would fare differently under other rules, alike ones together. */
export interface PolicyChange {
  readonly name: string;
  /** What became of them, and what the rules say now. */
  readonly was: 'ran' | 'denied';
  readonly would: Effect;
  readonly rule?: string;
  readonly reason: string;
  readonly count: number;
  /** The first of them. */
  readonly examples: readonly { readonly sessionId: string; readonly callId: string; readonly input: unknown }[];
}

export interface PolicyReplay {
  /** Calls that were looked at. */
  readonly calls: number;
  readonly changed: number;
  readonly changes: readonly PolicyChange[];
}

export interface ReplayParts {
  readonly sessions: Pick<SessionStore, 'list' | 'calls'>;
  readonly tools: Pick<ToolSet, 'get'>;
  readonly readShell: ReadShell;
  /** The rules to try, for sessions of that folder. */
  readonly policy: (cwd: string) => Policy;
  readonly cwd: string;
}

const MOST_SESSIONS = 1_000_000;
const MOST_EXAMPLES = 3;
/** Refused by rules, a hook, or for want of an answer. */
const REFUSED = new Set<string>(['denied', 'blocked', 'unanswered']);
/** They came to no judge. */
const UNJUDGED = new Set<string>([
  'unknown_tool',
  'not_offered',
  'invalid_json',
  'invalid_input',
  'duplicate_call',
  'unavailable',
]);

/** Judges every kept call again by other rules. Nothing is read but the database, and nothing runs. */
export async function replayPolicy(parts: ReplayParts): Promise<PolicyReplay> {
  const groups = new Map<
    string,
    { change: Omit<PolicyChange, 'count' | 'examples'>; count: number; examples: PolicyChange['examples'][number][] }
  >();
  const policies = new Map<string, Policy>();
  let calls = 0;
  let changed = 0;
  for (const session of await parts.sessions.list({ limit: MOST_SESSIONS })) {
    const cwd = folderOf(session) ?? parts.cwd;
    const policy = policies.get(cwd) ?? parts.policy(cwd);
    policies.set(cwd, policy);
    for (const call of await parts.sessions.calls(session.id)) {
      const was = fateOf(call);
      if (was === undefined) continue;
      calls++;
      const { name, input } = call;
      const facts = await pastFacts(parts.tools.get(name), input, cwd, parts.readShell);
      const { effect, rule, reason } = policy.decide({ name, input, facts });
      if (was === 'ran' ? effect === 'allow' : effect !== 'allow') continue;
      changed++;
      const key = JSON.stringify([name, was, effect, rule ?? reason]);
      const group = groups.get(key) ?? {
        change: { name, was, would: effect, reason, ...(rule === undefined ? {} : { rule }) },
        count: 0,
        examples: [],
      };
      group.count++;
      if (group.examples.length < MOST_EXAMPLES) {
        group.examples.push({ sessionId: session.id, callId: call.callId, input });
      }
      groups.set(key, group);
    }
  }
  const changes = [...groups.values()].map(({ change, count, examples }) => ({ ...change, count, examples }));
  return { calls, changed, changes: changes.sort((a, b) => b.count - a.count) };
}

function fateOf({ result }: CallRecord): PolicyChange['was'] | undefined {
  const code = result?.error?.code;
  if (code === undefined) return 'ran';
  if (UNJUDGED.has(code)) return undefined;
  return REFUSED.has(code) ? 'denied' : 'ran';
}

function folderOf({ metadata }: SessionRecord): string | undefined {
  return typeof metadata.cwd === 'string' ? metadata.cwd : undefined;
}
