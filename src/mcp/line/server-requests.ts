import { pathToFileURL } from 'node:url';
import type { Client, ElicitResult } from '@modelcontextprotocol/client';
import { type Json, type Log, type Model, messageOf, type NewId, ToolwrightError } from '../../core/index.ts';
import { answerSampling } from './answer-sampling.ts';
import { formQuestions } from './form-questions.ts';
import type { RunningCalls } from './running-calls.ts';

export interface ServerRequestOptions {
  readonly server: string;
  /** Folders of the runtime itself, for a server that asks while no session's call is under way. */
  readonly roots: readonly string[];
  readonly log: Log;
  readonly newId: NewId;
  /** Set where the server may ask for replies of the model. */
  readonly model?: () => Promise<Model>;
}

/** What we tell servers that we can be asked. */
export const capabilities = (hasModel: boolean) => ({
  roots: {},
  elicitation: { form: {} },
  ...(hasModel ? { sampling: {} } : {}),
});

const LEVELS = {
  debug: 'debug',
  info: 'info',
  notice: 'info',
  warning: 'warn',
  error: 'error',
  critical: 'error',
  alert: 'error',
  emergency: 'error',
} as const;
const LOG_CHARS = 2_000;

/** Answers what a server asks: roots, and questions to the person of the running call. Its log lines go to ours. */
export function answerServer(client: Client, running: RunningCalls, options: ServerRequestOptions): void {
  const { server, log } = options;
  client.setRequestHandler('roots/list', () => {
    const paths = running.owner()?.roots ?? options.roots;
    return { roots: paths.map((path) => ({ uri: pathToFileURL(path).href, name: path })) };
  });
  client.setRequestHandler('elicitation/create', async ({ params }): Promise<ElicitResult> => {
    const ask = running.owner()?.ask;
    if (ask === undefined || (params.mode ?? 'form') !== 'form') {
      log('info', `MCP server ${server} asked a question and nobody can be asked`);
      return { action: 'decline' };
    }
    const schema = 'requestedSchema' in params ? params.requestedSchema : { properties: {} };
    const form = formQuestions(schema);
    try {
      const answer = await ask({
        kind: 'elicitation',
        reason: `The MCP server ${server} asks: ${params.message}`,
        questions: form.questions,
      });
      if (answer.outcome === 'unanswered') return { action: 'cancel' };
      if (answer.outcome === 'declined') return { action: 'decline' };
      return { action: 'accept', content: form.content(answer.answers) as NonNullable<ElicitResult['content']> };
    } catch (error) {
      log('warn', `a question of the MCP server ${server} failed`, { message: messageOf(error) });
      return { action: 'cancel' };
    }
  });
  const { model, newId } = options;
  if (model !== undefined) {
    client.setRequestHandler('sampling/createMessage', async ({ params }, context) => {
      const ask = running.owner()?.ask;
      if (ask === undefined) throw new ToolwrightError('denied', 'nobody is there who could allow it');
      return answerSampling(params, { server, ask, model, newId, signal: context.mcpReq.signal });
    });
  }
  client.setNotificationHandler('notifications/message', ({ params }) => {
    const text = typeof params.data === 'string' ? params.data : JSON.stringify(params.data as Json);
    log(LEVELS[params.level] ?? 'info', `MCP server ${server}: ${(text ?? '').slice(0, LOG_CHARS)}`);
  });
}
