import { type FSWatcher, watch } from 'node:fs';
import type { Database } from 'better-sqlite3';
import type { Clock, Timer } from '../../core/index.ts';
import { createWatchers } from '../watchers.ts';

/** Writes to the log that come close together are looked at once. */
const GATHER_MS = 20;
/** A file system that tells of no changes is asked this often, while somebody waits. */
const LOOK_MS = 1_500;

export interface ChangeWatch {
  /** Calls `onChange` when another connection has committed, or `tell` was called. Gives how to stop. */
  watch(onChange: () => void): () => void;
  tell(): void;
  stop(): void;
}

/**
 * Learns of other processes' commits without reading anything again and again: the log's file tells that
 * something was written, `data_version` whether it was somebody else. Nothing runs while nobody watches.
 */
export function createChangeWatch(database: Database, path: string, clock: Clock): ChangeWatch {
  const watchers = createWatchers();
  let file: FSWatcher | undefined;
  let looking: Timer | undefined;
  let gathering: Timer | undefined;
  let version: unknown;

  const readVersion = () => database.pragma('data_version', { simple: true });
  const look = () => {
    if (gathering !== undefined) clock.clear(gathering);
    gathering = undefined;
    if (watchers.size === 0 || !database.open) return;
    const found = readVersion();
    if (found === version) return;
    version = found;
    watchers.tell();
  };
  const lookLater = () => {
    looking = clock.after(LOOK_MS, () => {
      look();
      if (watchers.size > 0) lookLater();
    });
  };
  const closeFile = () => {
    file?.close();
    file = undefined;
  };
  const openFile = () => {
    try {
      file = watch(`${path}-wal`, { persistent: false }, () => {
        gathering ??= clock.after(GATHER_MS, look);
      });
      file.on('error', closeFile);
    } catch {
      // No log yet, or no more watches to be had: the slow look is enough.
    }
  };
  const stop = () => {
    closeFile();
    if (looking !== undefined) clock.clear(looking);
    if (gathering !== undefined) clock.clear(gathering);
    looking = undefined;
    gathering = undefined;
  };
  return {
    watch(onChange) {
      if (watchers.size === 0) {
        version = readVersion();
        openFile();
        lookLater();
      }
      const leave = watchers.add(onChange);
      return () => {
        leave();
        if (watchers.size === 0) stop();
      };
    },
    tell: watchers.tell,
    stop,
  };
}
