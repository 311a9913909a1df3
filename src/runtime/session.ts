import {
  type AgentEvent,
  type Clock,
  type Content,
  type EventBody,
  type Message,
  type NewId,
  type ToolResult,
  type ToolSet,
  ToolwrightError,
} from '../core/index.ts';
import { createEventQueue, type EventQueue } from './event-queue.ts';
import type { CallExplanation } from './explain-call.ts';
import type { Ledger } from './ledger.ts';
import { createRun, type Run, type RunResult } from './run.ts';
import { createWork, type Work, within } from './work.ts';

/** How long closing waits for a cancelled run, and then for a forced one. */
const CLOSE_MS = 5_000;
const FORCED_CLOSE_MS = 2_000;

/** A conversation with its view of the tools, its sandbox and its place in the store. */
export interface Session {
  readonly id: string;
  /** Starts at once. One run a session: a second one fails with ToolwrightError `busy`. */
  run(input: Content, options?: { readonly signal?: AbortSignal }): Run;
  /** One tool through the whole executor, without a model and outside the conversation. */
  call(name: string, input: unknown, options?: CallOptions): Promise<ToolResult>;
  /** What the rules say of a call, and why; nothing runs. */
  explain(name: string, input: unknown): Promise<CallExplanation>;
  /** The first time: calls that may be cancelled end, others finish. The second time: nothing is waited for. */
  cancel(): void;
  /** Reads the session and mends what a crash left, without running anything; gives a line for each thing mended. */
  resume(): Promise<readonly string[]>;
  /** The conversation so far, as it is kept. */
  messages(): Promise<readonly Message[]>;
  /** What loading mended after a crash, one line each. */
  readonly repairs: readonly string[];
  /** What it may use. */
  readonly tools: ToolSet;
  /** Names in the allow-list that no tool has. */
  readonly unknownTools: readonly string[];
  /** Names in the list of skills that no skill has. */
  readonly unknownSkills: readonly string[];
  /** Ends what runs, within seconds, and lets go of the session. */
  close(): Promise<void>;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** The call's events as they happen. */
  readonly onEvent?: (event: EventBody) => void;
}

export interface DirectCall extends CallOptions {
  readonly name: string;
  readonly input: unknown;
  readonly work: Work;
}

/** What a session is put together from. */
export interface SessionParts {
  readonly id: string;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly tools: ToolSet;
  readonly unknownTools: readonly string[];
  readonly unknownSkills: readonly string[];
  /** Builds the ledger; its events and its end come back here. */
  ledger(deliver: (events: readonly AgentEvent[]) => void, onBroken: () => void): Ledger;
  kept(after: number, limit: number): Promise<readonly AgentEvent[]>;
  storedMessages(): Promise<readonly Message[]>;
  /** Gives the run's last event with its result: it leaves when the session is free again. */
  runTurns(ledger: Ledger, runId: string, input: Content, work: Work): Promise<RunResult & { last: EventBody }>;
  callTool(ledger: Ledger, call: DirectCall): Promise<ToolResult>;
  explain(name: string, input: unknown): Promise<CallExplanation>;
  dispose(): Promise<void>;
}

export function createSession(parts: SessionParts): Session {
  const { id, clock, newId } = parts;
  const active = new Set<Work>();
  let running: Work | undefined;
  let queue: EventQueue | undefined;
  /** Events of a run that is over, until its lease is given back: who reads its end may begin the next one. */
  let tail: AgentEvent[] | undefined;
  let closing: Promise<void> | undefined;

  const cancelAll = () => {
    for (const work of active) work.cancel();
  };
  const ledger = parts.ledger(
    (events) => {
      if (tail !== undefined) tail.push(...events);
      else queue?.push(events);
    },
    () => {
      cancelAll();
      cancelAll();
    },
  );
  const begin = (signal: AbortSignal | undefined): Work => {
    if (closing !== undefined) throw new ToolwrightError('conflict', `session ${id} is closed`);
    const work = createWork(signal);
    active.add(work);
    return work;
  };
  const end = (work: Work): void => {
    active.delete(work);
    work.end();
    if (running !== work) return;
    running = undefined;
    queue = undefined;
  };

  const turns = async (work: Work, runId: string, input: Content, own: EventQueue): Promise<RunResult> => {
    let failure: unknown;
    try {
      await ledger.enter();
      queue = own;
      try {
        const { last, ...result } = await parts.runTurns(ledger, runId, input, work);
        tail = [];
        ledger.writer.emit(last);
        return result;
      } finally {
        await ledger.leave().catch(() => {});
      }
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      end(work);
      own.push(tail ?? []);
      tail = undefined;
      own.end(failure);
    }
  };

  return {
    id,
    tools: parts.tools,
    unknownTools: parts.unknownTools,
    unknownSkills: parts.unknownSkills,
    get repairs() {
      return ledger.repairs;
    },
    run(input, { signal } = {}) {
      const runId = newId();
      const own = createEventQueue({ kept: parts.kept });
      const refuse = (error: unknown) => {
        own.end(error);
        return createRun(runId, own, Promise.reject(error), () => {});
      };
      if (running !== undefined) {
        return refuse(
          new ToolwrightError('busy', `session ${id} is already being run`, {
            hint: 'Wait until that run has ended, or cancel it.',
            retryable: true,
          }),
        );
      }
      let work: Work;
      try {
        work = begin(signal);
      } catch (error) {
        return refuse(error);
      }
      running = work;
      return createRun(runId, own, turns(work, runId, input, own), work.cancel);
    },
    async call(name, input, options = {}) {
      const work = begin(options.signal);
      try {
        await ledger.enter();
        try {
          return await parts.callTool(ledger, { name, input, work, ...options });
        } finally {
          await ledger.leave();
        }
      } finally {
        end(work);
      }
    },
    async resume() {
      const work = begin(undefined);
      try {
        await ledger.enter();
        await ledger.leave();
        return ledger.repairs;
      } finally {
        end(work);
      }
    },
    explain: parts.explain,
    cancel: cancelAll,
    messages: () => (active.size > 0 ? Promise.resolve([...ledger.transcript.messages]) : parts.storedMessages()),
    close() {
      closing ??= (async () => {
        const ended = () => Promise.all([...active].map((work) => work.ended));
        cancelAll();
        if (!(await within(ended(), CLOSE_MS, clock))) {
          cancelAll();
          await within(ended(), FORCED_CLOSE_MS, clock);
        }
        await parts.dispose();
      })();
      return closing;
    },
  };
}
