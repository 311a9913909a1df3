import { type Ask, onAbort, type QuestionAnswer, type ToolSet } from '../core/index.ts';
import type { ServedCall, ServedHouse, ServedHouses, ServedQuestion, ServedTool } from '../mcp/index.ts';
import { toJsonSchema } from '../schema/index.ts';
import type { AskReply } from './ask-wait.ts';
import type { Runtime } from './create-runtime.ts';
import { servedSkills } from './served-skills.ts';
import type { SessionOptions } from './session-options.ts';

export interface ServedHousesOptions {
  readonly runtime: Runtime;
  readonly version: string;
  /** Of each client's session; `onAsk` is the client's own. */
  readonly session: Omit<SessionOptions, 'id' | 'onAsk'>;
}

/** A runtime as MCP clients see it: each line has a session of its own, under one policy and one record of calls. */
export function createServedHouses({ runtime, version, session }: ServedHousesOptions): ServedHouses {
  return {
    info: { name: 'toolwright', version },
    async open() {
      return openHouse(runtime, session);
    },
    onChange: (fn) => runtime.registry.onChange(() => fn('tools')),
  };
}

async function openHouse(runtime: Runtime, options: SessionOptions): Promise<ServedHouse> {
  const asks = new Map<string, NonNullable<ServedCall['ask']>>();
  const session = await runtime.session({
    ...options,
    onAsk: (request, signal) => putToClient(asks.get(request.callId), request, signal),
  });
  return {
    tools: () => servedTools(session.tools),
    async call({ name, input, signal, progress, ask }) {
      let callId: string | undefined;
      try {
        return await session.call(name, input, {
          signal,
          onEvent(event) {
            if (event.type === 'tool_progress') progress(event.text);
            if (event.type !== 'tool_call') return;
            callId = event.callId;
            if (ask !== undefined) asks.set(callId, ask);
          },
        });
      } finally {
        if (callId !== undefined) asks.delete(callId);
      }
    },
    ...servedSkills(runtime.skills, options.skills),
    close: () => session.close(),
  };
}

function servedTools(tools: ToolSet): ServedTool[] {
  return tools.definitions().map((definition) => {
    const tool = tools.get(definition.name);
    const output = tool?.output === undefined ? undefined : toJsonSchema(tool.output);
    return {
      ...definition,
      ...(output?.['type'] === 'object' ? { outputSchema: output } : {}),
      ...(typeof tool?.traits?.readOnly === 'boolean' ? { readOnly: tool.traits.readOnly } : {}),
    };
  });
}

const ANSWER = 'allow';

/** A session's ask as the client's question. */
async function putToClient(
  ask: ServedCall['ask'],
  { kind, tool, input, reason, questions }: Ask,
  signal: AbortSignal,
): Promise<AskReply> {
  if (ask === undefined) return { outcome: 'denied', reason: 'the client cannot put a question to its person' };
  if (kind !== 'permission') {
    return Promise.race([ask({ message: reason, questions: questions ?? [] }), aborted(signal)]);
  }
  const question: ServedQuestion = {
    message: `${reason}\n\n${tool} ${JSON.stringify(input, null, 2)}`,
    questions: [{ id: ANSWER, type: 'boolean', title: `Allow this call of ${tool}?` }],
  };
  const answer = await Promise.race([ask(question), aborted(signal)]);
  if (answer.outcome === 'declined') return { outcome: 'denied', reason: 'the person declined' };
  if (answer.outcome !== 'answered') return { outcome: 'unanswered' };
  return answer.answers[ANSWER] === true
    ? { outcome: 'approved' }
    : { outcome: 'denied', reason: 'the person said no' };
}

function aborted(signal: AbortSignal): Promise<QuestionAnswer> {
  return new Promise((resolve) => void onAbort(signal, () => resolve({ outcome: 'unanswered' })));
}
