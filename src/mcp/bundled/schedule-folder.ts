import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject } from '../../core/index.ts';

/** What wakes a session, and when; never changed once it is written. Times are milliseconds since the epoch. */
export interface ScheduledTask {
  readonly id: string;
  readonly prompt: string;
  /** The session that is woken; absent: a new one each time. */
  readonly sessionId?: string;
  /** Five fields, in `timeZone`; or once, at `at`. */
  readonly cron?: string;
  readonly timeZone?: string;
  readonly at?: number;
  readonly createdAt: number;
}

export interface TaskRun {
  /** The time that it was due. */
  readonly due: number;
  readonly outcome: 'running' | 'ok' | 'failed' | 'missed';
  readonly note?: string;
}

export interface ScheduleFolder {
  add(task: ScheduledTask): Promise<void>;
  /** With the last run of each; files that are none of ours are passed over. */
  list(): Promise<readonly (ScheduledTask & { readonly lastRun?: TaskRun })[]>;
  /** False when there was none. */
  remove(id: string): Promise<boolean>;
  record(id: string, run: TaskRun): Promise<void>;
  /** True for one process only: the right to run that task for that time. */
  claim(id: string, due: number): Promise<boolean>;
}

const ID = /^[a-z0-9]{1,40}$/;

/**
 * The schedule as a folder, two files a task: what it is, which never changes, and how its last run went. So processes
 * that share it need no lock: a run is claimed by making a file that only one of them can make.
 */
export function createScheduleFolder(folder: string): ScheduleFolder {
  const path = (id: string, kind: 'task' | 'run') => join(folder, `${id}.${kind}.json`);
  const put = async (target: string, value: unknown): Promise<void> => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const temp = `${target}.${randomBytes(6).toString('hex')}`;
    await writeFile(temp, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
    await rename(temp, target);
  };
  const names = () => readdir(folder).catch(() => [] as string[]);
  const claims = async (id: string) => (await names()).filter((name) => name.startsWith(`${id}.claim.`));
  return {
    add: (task) => put(path(task.id, 'task'), task),
    async list() {
      const ids = (await names()).flatMap((name) => /^([a-z0-9]+)\.task\.json$/.exec(name)?.[1] ?? []);
      const read = ids.sort().map(async (id) => {
        const task = await readJson(path(id, 'task'));
        const run = await readJson(path(id, 'run'));
        if (!isTask(task) || task.id !== id) return [];
        return [{ ...task, ...(isRun(run) ? { lastRun: run } : {}) }];
      });
      return (await Promise.all(read)).flat();
    },
    async remove(id) {
      if (!ID.test(id)) return false;
      const found = (await readJson(path(id, 'task'))) !== undefined;
      for (const name of [`${id}.task.json`, `${id}.run.json`, ...(await claims(id))]) {
        await rm(join(folder, name), { force: true });
      }
      return found;
    },
    async record(id, run) {
      await put(path(id, 'run'), run);
      if (run.outcome === 'running') return;
      // Older claims than this run's can be nobody's any more.
      for (const name of await claims(id)) {
        if (Number(name.slice(id.length + '.claim.'.length)) < run.due) await rm(join(folder, name), { force: true });
      }
    },
    async claim(id, due) {
      try {
        await (await open(join(folder, `${id}.claim.${due}`), 'wx', 0o600)).close();
        return true;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
        throw error;
      }
    },
  };
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch {
    return undefined;
  }
}

function isTask(value: unknown): value is ScheduledTask {
  const isTime = (time: unknown) => time === undefined || Number.isFinite(time);
  return (
    isObject(value) &&
    ID.test(String(value['id'])) &&
    typeof value['prompt'] === 'string' &&
    Number.isFinite(value['createdAt']) &&
    isTime(value['at'])
  );
}

function isRun(value: unknown): value is TaskRun {
  return isObject(value) && Number.isFinite(value['due']) && typeof value['outcome'] === 'string';
}
