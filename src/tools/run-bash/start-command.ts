import type { OutputStream, SandboxProcess, StartOptions, ToolContext } from '../../core/index.ts';
import { followOutput } from './follow-output.ts';

type Options = Omit<StartOptions, 'onOutput' | 'signal'> & { readonly onOutput: NonNullable<StartOptions['onOutput']> };

/** Starts a command whose output comes to `onOutput` in any sandbox: pushed where it pushes, else read by range or tail. */
export async function startCommand(
  ctx: Pick<ToolContext, 'sandbox' | 'clock' | 'signal'>,
  command: string,
  { onOutput, ...options }: Options,
): Promise<SandboxProcess> {
  const { sandbox, clock } = ctx;
  if (sandbox.capabilities.pushes !== false) return sandbox.start(command, { ...options, onOutput });
  const child = await sandbox.start(command, options);
  const exited = child.wait();
  const deliver = async (bytes: Uint8Array, stream: OutputStream) => void (await onOutput(bytes, stream));
  const followed = followOutput({ sandbox, id: child.id, exited, clock, deliver });
  followed.catch(() => child.kill());
  const ended = followed.then(() => exited);
  ended.catch(() => {});
  return { id: child.id, wait: () => ended, kill: () => child.kill() };
}
