import {
  type OutputStream,
  onAbort,
  type ProcessExit,
  type SandboxProcess,
  type StartOptions,
  ToolwrightError,
} from '../../../core/index.ts';
import { createFrameReader } from '../frame-reader.ts';
import { type ErrorText, FRAME, type StartRequest } from '../protocol.ts';
import { type Asked, readAll } from './exchange.ts';
import { isLostSession, sessionLost, type Use } from './line.ts';
import { LineFault, toLineFault } from './line-fault.ts';
import type { RemoteSession } from './remote-session.ts';

type End = { readonly exit: ProcessExit } | { readonly error: ErrorText };

/** Starts a command on the far machine and follows it to its end, over breaks of the line. */
export async function startRemote(
  session: RemoteSession,
  request: StartRequest,
  { signal, onOutput }: Pick<StartOptions, 'signal' | 'onOutput'>,
): Promise<SandboxProcess> {
  const at = { stdout: 0, stderr: 0 };
  const place = (what: string) => session.place(`processes/${request.id}/${what}`);
  let isStarted = false;
  let end: End | undefined;
  let fault: { readonly error: unknown } | undefined;
  let markStarted = () => {};
  const started = new Promise<void>((resolve) => {
    markStarted = resolve;
  });

  const deliver = async (bytes: Uint8Array, stream: OutputStream): Promise<void> => {
    at[stream] += bytes.byteLength;
    if (fault || !onOutput) return;
    try {
      await onOutput(bytes, stream);
    } catch (error) {
      fault = { error };
      kill().catch(() => {});
    }
  };
  const asked = (): Asked =>
    isStarted
      ? { method: 'GET', path: place(`output?stdout=${at.stdout}&stderr=${at.stderr}`) }
      : {
          method: 'POST',
          path: session.place('processes'),
          body: Buffer.from(JSON.stringify({ ...request, ...at })),
          isJson: true,
        };
  const use: Use<void> = async (answer, hold, alive) => {
    let isOver = false;
    const reader = createFrameReader((kind) => kind === FRAME.stdout || kind === FRAME.stderr, {
      output: (kind, bytes) => hold(() => deliver(bytes, kind === FRAME.stdout ? 'stdout' : 'stderr')),
      other(kind, body) {
        if (kind === FRAME.started) {
          isStarted = true;
          markStarted();
        } else if (kind === FRAME.end) end = JSON.parse(body.toString('utf8'));
        else if (kind === FRAME.again) isOver = true;
      },
    });
    try {
      for await (const chunk of answer as AsyncIterable<Buffer>) {
        alive();
        await reader.push(chunk);
      }
    } catch (error) {
      throw toLineFault(error);
    }
    if (!isOver && !end) throw new LineFault('the output was cut off');
  };
  const follow = async (): Promise<ProcessExit> => {
    for (let renewed = false; !end; ) {
      try {
        await session.askOnly(asked, use, { changes: true });
      } catch (error) {
        const wasStarted = isStarted || (error as { data?: { started?: boolean } }).data?.started === true;
        if (!isLostSession(error)) throw error;
        if (wasStarted) throw sessionLost();
        if (renewed) throw error;
        renewed = true;
        await session.reopen();
      }
    }
    if (fault) throw fault.error;
    if ('exit' in end) return end.exit;
    const { code, message, ...more } = end.error;
    throw new ToolwrightError(code, message, more);
  };
  const nothingLeft = () => end !== undefined && 'exit' in end && !end.exit.leftChildren;
  const kill = async (): Promise<void> => {
    await Promise.race([started, done.catch(() => {})]);
    if (!isStarted || nothingLeft()) return;
    try {
      await session.askOnly(
        () => ({ method: 'POST', path: place('kill') }),
        async (answer) => void (await readAll(answer)),
        { changes: true },
      );
    } catch (error) {
      // With its session everything of it was ended.
      if (!isLostSession(error) && !nothingLeft()) throw error;
    }
  };

  const done = follow();
  const off = signal ? onAbort(signal, () => void kill().catch(() => {})) : () => {};
  done.then(off, off);
  await Promise.race([started, done]);
  return { id: request.id, wait: () => done, kill };
}
