import { type FileKind, type NewId, type Sandbox, sizeText } from '../../../core/index.ts';
import { fileError } from '../../file-error.ts';
import { expectToText, type StatText, statFromText } from '../protocol.ts';
import { readAll } from './exchange.ts';
import type { RemoteSession } from './remote-session.ts';

export type RemoteFiles = Pick<Sandbox, 'read' | 'write' | 'stat' | 'list' | 'remove' | 'realPath'>;

/** The file methods of a sandbox on the far machine, which judges each path there. */
export function createRemoteFiles(session: RemoteSession, newId: NewId, mostBytes: number): RemoteFiles {
  const place = (what: string, path: string, more: Record<string, string | number | undefined> = {}) => {
    const query = new URLSearchParams({ path });
    for (const [name, value] of Object.entries(more)) if (value !== undefined) query.set(name, String(value));
    return `${what}?${query}`;
  };
  const get = <Value>(what: string, path: string) => session.json<Value>('GET', place(what, path));
  return {
    read: (path, { offset, length } = {}) => {
      const whole = length === undefined || length === Number.POSITIVE_INFINITY ? undefined : length;
      return session.ask('GET', place('file', path, { offset, length: whole }), (answer) => readAll(answer));
    },
    async write(path, bytes, { expect, mode } = {}) {
      if (bytes.byteLength > mostBytes) {
        throw fileError('too_large', `The sandbox server takes files of at most ${sizeText(mostBytes)}.`, {
          hint: 'Make a file that large by a command there.',
        });
      }
      const stamp = expect === undefined ? undefined : expectToText(expect);
      const at = place('file', path, { op: newId(), expect: stamp, mode });
      return statFromText(await session.json<StatText>('PUT', at, { body: bytes, changes: true }));
    },
    async stat(path) {
      const { stat } = await get<{ stat: StatText | null }>('stat', path);
      return stat ? statFromText(stat) : undefined;
    },
    async list(path) {
      const { entries } = await get<{ entries: [string, FileKind][] }>('list', path);
      return entries.map(([name, kind]) => ({ name, kind }));
    },
    async remove(path) {
      await session.json('DELETE', place('file', path, { op: newId() }), { changes: true });
    },
    realPath: (path) => get('real-path', path),
  };
}
