import { type Clock, type OutputStream, ToolwrightError } from '../../../core/index.ts';
import { type Exchange, sendBytes } from './exchange.ts';
import type { ServerLimits } from './limits.ts';
import type { Offsets } from './output-order.ts';
import { withBody } from './read-body.ts';
import { numberOf, parseBody, startShape } from './request-shapes.ts';
import { sendOutput } from './send-output.ts';
import type { FarSession } from './session.ts';

const MOST_READ = 1_048_576;

export interface ProcessRoutes {
  /** Starts a command, or finds the one of that id, and follows it. */
  start(session: FarSession, exchange: Exchange): Promise<unknown>;
  /** What is done with a command that runs or ran: `GET output`, `GET stdout`, `GET stderr`, `POST kill`. */
  of(session: FarSession, id: string, action: string, exchange: Exchange): Promise<unknown>;
}

export function processRoutes(clock: Clock, limits: ServerLimits): ProcessRoutes {
  const read = async (session: FarSession, id: string, stream: OutputStream, { query, response }: Exchange) => {
    const job = await session.job(id);
    job.renew();
    const max = Math.min(numberOf(query, 'max') ?? MOST_READ, MOST_READ);
    const { bytes, next } = await job.read(stream, numberOf(query, 'offset') ?? 0, max);
    await sendBytes(response, bytes, { 'x-next': String(next) });
  };
  return {
    async start(session, { request, response, held }) {
      const { stdout, stderr, ...asked } = await withBody(request, limits.mostJsonBytes, held, async (body) =>
        parseBody(startShape, body),
      );
      const { id, follow, command, argv, cwd, env } = asked;
      const job = await session.start({
        id,
        follow,
        ...(command === undefined ? {} : { command }),
        ...(argv === undefined ? {} : { argv }),
        ...(cwd === undefined ? {} : { cwd }),
        ...(env === undefined ? {} : { env }),
      });
      job.renew();
      const offsets = { stdout, stderr };
      if (follow) job.taken(offsets);
      await sendOutput({ job, response, clock, offsets: follow ? offsets : undefined, started: true });
    },

    async of(session, id, action, exchange) {
      if (action === 'GET stdout') return read(session, id, 'stdout', exchange);
      if (action === 'GET stderr') return read(session, id, 'stderr', exchange);
      if (action !== 'GET output' && action !== 'POST kill') throw noPlace();
      const job = await session.job(id);
      job.renew();
      if (action === 'POST kill') {
        await job.kill();
        return {};
      }
      const offsets: Offsets = {
        stdout: numberOf(exchange.query, 'stdout') ?? 0,
        stderr: numberOf(exchange.query, 'stderr') ?? 0,
      };
      const { follow } = job.request;
      if (follow) job.taken(offsets);
      const { response } = exchange;
      return sendOutput({ job, response, clock, offsets: follow ? offsets : undefined, started: false });
    },
  };
}

export const noPlace = () => new ToolwrightError('not_found', 'There is nothing at this address.');
