import {
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  ProtocolError,
  ProtocolErrorCode,
  type RequestStateCodec,
  ResourceNotFoundError,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { cutEnd, isObject, type JsonSchema } from '../../core/index.ts';
import type { CallStep, OpenCalls } from './open-calls.ts';
import type { ServedHouse, ServedHouses, ServedTool } from './served-house.ts';
import { toBlock, toCallResult } from './to-call-result.ts';
import { toAnswer, toForm } from './to-form.ts';

/** Of one progress message. */
const PROGRESS_CHARS = 4_096;
/** The one question that a reply of ours may carry. */
const QUESTION_KEY = 'answer';

export interface ServedServerOptions {
  readonly houses: Pick<ServedHouses, 'info'>;
  readonly house: ServedHouse;
  readonly calls: OpenCalls;
  /** Seals and opens what goes through the client from a question to its answer. */
  readonly state: RequestStateCodec<string>;
}

/** One line's protocol server (MCP, both eras): the house's tools, prompts and resources, each request through the house. */
export function createServedServer({ houses, house, calls, state }: ServedServerOptions): Server {
  const { name, version, instructions } = houses.info;
  const server = new Server(
    { name, version },
    {
      capabilities: {
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { listChanged: true },
      },
      requestState: state,
      ...(instructions === undefined ? {} : { instructions }),
    },
  );
  server.setRequestHandler('tools/list', () => ({ tools: house.tools().map(toDefinition) }));
  server.setRequestHandler('tools/call', async ({ params }, ctx) => {
    const tool = house.tools().find((entry) => entry.name === params.name);
    if (tool === undefined) {
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `There is no tool ${JSON.stringify(cutEnd(params.name, 100))}.`,
      );
    }
    const step = await nextStep(house, calls, params, ctx, canElicit(server, ctx));
    if ('result' in step) return toCallResult(step.result, tool.outputSchema !== undefined);
    return inputRequired({
      inputRequests: { [QUESTION_KEY]: inputRequired.elicit({ mode: 'form', ...toForm(step.question) }) },
      requestState: await state.mint(step.id),
    });
  });
  server.setRequestHandler('prompts/list', async () => ({
    prompts: (await house.prompts()).map(({ arguments: args, ...prompt }) => ({
      ...prompt,
      ...(args === undefined ? {} : { arguments: args.map((entry) => ({ ...entry })) }),
    })),
  }));
  server.setRequestHandler('prompts/get', async ({ params }) => {
    const messages = await house.prompt(params.name, params.arguments ?? {});
    if (messages === undefined) {
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `There is no prompt ${JSON.stringify(cutEnd(params.name, 100))}.`,
      );
    }
    return { messages: messages.map(({ role, content }) => ({ role, content: toBlock(content) })) };
  });
  server.setRequestHandler('resources/list', async () => ({
    resources: (await house.resources()).map((resource) => ({ ...resource })),
  }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }));
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    const found = await house.resource(uri);
    if (found === undefined) throw new ResourceNotFoundError(uri);
    const about = { uri, ...(found.mimeType === undefined ? {} : { mimeType: found.mimeType }) };
    const { content } = found;
    const body = typeof content === 'string' ? { text: content } : { blob: Buffer.from(content).toString('base64') };
    return { contents: [{ ...about, ...body }] };
  });
  return server;
}

async function nextStep(
  house: ServedHouse,
  calls: OpenCalls,
  { name, arguments: input }: { name: string; arguments?: Record<string, unknown> | undefined },
  ctx: ServerContext,
  canAsk: boolean,
): Promise<CallStep> {
  const request = { signal: ctx.mcpReq.signal, progress: progressTo(ctx) };
  const id = ctx.mcpReq.requestState<string>();
  if (id === undefined) {
    return calls.start(house, { name, input: input ?? {}, canAsk }, request);
  }
  const response = ctx.mcpReq.inputResponses?.[QUESTION_KEY];
  const step = calls.answer(id, (question) => toAnswer(response, question), request);
  if (step !== undefined) return step;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'That question is not open any more: call the tool again.');
}

function canElicit(server: Server, ctx: ServerContext): boolean {
  const envelope = ctx.mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
  const own = envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities();
  return isObject(own) && own['elicitation'] !== undefined;
}

/** Pieces of live output as progress notes; `progress` counts the characters so far, so it only grows. */
function progressTo(ctx: ServerContext): (text: string) => void {
  const progressToken = ctx.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => {};
  let progress = 0;
  return (text) => {
    progress += text.length;
    const params = { progressToken, progress, message: cutEnd(text, PROGRESS_CHARS) };
    ctx.mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
  };
}

function toDefinition({ name, description, inputSchema, outputSchema, readOnly }: ServedTool) {
  return {
    name,
    description,
    inputSchema: inputSchema as JsonSchema & { type: 'object' },
    ...(outputSchema === undefined ? {} : { outputSchema: outputSchema as JsonSchema & { type: 'object' } }),
    ...(readOnly === undefined ? {} : { annotations: { readOnlyHint: readOnly } }),
  };
}
