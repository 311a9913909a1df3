import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { type Clock, type NewId, type Root, type Roots, type Sandbox, ToolwrightError } from '../../../core/index.ts';
import { PROTOCOL, type ServerFacts, type SessionFacts } from '../protocol.ts';
import { readAll, type Wire } from './exchange.ts';
import { createLine } from './line.ts';
import { createRemoteFiles } from './remote-files.ts';
import { startRemote } from './remote-process.ts';
import { createRemoteRoots } from './remote-roots.ts';
import { createRemoteSession } from './remote-session.ts';

export interface RemoteSandboxOptions {
  /** Address of a `toolwright sandbox serve`, http or https. */
  readonly url: string;
  readonly token: string;
  /** On the far machine. Default: the first root. */
  readonly cwd?: string;
  /** Folders of the far machine. Default: those that the server serves. */
  readonly roots?: readonly Root[];
  readonly clock: Clock;
  readonly newId: NewId;
}

const MOST_READ = 1_048_576;
/** For the server to end what runs when the sandbox is closed. */
const DISPOSE_MS = 10_000;

export async function connectRemote(options: RemoteSandboxOptions): Promise<{ sandbox: Sandbox; roots: Roots }> {
  const { clock, newId } = options;
  const wire = createWire(options);
  const line = createLine(wire);
  const id = newId();
  const open = (once: boolean) =>
    line.json<SessionFacts>(
      {
        method: 'POST',
        path: '/v1/sessions',
        isJson: true,
        body: Buffer.from(JSON.stringify({ id, cwd: options.cwd, roots: options.roots })),
      },
      { once },
    );
  const close = () => {
    line.close();
    wire.agent.destroy();
  };
  try {
    const server = await line.json<Partial<ServerFacts>>({ method: 'GET', path: `/v${PROTOCOL}` }, { once: true });
    if (server.protocol !== PROTOCOL || server.kind === undefined) {
      throw new ToolwrightError('unavailable', `What answers at ${wire.url.origin} is no sandbox server.`, {
        hint: 'Start one with `toolwright sandbox serve`.',
      });
    }
    const { mostFileBytes = 0 } = server;
    const session = createRemoteSession(line, await open(true), () => open(false));
    const { isolation, ripgrep } = session.facts;
    const sandbox: Sandbox = {
      id,
      kind: 'remote',
      capabilities: {
        isolation,
        rangeReads: true,
        processes: true,
        ...(ripgrep === undefined ? {} : { ripgrep }),
      },
      ...createRemoteFiles(session, newId, mostFileBytes),
      start(command, { cwd, env, ...how } = {}) {
        if (how.signal?.aborted) {
          throw new ToolwrightError('cancelled', 'The command was cancelled before it started.');
        }
        const request = {
          id: newId(),
          follow: how.onOutput !== undefined,
          ...(typeof command === 'string' ? { command } : { argv: command }),
          ...(cwd === undefined ? {} : { cwd }),
          ...(env === undefined ? {} : { env }),
        };
        return startRemote(session, request, how);
      },
      readOutput: (processId, stream, offset, max) =>
        session.askOnly(
          () => ({
            method: 'GET',
            path: session.place(`processes/${processId}/${stream}?offset=${offset}&max=${Math.min(max, MOST_READ)}`),
          }),
          async (answer) => {
            const bytes = await readAll(answer);
            return { bytes, next: Number(answer.headers['x-next']) };
          },
        ),
      async dispose() {
        const timer = clock.after(DISPOSE_MS, close);
        // When the line is gone, the server's lease does it.
        await line.json({ method: 'DELETE', path: `/v1/sessions/${id}` }, { ifThere: true }).catch(() => {});
        clock.clear(timer);
        close();
      },
    };
    return { sandbox, roots: createRemoteRoots(session) };
  } catch (error) {
    close();
    throw error;
  }
}

function createWire({ url, token, clock }: RemoteSandboxOptions): Wire {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.username !== '' || parsed.search !== '') {
    throw new ToolwrightError('invalid_request', `"${url}" is not the address of a sandbox server.`, {
      hint: 'Write it as http://HOST:PORT or https://HOST:PORT.',
    });
  }
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new ToolwrightError('invalid_request', `There is no token for the sandbox server ${parsed.origin}.`, {
      hint: 'Give the one that it was started with.',
    });
  }
  const isSecure = parsed.protocol === 'https:';
  return {
    url: parsed,
    token,
    clock,
    request: isSecure ? httpsRequest : httpRequest,
    agent: new (isSecure ? HttpsAgent : HttpAgent)({ keepAlive: true }),
  };
}
