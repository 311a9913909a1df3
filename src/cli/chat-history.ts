import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const KEEP_LINES = 500;

/** What was typed before, for the arrow keys; kept in the home, for its owner only. */
export interface ChatHistory {
  /** Newest first, as a prompt takes it. */
  readonly lines: string[];
  /** Never fails: a history that cannot be kept is no reason to stop talking. */
  add(input: string): Promise<void>;
}

export async function openChatHistory(home: string): Promise<ChatHistory> {
  const file = join(home, 'history');
  const text = await readFile(file, 'utf8').catch(() => '');
  const all = text.split('\n').filter((line) => line !== '');
  const kept = all.slice(-KEEP_LINES);
  if (all.length > 2 * KEEP_LINES) await writeFile(file, `${kept.join('\n')}\n`, { mode: 0o600 }).catch(() => {});
  return {
    lines: kept.reverse(),
    add: (input) => appendFile(file, `${input.replaceAll('\n', ' ')}\n`, { mode: 0o600 }).catch(() => {}),
  };
}
