import { constants } from 'node:fs';
import { open, readdir, realpath } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { messageOf } from '../core/index.ts';
import type { ParsedSkill } from './parse-skill.ts';
import type { SkillDiagnostic } from './skill.ts';

/** Bytes of a SKILL.md that are looked at for its front matter. */
const HEAD_BYTES = 131_072;
/** A SKILL.md beyond this is not read to its end. */
export const MOST_BYTES = 4 * 1_048_576;

/** What tells one state of a file from another. */
export interface Stamp {
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ino: number;
}

export interface ReadSkill extends ParsedSkill {
  /** The files that it was read from, as they were. */
  readonly stamps: readonly Stamp[];
}

/** Where a skill was found. */
export interface FoundSkill {
  /** Real path. */
  readonly folder: string;
  readonly folderName: string;
  /** Path of its SKILL.md. */
  readonly file: string;
  readonly extraFile?: string;
  /** A link may lead only below this folder. */
  readonly boundary?: string;
}

/** The names in a folder that a skill is told by. */
export function skillFiles(names: readonly string[]): { file?: string; extraFile?: string } {
  const file = names.includes('SKILL.md') ? 'SKILL.md' : names.find((name) => name.toLowerCase() === 'skill.md');
  const extraFile = names.find((name) => name === 'skill.yaml' || name === 'skill.yml');
  return { ...(file === undefined ? {} : { file }), ...(extraFile === undefined ? {} : { extraFile }) };
}

/** Finds the files of one folder that is said to be a skill. */
export async function findSkill(folder: string, boundary?: string): Promise<FoundSkill | undefined> {
  const real = await realpath(folder);
  const { file, extraFile } = skillFiles(await readdir(real));
  if (file === undefined) return undefined;
  return {
    folder: real,
    folderName: basename(folder),
    file: join(real, file),
    ...(extraFile === undefined ? {} : { extraFile: join(real, extraFile) }),
    ...(boundary === undefined ? {} : { boundary }),
  };
}

/** Reads what is to be known of a skill without its whole text. Never throws: what cannot be read is told. */
export async function readSkill(found: FoundSkill): Promise<ReadSkill> {
  const { folder, folderName, file, extraFile } = found;
  try {
    // The YAML parser is read when there is something to parse.
    const { parseSkill } = await import('./parse-skill.ts');
    const main = await readHead(file, found);
    const extra = extraFile === undefined ? undefined : await readHead(extraFile, found).catch(() => undefined);
    const parsed = parseSkill({
      text: main.text,
      file,
      folder,
      folderName,
      ...(extra && extraFile ? { extra: { text: extra.text, file: extraFile } } : {}),
    });
    const more: SkillDiagnostic[] = [];
    if (basename(file) !== 'SKILL.md')
      more.push(fault('file-name', 'the file is to be named SKILL.md', file, 'warning'));
    if (main.stamp.size > MOST_BYTES) {
      more.push(
        fault(
          'file-too-big',
          `SKILL.md has ${main.stamp.size} bytes; its text is cut at ${MOST_BYTES}`,
          file,
          'warning',
        ),
      );
    }
    if (main.text.includes('\uFFFD'))
      more.push(fault('file-not-utf8', 'SKILL.md is not UTF-8 throughout', file, 'warning'));
    return {
      ...parsed,
      diagnostics: [...parsed.diagnostics, ...more],
      stamps: extra ? [main.stamp, extra.stamp] : [main.stamp],
    };
  } catch (error) {
    const message = `SKILL.md cannot be read: ${messageOf(error)}`;
    return {
      name: folderName,
      skipped: message,
      diagnostics: [fault('file-unreadable', message, file, 'error')],
      stamps: [],
    };
  }
}

function fault(rule: string, message: string, file: string, severity: SkillDiagnostic['severity']): SkillDiagnostic {
  return { rule, severity, message, file };
}

/** The beginning of a regular file, never waiting for a pipe or a device. */
async function readHead(path: string, { folder, boundary }: FoundSkill): Promise<{ text: string; stamp: Stamp }> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) throw new Error('it is not a file');
    if (boundary !== undefined) {
      const real = await realpath(path);
      if (![folder, boundary].some((base) => real.startsWith(`${base}/`)))
        throw new Error(`it leads out of ${boundary}`);
    }
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(Math.min(stat.size, HEAD_BYTES)), 0, null, 0);
    const text = buffer.toString('utf8', 0, bytesRead);
    const { size, mtimeMs, ino } = stat;
    return { text: size > bytesRead ? text.replace(/\uFFFD+$/, '') : text, stamp: { path, size, mtimeMs, ino } };
  } finally {
    await handle.close();
  }
}
