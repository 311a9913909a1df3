import { ToolwrightError } from '../core/index.ts';
import type { Runtime, SessionRecord } from '../runtime/index.ts';

/** The session of that id; ToolwrightError `not_found` when there is none. */
export async function knownSession(runtime: Runtime, id: string): Promise<SessionRecord> {
  const record = await runtime.sessions.get(id);
  if (record !== undefined) return record;
  throw new ToolwrightError('not_found', `there is no session ${id}`, {
    hint: '`toolwright sessions list` shows those that there are.',
  });
}
