import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

export const repo = join(import.meta.dirname, '../..');

/** A fenced block of a page: `lang` is the first word behind the backquotes, `note` the rest of that line. */
export interface Fence {
  readonly page: string;
  readonly line: number;
  readonly lang: string;
  readonly note: string;
  readonly text: string;
}

/** Pages for readers, by their path in the repository. */
export async function pageNames(): Promise<string[]> {
  const markdown = (names: string[]) => names.filter((name) => name.endsWith('.md')).sort();
  const [top, docs] = await Promise.all([readdir(repo), readdir(join(repo, 'docs'), { recursive: true })]);
  return [...markdown(top), ...markdown(docs).map((name) => `docs/${name}`)];
}

export const readPage = (page: string) => readFile(join(repo, page), 'utf8');

export async function fencesOf(page: string): Promise<Fence[]> {
  const text = await readPage(page);
  return [...text.matchAll(/^```([^\s`]*)[ \t]*(.*)\n([\s\S]*?)^```$/gm)].map((match) => ({
    page,
    line: text.slice(0, match.index).split('\n').length,
    lang: match[1] ?? '',
    note: (match[2] ?? '').trim(),
    text: match[3] ?? '',
  }));
}

/** A page's TypeScript as one program, as somebody would have it who typed in all of it. */
export const programOf = (fences: readonly Fence[]): string =>
  fences.flatMap(({ lang, note, text }) => (lang === 'ts' && note === '' ? [text] : [])).join('\n');

export interface Scratch {
  /** Empty at first. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A folder and a home of its own, with `toolwright` on the path. */
export async function inScratch<Value>(body: (scratch: Scratch) => Promise<Value>): Promise<Value> {
  const root = await mkdtemp(join(tmpdir(), 'toolwright-docs-'));
  const [folder, bin] = [join(root, 'work'), join(root, 'bin')];
  try {
    await Promise.all([mkdir(folder), mkdir(bin)]);
    await symlink(join(repo, 'bin/toolwright.js'), join(bin, 'toolwright'));
    const path = `${bin}:${process.env['PATH'] ?? ''}`;
    return await body({ folder, env: { PATH: path, HOME: root, TOOLWRIGHT_HOME: join(root, 'home') } });
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** Runs TypeScript as it stands, inside of the package, so that its own name leads to what was built. */
export async function runProgram(code: string): Promise<{ stdout: string; stderr: string }> {
  return inScratch(async ({ env }) => {
    const file = join(repo, 'dist', `.page-${process.pid}-${Math.random().toString(36).slice(2)}.mts`);
    try {
      await writeFile(file, code);
      const args = ['--import', 'tsx', file];
      return await promisify(execFile)(process.execPath, args, { cwd: repo, env, timeout: 20_000 });
    } finally {
      await rm(file, { force: true });
    }
  });
}

/** One command of a console block with what it prints, as the page has it. */
export interface Shown {
  readonly command: string;
  readonly output: string;
}

/** Lines that begin with `$ ` are commands, `> ` goes on with one; all else is what it printed. */
export function commandsOf(text: string): Shown[] {
  const shown: { command: string; output: string }[] = [];
  for (const line of text.split('\n')) {
    const last = shown.at(-1);
    if (line.startsWith('$ ')) shown.push({ command: line.slice(2), output: '' });
    else if (last && line.startsWith('> ') && last.output === '') last.command += `\n${line.slice(2)}`;
    else if (last) last.output += `${line}\n`;
  }
  return shown;
}

/** Runs a command and gives all that a terminal would have shown. */
export async function runCommand(command: string, cwd: string, env: Scratch['env']): Promise<string> {
  const options = { cwd, env, timeout: 20_000 };
  try {
    const { stdout } = await promisify(execFile)('bash', ['-c', `{ ${command}\n} 2>&1`], options);
    return stdout;
  } catch (error) {
    const { code, stdout = '' } = error as { code?: unknown; stdout?: string };
    if (typeof code !== 'number') throw error;
    return stdout;
  }
}

/** Writes a file that a page shows. */
export async function writeShown(folder: string, name: string, text: string): Promise<void> {
  const path = join(folder, name);
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, text);
  await chmod(path, 0o644);
}

/** What differs from run to run: times, durations, ids, temporary folders. */
function steady(text: string): string {
  return text
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<id>')
    .replace(/\b\d+ ms\b/g, '<n> ms')
    .replace(/"(ts|seq|duration_ms)":[\d.]+/g, '"$1":<n>')
    .replace(/\d{4}-\d{2}-\d{2} \d{2}:\d{2}(:\d{2})?/g, '<time>')
    .trimEnd();
}

/** True when the text is what the page shows; a line `…` there stands for any lines. */
export function fits(shown: string, text: string): boolean {
  const parts = steady(shown)
    .split(/^…$/m)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[\\s\\S]*')}$`).test(steady(text));
}
