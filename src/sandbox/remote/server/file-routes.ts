import { sizeText, ToolwrightError } from '../../../core/index.ts';
import { fileError } from '../../file-error.ts';
import { expectFromText, statToText } from '../protocol.ts';
import { type Exchange, pathOf, sendBytes, textOf } from './exchange.ts';
import type { ServerLimits } from './limits.ts';
import { withBody } from './read-body.ts';
import { numberOf } from './request-shapes.ts';
import type { FarSession } from './session.ts';

/** Answers with what it gives as JSON; undefined when it has answered itself. */
export type Route = (session: FarSession, exchange: Exchange) => Promise<unknown>;

/** The methods of a sandbox's files; the sandbox itself judges each path. */
export function fileRoutes(limits: ServerLimits): Readonly<Record<string, Route>> {
  return {
    'GET file': async ({ sandbox }, { query, response, held }) => {
      const path = pathOf(query);
      const wanted = numberOf(query, 'length') ?? Number.POSITIVE_INFINITY;
      const length = Math.min(wanted, limits.mostFileBytes + 1);
      const bytes = await sandbox.read(path, { offset: numberOf(query, 'offset') ?? 0, length });
      if (bytes.byteLength > limits.mostFileBytes) {
        throw fileError('too_large', `The file has more than ${sizeText(limits.mostFileBytes)}; read it in ranges.`);
      }
      held.take(bytes.byteLength);
      try {
        await sendBytes(response, bytes);
      } finally {
        held.give(bytes.byteLength);
      }
      return undefined;
    },

    'PUT file': (session, { query, request, held }) =>
      withBody(request, limits.mostFileBytes, held, async (bytes) => {
        const path = pathOf(query);
        const text = query.get('expect');
        const expect = text === null ? undefined : expectFromText(text);
        if (text !== null && expect === undefined) {
          throw new ToolwrightError('invalid_request', 'expect is not a stamp of a file');
        }
        const mode = numberOf(query, 'mode');
        const options = { ...(expect === undefined ? {} : { expect }), ...(mode === undefined ? {} : { mode }) };
        const write = () => session.sandbox.write(path, bytes, options);
        return statToText(await session.once(textOf(query, 'op'), write));
      }),

    'DELETE file': async (session, { query }) => {
      const path = pathOf(query);
      await session.once(textOf(query, 'op'), () => session.sandbox.remove(path));
      return {};
    },

    'GET stat': async ({ sandbox }, { query }) => {
      const stat = await sandbox.stat(pathOf(query));
      return { stat: stat ? statToText(stat) : null };
    },

    'GET list': async ({ sandbox }, { query }) => {
      const entries = await sandbox.list(pathOf(query));
      return { entries: entries.map(({ name, kind }) => [name, kind]) };
    },

    // Of what lies outside a client does not learn that it is there.
    'GET real-path': async ({ roots }, { query }) => {
      const { real, exists } = await roots.resolve(pathOf(query), 'read');
      return { real, exists };
    },

    'GET resolve': ({ roots }, { query }) => {
      const access = textOf(query, 'access');
      if (access !== 'read' && access !== 'write') {
        throw new ToolwrightError('invalid_request', 'access is neither read nor write');
      }
      return roots.resolve(textOf(query, 'path'), access);
    },
  };
}
