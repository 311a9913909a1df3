import { cutEnd, defineTool, type ToolContext, type ToolOutput, ToolwrightError } from '../../core/index.ts';
import { claimFile, pathSubject } from '../files/claim-file.ts';
import { ignoreFlags } from '../search/ignore-flags.ts';
import { createRowBudget } from '../search/row-budget.ts';
import { type RipgrepEnd, runRipgrep, unreadableNote } from '../search/run-ripgrep.ts';
import { globFilter } from './glob-filter.ts';
import { DEFAULT_LIMIT, type GrepInput, grepInput, MOST } from './grep-input.ts';
import { linesAround, searchArgs } from './search-args.ts';
import { createContentSearch } from './search-content.ts';
import { createFileSearch } from './search-files.ts';
import { findTarget, type SearchTarget } from './search-target.ts';

/** Searches the content of files. */
export const grepFiles = defineTool({
  name: 'grep_files',
  description: `Searches the content of files with a regular expression (Rust syntax; look-around and back-references work too). Matching lines come as path:line:text, lines around them as path-line-text; line numbers are counted from 1, order is by path. Files that .gitignore leaves out and .git are not searched, unless path names the file or its folder, or nothing else is there. A glob without a slash fits names at any depth. Finding nothing is an answer, not an error. At most ${DEFAULT_LIMIT} matching lines or files unless limit says otherwise; long lines are cut around the match.`,
  input: grepInput,
  traits: { readOnly: true, concurrencySafe: true, interrupt: 'cancel', maxOutputChars: Number.POSITIVE_INFINITY },
  aliases: [
    { name: 'grep', input: { head_limit: 'limit' } },
    {
      name: 'Grep',
      input: {
        '-i': 'case_insensitive',
        '-A': 'after',
        '-B': 'before',
        '-C': 'context',
        '-n': '',
        head_limit: 'limit',
      },
    },
  ],
  subjects: ({ path = '.' }) => pathSubject(path, 'read'),
  claims: ({ path = '.' }, context) => claimFile(path, 'read', context),
  async run(input, ctx): Promise<ToolOutput> {
    if (input.pattern.includes('\0')) throw new ToolwrightError('invalid_input', 'pattern: a NUL stands in it.');
    const target = await findTarget(input.path ?? '.', ctx);
    const sees = [...(await ignoreFlags(target.cwd, ctx)), ...(input.hidden ? ['--hidden'] : [])];
    const result = await searchAny(input, { target, sees }, ctx);
    if (result.found > 0 || result.end.code !== 1 || target.argument !== '.') return finish(result);
    if (await seesFiles(target.cwd, sees, ctx)) return finish(result);
    const all = await searchAny(input, { target, sees: [...sees, '--no-ignore'] }, ctx);
    return finish(all, all.found > 0 ? ['[Ignore files leave out all that is here; they were not followed.]'] : []);
  },
});

interface Place {
  readonly target: SearchTarget;
  /** The flags that decide which files are seen. */
  readonly sees: readonly string[];
}

interface Search {
  readonly end: RipgrepEnd;
  readonly found: number;
  readonly output: (notes: readonly string[]) => ToolOutput;
}

/** By the engine that takes the pattern: the one of linear time where it can. */
async function searchAny(input: GrepInput, place: Place, ctx: ToolContext): Promise<Search> {
  const asked = input.pattern.includes('\n') ? { ...input, multiline: true } : input;
  const first = await search(asked, place, 'default', ctx);
  if (!isBadPattern(first.end)) return first;
  if (SPANS_LINES.test(first.end.complaints)) return search({ ...input, multiline: true }, place, 'default', ctx);
  if (/unrecognized file type/.test(first.end.complaints)) throw badType(first.end);
  const second = await search(asked, place, 'pcre2', ctx);
  if (!isBadPattern(second.end)) return second;
  throw badPattern(/not supported/.test(first.end.complaints) ? second.end : first.end);
}

async function search(
  input: GrepInput,
  { target, sees }: Place,
  engine: 'default' | 'pcre2',
  ctx: ToolContext,
): Promise<Search> {
  const { output_mode: mode = 'content', limit = DEFAULT_LIMIT } = input;
  const wants = globFilter(input, target);
  const shared = {
    limit,
    most: MOST,
    budget: await createRowBudget(),
    display: (printed: string) => target.display(printed),
  };
  const content = mode === 'content' ? createContentSearch({ ...shared, ...linesAround(input), wants }) : undefined;
  const gathered = content ?? createFileSearch(mode === 'count', wants, shared);
  const end = await runRipgrep(ctx, {
    ...(target.place ? { place: target.place } : {}),
    cwd: target.cwd,
    args: searchArgs(input, target.argument, engine, sees),
    separators: mode === 'content' ? ['\n'] : mode === 'files' ? ['\0'] : ['\0', '\n'],
    onItem: gathered.take,
    ...(content ? { onLong: content.takeLong } : {}),
  });
  return { end, found: gathered.found, output: gathered.output };
}

/** Whether there is anything to search but for what ignore files and dots leave out. */
async function seesFiles(cwd: string, sees: readonly string[], ctx: ToolContext): Promise<boolean> {
  let any = false;
  const onItem = () => {
    any = true;
    return false;
  };
  await runRipgrep(ctx, { cwd, args: ['--files', '--null', ...sees], separators: ['\0'], onItem });
  return any;
}

const SPANS_LINES = /the literal .* is not allowed/;

const isBadPattern = ({ code, complaints }: RipgrepEnd) =>
  code === 2 &&
  /regex parse error|\nerror: |PCRE2: error compiling|the literal .* is not allowed|compiled regex exceeds|unrecognized file type/i.test(
    complaints,
  );

function badType({ complaints }: RipgrepEnd): ToolwrightError {
  return new ToolwrightError('invalid_input', `type: ${cutEnd(complaints.trim(), 200)}`, {
    hint: 'Use glob instead, such as "*.ext".',
  });
}

function badPattern({ complaints }: RipgrepEnd): ToolwrightError {
  return new ToolwrightError(
    'invalid_input',
    `pattern: it is not a regular expression: ${cutEnd(complaints.replace(/^rg: /, '').trim(), 600)}`,
    {
      hint: 'Escape the special signs with \\, or send literal: true to search for the text as it stands.',
    },
  );
}

function finish({ end, output }: Search, notes: readonly string[] = []): ToolOutput {
  const note = unreadableNote(end.complaints);
  const isBroken = end.code !== null && end.code > 1 && note === undefined && end.complaints.trim() !== '';
  if (isBroken) throw new ToolwrightError('failed', `The search failed: ${cutEnd(end.complaints.trim(), 600)}`);
  return output(note ? [...notes, note] : notes);
}
