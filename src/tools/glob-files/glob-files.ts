import { join } from 'node:path';
import { z } from 'zod';
import { defineTool, type ResolvedPath, type ToolContext, type ToolOutput, ToolwrightError } from '../../core/index.ts';
import { claimFile, pathSubject } from '../files/claim-file.ts';
import { createFileList, type FileList } from '../search/file-list.ts';
import { createGlobMatcher, type GlobMatcher } from '../search/glob-matcher.ts';
import { ignoreFlags } from '../search/ignore-flags.ts';
import { createRowBudget } from '../search/row-budget.ts';
import { runRipgrep, unreadableNote } from '../search/run-ripgrep.ts';

const DEFAULT_LIMIT = 200;
const MOST = 5_000;

const input = z.strictObject({
  pattern: z.string().min(1).describe('For example src/**/*.ts, *.{json,yaml}, docs/[a-c]*.md.'),
  path: z.string().optional().describe('The folder to look in, taken literally. Default: the working folder.'),
  hidden: z.boolean().optional().describe('Let * and ** fit names that begin with a dot. Default false.'),
  limit: z.number().int().min(1).max(MOST).optional().describe(`Paths at the most. Default ${DEFAULT_LIMIT}.`),
});

interface Found {
  readonly list: FileList;
  readonly note: string | undefined;
}

/** Lists files whose path fits a pattern. */
export const globFiles = defineTool({
  name: 'glob_files',
  description: `Lists files whose path fits a pattern, sorted by path. The pattern is held against paths relative to the folder: * and ? stay inside a name, ** spans folders (**/x finds x at any depth), [a-z] is a class, {a,b} are alternatives, \\ makes the next sign literal; a path that exists fits itself whatever signs are in it. Files that .gitignore leaves out, and those in .git, are not listed, unless the pattern begins with their folder or no other file fits. Links are not followed. At most ${DEFAULT_LIMIT} paths unless limit says otherwise.`,
  input,
  traits: { readOnly: true, concurrencySafe: true, interrupt: 'cancel', maxOutputChars: Number.POSITIVE_INFINITY },
  aliases: [{ name: 'glob', input: { head_limit: 'limit' } }, { name: 'Glob' }],
  subjects: ({ path = '.' }) => pathSubject(path, 'read'),
  claims: ({ path = '.' }, context) => claimFile(path, 'read', context),
  async run({ pattern, path = '.', hidden = false, limit = DEFAULT_LIMIT }, ctx): Promise<ToolOutput> {
    const base = await openFolder(path, ctx);
    const own = withinBase(pattern, base, ctx);
    const dot = hidden || own.split('/').some((segment) => segment.startsWith('.') && segment !== '.');
    const fits = createGlobMatcher(own, { dot });
    const start = await startFolder(own, base, ctx);
    const look = { start, base, fits, limit, sees: await ignoreFlags(start.cwd, ctx) };
    const seen = await list({ ...look, sees: [...look.sees, ...(dot ? ['--hidden'] : [])] }, ctx);
    if (seen.list.total > 0) return toOutput(seen);
    const all = await list({ ...look, sees: [...look.sees, '--hidden', '--no-ignore'] }, ctx);
    if (all.list.total === 0) return none(pattern, own, seen, base, ctx);
    return toOutput(all, ['[All of them are left out of other searches by ignore files or a dot in their name.]']);
  },
});

async function openFolder(path: string, ctx: ToolContext): Promise<ResolvedPath> {
  const base = await ctx.roots.resolve(path, 'read');
  const stat = await ctx.sandbox.stat(base.real);
  if (stat?.kind === 'directory') return base;
  const what = stat ? 'is a file, not a folder' : 'does not exist';
  throw new ToolwrightError(stat ? 'invalid_input' : 'failed', `path: ${path} ${what}.`, {
    hint: stat
      ? 'Give the folder as path and the name as pattern, or read it with read_file.'
      : 'Leave path out to look in the working folder.',
  });
}

/** The pattern relative to the folder; an absolute one must lie below it. */
function withinBase(pattern: string, base: ResolvedPath, ctx: ToolContext): string {
  if (pattern.includes('\0')) throw new ToolwrightError('invalid_input', 'pattern: a NUL stands in it.');
  if (pattern.split('/').includes('..')) {
    throw new ToolwrightError('invalid_input', `pattern: ${pattern} climbs out of a folder by "..".`, {
      hint: 'Give the folder as path, and a pattern relative to it.',
    });
  }
  if (!pattern.startsWith('/')) return pattern;
  const folder = [base.path, base.real].find((known) => pattern.startsWith(known === '/' ? '/' : `${known}/`));
  if (folder !== undefined) return pattern.slice(folder === '/' ? 1 : folder.length + 1);
  throw new ToolwrightError(
    'invalid_input',
    `pattern: ${pattern} does not lie below ${ctx.roots.display(base.path)}.`,
    {
      hint: 'Give the folder as path, and a pattern relative to it.',
    },
  );
}

interface Start {
  /** A real path. */
  readonly cwd: string;
  /** What stands between the base and it, with a slash at its end; empty for the base itself. */
  readonly prefix: string;
}

/** The folder that every fitting path lies in by the pattern's first names; the base where a link is on the way. */
async function startFolder(own: string, base: ResolvedPath, ctx: ToolContext): Promise<Start> {
  const names = own.replace(/^(?:\.\/)+/, '').split('/');
  const wild = names.findIndex((name) => name === '' || /[*?[\]{}\\]/.test(name));
  const prefix = names.slice(0, wild < 0 ? names.length - 1 : wild).join('/');
  if (prefix !== '') {
    const folder = join(base.real, prefix);
    const real = await ctx.sandbox.realPath(folder).catch(() => undefined);
    const stat = real?.real === folder ? await ctx.sandbox.stat(folder).catch(() => undefined) : undefined;
    if (stat?.kind === 'directory') return { cwd: folder, prefix: `${prefix}/` };
  }
  return { cwd: base.real, prefix: '' };
}

interface Look {
  readonly start: Start;
  readonly base: ResolvedPath;
  readonly fits: GlobMatcher;
  readonly limit: number;
  /** The flags that decide which files are seen. */
  readonly sees: readonly string[];
}

async function list({ start, base, fits, limit, sees }: Look, ctx: ToolContext): Promise<Found> {
  const folder = base.path === '/' ? '' : base.path;
  const display = (path: string) => ctx.roots.display(`${folder}/${path}`);
  const found = createFileList({ limit, most: MOST, budget: await createRowBudget(), display });
  const end = await runRipgrep(ctx, {
    cwd: start.cwd,
    args: ['--files', '--null', '--sort=path', ...sees],
    separators: ['\0'],
    onItem(item) {
      const path = start.prefix + item.replace(/^\.\//, '');
      if (fits(path)) found.add(path);
      return true;
    },
  });
  return { list: found, note: unreadableNote(end.complaints) };
}

function toOutput({ list: { files, rows, total, truncated, cutNote }, note }: Found, notes: string[] = []): ToolOutput {
  return {
    content: [...rows, ...cutNote(), ...notes, ...(note ? [note] : [])].join('\n'),
    data: { files: files.map(({ path }) => path), count: total, truncated },
  };
}

async function none(
  pattern: string,
  own: string,
  { note }: Found,
  base: ResolvedPath,
  ctx: ToolContext,
): Promise<ToolOutput> {
  const where = ctx.roots.display(base.path);
  const stat = await ctx.sandbox.stat(join(base.real, own)).catch(() => undefined);
  const depth = pattern.includes('/') ? '' : ` To look at any depth use **/${pattern}.`;
  const folder = ` ${pattern} is a folder; to list what is in it give it as path, with the pattern **.`;
  const lines = [
    `No file in ${where === '.' ? 'the working folder' : where} fits ${pattern}.${stat?.kind === 'directory' ? folder : depth}`,
    ...(note ? [note] : []),
  ];
  return { content: lines.join('\n'), data: { files: [], count: 0, truncated: false } };
}
