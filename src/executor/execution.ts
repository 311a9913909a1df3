import {
  type CallError,
  type Emit,
  type Execution,
  type ExecutionSession,
  errorOutput,
  messageOf,
  onAbort,
  type RawToolCall,
  type ToolContext,
  type ToolOutput,
  type ToolResult,
  toCallError,
} from '../core/index.ts';
import { createAnswers } from './answer.ts';
import { createCallAudit } from './call-audit.ts';
import type { ClaimTable, Ticket } from './claim-table.ts';
import { type Entry, newEntry } from './entry.ts';
import { createEventBuffer } from './event-buffer.ts';
import {
  cancelledWhileRunning,
  didNotRun,
  forcedToEnd,
  internalFault,
  repeatedCall,
  siblingAborted,
  tookTooLong,
} from './faults.ts';
import { judgeAgain, judgeCall, type Passed } from './judge.ts';
import { maskJson } from './mask-json.ts';
import { plainJson } from './plain-json.ts';
import { type JudgeParts, nameOf, prepareCall, type RunnableCall } from './prepare.ts';
import { createProgress } from './progress.ts';
import { isStale, signatureOf } from './repeats.ts';
import { type RunOutcome, runTool } from './run-tool.ts';
import { createSiblings } from './siblings.ts';
import { createSlots } from './slots.ts';
import { stoppedOutput, toOutput } from './to-output.ts';
import { unlessAborted } from './unless-aborted.ts';
import { waitForClaims, waitForPerson, waitForSlot, waitForVerdict } from './wait.ts';

export interface ExecutionParts extends JudgeParts {
  readonly claims: ClaimTable;
  /** Gives a call its id within the turn, whatever the provider sent. */
  readonly repairId: (raw: unknown) => string;
}

/**
 * Takes a turn's calls as they arrive, lets each run as soon as nothing before it stands in its way, and
 * answers every one of them exactly once.
 */
export function startExecution(
  calls: Iterable<RawToolCall> | AsyncIterable<RawToolCall>,
  session: ExecutionSession,
  parts: ExecutionParts,
): Execution {
  const { clock, limits } = parts;
  const { signal } = session;
  const buffer = session.emit ? undefined : createEventBuffer();
  const emit: Emit = session.emit ?? ((event) => buffer?.push(event));
  const entries: Entry[] = [];
  const slots = createSlots(limits.maxParallel);
  const siblings = createSiblings(entries);
  const audit = createCallAudit(session);
  const answers = createAnswers(session, limits, emit, audit);
  const settling: Promise<void>[] = [];
  const finishing: Promise<void>[] = [];

  const refuse = (entry: Entry, fault: CallError) => answers.give(entry, errorOutput(fault), 0);

  const offCancel = onAbort(signal, () => {
    for (const entry of entries) {
      if (entry.interrupt) entry.interrupt(didNotRun(entry.name));
      else if (passesCancelOn(entry)) entry.run?.stop(cancelledWhileRunning(entry.name));
    }
  });
  const offForce = session.forceSignal
    ? onAbort(session.forceSignal, () => {
        for (const entry of entries) entry.run?.force(forcedToEnd(entry.name, !entry.passed?.facts.readOnly));
      })
    : () => {};

  /** Everything that stands between a judged call and its start; gives why it may not start. */
  async function waitForStart(entry: Entry, passed: Passed, ticket: Ticket): Promise<CallError | undefined> {
    const mustWait = passed.ask !== undefined || !ticket.isReady;
    let fault = passed.ask === undefined ? undefined : await waitForPerson(entry, passed, session);
    if (passed.ask !== undefined) audit.answered(entry, fault);
    if (!fault && !ticket.isReady) fault = await waitForClaims(entry, ticket, signal);
    if (!fault && mustWait) {
      fault = await waitForVerdict(entry, signal, judgeAgain(passed, session, parts));
      if (fault?.code === 'denied') audit.deniedAgain(entry, fault);
    }
    if (!fault && !passed.call.traits.waits) fault = await waitForSlot(entry, slots, signal);
    return fault ?? (signal.aborted && passed.call.traits.waits ? didNotRun(entry.name) : undefined);
  }

  /** On disk as started, before it runs; gives why it may not run. */
  async function journalStart(entry: Entry, { facts }: Passed): Promise<CallError | undefined> {
    if (facts.readOnly || !(session.journal || session.audit)) return undefined;
    const { id: callId, name, input } = entry;
    try {
      await Promise.all([session.journal?.started({ callId, name, input, step: session.step }), audit.started(entry)]);
    } catch (error) {
      return internalFault(entry.name, `the journal did not take it (${messageOf(error)})`);
    }
    return signal.aborted ? didNotRun(entry.name) : undefined;
  }

  /**
   * Runs the tool to its settling. The ticket is given back when the tool has really ended and its failure
   * has had its effect on those who wait for the ticket.
   */
  async function runToEnd(entry: Entry, passed: Passed, ticket: Ticket): Promise<ToolOutput> {
    const { call, facts } = passed;
    const progress = createProgress(entry.id, emit, clock, limits, session.masker);
    const identity = { session: session.info, call: { id: entry.id, name: entry.name }, progress: progress.push };
    const asked = { callId: entry.id, name: entry.name, input: entry.input };
    const { question } = session;
    const powers = (callSignal: AbortSignal): Pick<ToolContext, 'ask'> =>
      question ? { ask: (request) => question(request, asked, callSignal) } : {};
    const run = runTool({
      tool: call.tool,
      input: call.input,
      context: (callSignal) => ({ ...session.context, ...identity, ...powers(callSignal), signal: callSignal }),
      progress,
      changes: !facts.readOnly,
      timeoutMs: call.traits.timeoutMs,
      timeoutError: tookTooLong(entry.name, call.traits.timeoutMs, !facts.readOnly),
      abandons: call.traits.interrupt === 'cancel' || call.traits.waits,
      clock,
      graceMs: limits.graceMs,
    });
    entry.run = run;
    // The run may have been cancelled from inside the tool's first steps.
    if (signal.aborted && passesCancelOn(entry)) run.stop(cancelledWhileRunning(entry.name));
    if (session.forceSignal?.aborted) run.force(forcedToEnd(entry.name, !facts.readOnly));
    let ended = false;
    const settled = run.settled.then(async (outcome) => {
      entry.run = undefined;
      const output = await outputOf(call, outcome);
      if (output.error && !signal.aborted) siblings.abortFor(entry, passed);
      return output;
    });
    const order = call.traits.abortsSiblings === false ? run.finished : Promise.all([run.finished, settled]);
    finishing.push(
      order.then(() => {
        ended = true;
        ticket.release();
      }),
    );
    const output = await settled;
    if (!ended) ticket.settle();
    return output;
  }

  /** From the queue to the answer. */
  async function carryOut(entry: Entry, passed: Passed, ticket: Ticket): Promise<void> {
    let fault: CallError | undefined;
    try {
      fault = await waitForStart(entry, passed, ticket);
    } catch (error) {
      fault = toCallError(error, 'internal');
    }
    if (fault) {
      ticket.release();
      return refuse(entry, fault);
    }
    const leaveSlot = () => (passed.call.traits.waits ? undefined : slots.free());
    fault = await journalStart(entry, passed);
    if (fault) {
      leaveSlot();
      ticket.release();
      return refuse(entry, fault);
    }
    const began = clock.now();
    const output = await runToEnd(entry, passed, ticket);
    leaveSlot();
    await answers.give(entry, output, clock.now() - began);
  }

  /** Prepares, judges and queues one call; resolves when the next may enter the queue. */
  async function admit(raw: RawToolCall): Promise<void> {
    const entry = newEntry(parts.repairId(raw.id));
    entries.push(entry);
    entry.name = nameOf(raw, session.tools);
    entry.input = raw.arguments;
    let fault: CallError | undefined;
    try {
      fault = (await unlessAborted(signal, look(entry, raw))) ?? (signal.aborted ? didNotRun(entry.name) : undefined);
    } catch (error) {
      fault = toCallError(error, 'internal');
    }
    entry.input = plainJson(entry.input) ?? null;
    const shown = session.masker ? maskJson(entry.input, session.masker) : entry.input;
    emit({ type: 'tool_call', callId: entry.id, name: entry.name, arguments: shown, step: session.step });
    const { passed } = entry;
    const failed = fault || !passed ? undefined : siblings.failedBefore(passed);
    if (failed !== undefined) fault = siblingAborted(entry.name, failed);
    if (fault || !passed) settling.push(refuse(entry, fault ?? didNotRun(entry.name)));
    else settling.push(carryOut(entry, passed, parts.claims.enter(passed.facts.claims, entry.name)));
  }

  /** Everything that is done with a call before it has its place; gives why it gets none. */
  async function look(entry: Entry, raw: RawToolCall): Promise<CallError | undefined> {
    const prepared = await prepareCall(raw, session.tools, parts);
    entry.name = prepared.name;
    entry.input = prepared.input;
    if ('fault' in prepared) return prepared.fault;
    const repeated = await findRepeat(entry, prepared);
    if (repeated !== undefined) return repeatedCall(entry.name, repeated);
    if (signal.aborted) return undefined;
    const verdict = await judgeCall(entry.id, prepared, session, parts);
    if (entry.answered) return undefined;
    entry.passed = verdict;
    entry.input = verdict.call.input;
    audit.decided(entry, verdict);
    return verdict.fault;
  }

  /** The id of the earlier call that this one would only repeat. */
  async function findRepeat(entry: Entry, call: RunnableCall): Promise<string | undefined> {
    if (!session.history || call.traits.polling) return undefined;
    const signature = signatureOf(call.name, call.input);
    const pending = entries.flatMap((other) => (other.past ? [other.past] : []));
    const earlier = session.history.repeated(signature, pending);
    const repeated = earlier && !(await isStale(call, session.context)) ? earlier : undefined;
    entry.past = { callId: entry.id, signature, outcome: repeated?.outcome };
    return repeated?.callId;
  }

  /** Reads the calls until they end; a feed is left when the run is cancelled, an array is read to its end. */
  async function takeAll(): Promise<void> {
    if (Symbol.iterator in calls) {
      for (const raw of calls) await admitSafely(raw);
      return;
    }
    const feed = calls[Symbol.asyncIterator]();
    let off = () => {};
    const aborted = new Promise<undefined>((resolve) => {
      off = onAbort(signal, () => resolve(undefined));
    });
    try {
      for (;;) {
        const step = await Promise.race([feed.next(), aborted]);
        if (step === undefined) return void feed.return?.()?.catch(() => {});
        if (step.done) return;
        await admitSafely(step.value);
      }
    } finally {
      off();
    }
  }

  async function admitSafely(raw: RawToolCall): Promise<void> {
    try {
      await admit(raw);
    } catch (error) {
      const entry = entries.at(-1) as Entry;
      entry.name ||= 'unnamed_tool';
      settling.push(refuse(entry, toCallError(error, 'internal')));
    }
  }

  async function conduct(): Promise<readonly ToolResult[]> {
    try {
      await takeAll();
    } catch (error) {
      session.context.log('error', 'the calls could not be read to their end', { error: messageOf(error) });
    }
    await Promise.all(settling);
    offCancel();
    offForce();
    session.history?.record(entries.flatMap((entry) => (entry.past ? [entry.past] : [])));
    const results = await answers.boundTurn(entries);
    buffer?.end();
    return results;
  }

  const results = conduct();
  return {
    results,
    finished: results.then(() => Promise.all(finishing)).then(() => {}),
    [Symbol.asyncIterator]: () => (buffer ?? createEventBuffer())[Symbol.asyncIterator](),
  };
}

function passesCancelOn({ passed }: Entry): boolean {
  return passed !== undefined && (passed.call.traits.interrupt === 'cancel' || passed.call.traits.waits);
}

async function outputOf(call: RunnableCall, outcome: RunOutcome): Promise<ToolOutput> {
  if (outcome.error && outcome.value === undefined) return errorOutput(outcome.error);
  try {
    const output = await toOutput(call.tool, outcome.value);
    return outcome.error ? stoppedOutput(output, outcome.error) : output;
  } catch (error) {
    return errorOutput(internalFault(call.name, `its result could not be read (${messageOf(error)})`));
  }
}
