import { cutEnd, messageOf, type StoredOutput, sizeText, type ToolContext, utf8Length } from '../../core/index.ts';
import { createTextTail } from './text-tail.ts';

/** Characters that are shown whole, with room for notes below the executor's own limit; what is longer is stored as it comes. */
const MOST_SHOWN = 3_700;
/** Of a longer output the rest is counted and dropped, so that no command fills the disk. */
const MOST_STORED_BYTES = 1_073_741_824;
const HEAD = 1_600;
const TAIL = 1_600;

/** A command's output: whole while it is short, else a file with its beginning and its end at hand. */
export interface OutputLog {
  add(text: string): Promise<void> | undefined;
  /** From now on all of it goes to a file; gives where it can be read before the end. */
  keep(): Promise<string | undefined>;
  /** What is at hand of it. */
  readonly text: string;
  close(): Promise<{ readonly text: string; readonly stored?: StoredOutput }>;
}

export function createOutputLog(ctx: Pick<ToolContext, 'outputs' | 'call'>): OutputLog {
  let short: string | undefined = '';
  let head = '';
  const tail = createTextTail(TAIL);
  let bytes = 0;
  let storedBytes = 0;
  let opening: ReturnType<ToolContext['outputs']['open']> | undefined;
  let writer: Awaited<typeof opening>;
  let failure: string | undefined;
  let kept = false;

  const store = async (text: string): Promise<void> => {
    if (failure !== undefined || storedBytes >= MOST_STORED_BYTES) return;
    try {
      // One file, however many pieces come while it is opened; each is written in its turn.
      opening ??= ctx.outputs.open(ctx.call.id);
      writer = await opening;
      await writer.write(text);
      storedBytes += utf8Length(text);
    } catch (error) {
      failure = messageOf(error);
      await writer?.discard().catch(() => {});
    }
  };

  return {
    add(text) {
      if (text === '') return undefined;
      bytes += utf8Length(text);
      tail.add(text);
      if (short === undefined) return store(text);
      short += text;
      if (short.length <= MOST_SHOWN) return kept ? store(text) : undefined;
      const all = short;
      head = cutEnd(all, HEAD);
      short = undefined;
      return store(kept ? text : all);
    },
    async keep() {
      if (short !== undefined && !kept) {
        kept = true;
        await store(short);
      }
      const made = await opening?.catch(() => undefined);
      return failure === undefined ? made?.livePath : undefined;
    },
    get text() {
      return short ?? `${head}\n[…]\n${tail.text}`;
    },
    async close() {
      if (short !== undefined && writer && failure === undefined) {
        const stored = await writer.close().catch(() => undefined);
        return { text: short, ...(stored ? { stored } : {}) };
      }
      if (short !== undefined) return { text: short };
      const omitted = bytes - utf8Length(head) - utf8Length(tail.text);
      const left = `${sizeText(bytes)} of output; ${omitted} bytes are left out here`;
      if (writer && failure === undefined) {
        try {
          const stored = await writer.close();
          const what = storedBytes < bytes ? `the first ${sizeText(storedBytes)} are` : 'all of it is';
          const note = `[${left}; ${what} in ${stored.path}: read it with read_file or search it with grep_files]`;
          return { text: `${head}\n${note}\n${tail.text}`, stored };
        } catch (error) {
          failure = messageOf(error);
        }
      }
      return { text: `${head}\n[${left}, and they could not be stored: ${failure ?? 'no file'}]\n${tail.text}` };
    },
  };
}
