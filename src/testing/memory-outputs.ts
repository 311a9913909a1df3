import { type Outputs, ToolwrightError } from '../core/index.ts';

/** Stored outputs in memory; `files` is what is kept, by path. */
export function createMemoryOutputs(files: Map<string, Uint8Array> = new Map()): Outputs {
  return {
    owns: (path) => /^outputs\/[^/]+$/.test(path),
    async open(callId) {
      const pieces: Uint8Array[] = [];
      const path = `outputs/${callId.replace(/[^\w.-]/g, '_')}.txt`;
      return {
        write: async (piece) => void pieces.push(Buffer.from(piece)),
        async close() {
          const bytes = Buffer.concat(pieces);
          files.set(path, bytes);
          return { id: callId, path, bytes: bytes.byteLength };
        },
        discard: async () => {},
      };
    },
    async read(path, { offset = 0, length = Number.POSITIVE_INFINITY } = {}) {
      const bytes = files.get(path);
      if (!bytes) throw new ToolwrightError('not_found', `There is no stored output ${path}.`);
      return bytes.slice(offset, offset + length);
    },
    size: async (path) => files.get(path)?.byteLength,
    hostPath: async () => undefined,
  };
}
