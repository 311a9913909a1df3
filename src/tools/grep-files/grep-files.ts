import { cutEnd, defineTool, type ToolContext, type ToolOutput, ToolwrightError } from '../../core/index.ts';
import { claimFile, pathSubject } from '../files/claim-file.ts';
import { createGlobMatcher } from '../search/glob-matcher.ts';
import { type RipgrepEnd, runRipgrep, unreadableNote } from '../search/run-ripgrep.ts';
import { DEFAULT_LIMIT, type GrepInput, grepInput } from './grep-input.ts';
import { searchArgs } from './search-args.ts';
import { createContentSearch } from './search-content.ts';
import { createFileSearch } from './search-files.ts';
import { findTarget, type SearchTarget } from './search-target.ts';

/** Searches the content of files. */
export const grepFiles = defineTool({
  name: 'grep_files',
  description: `Searches the content of files with a regular expression (Rust syntax; look-around and back-references work too). Matching lines come as path:line:text, lines around them as path-line-text; line numbers are counted from 1, order is by path. Files that .gitignore leaves out and .git are not searched, unless path names the file itself. A glob without a slash fits names at any depth. Finding nothing is an answer, not an error. At most ${DEFAULT_LIMIT} matching lines or files unless limit says otherwise; long lines are cut around the match.`,
  input: grepInput,
  traits: { readOnly: true, concurrencySafe: true, interrupt: 'cancel', maxOutputChars: Number.POSITIVE_INFINITY },
  aliases: [
    { name: 'grep', input: { head_limit: 'limit' } },
    {
      name: 'Grep',
      input: { '-i': 'case_insensitive', '-A': 'after', '-B': 'before', '-C': 'context', head_limit: 'limit' },
    },
  ],
  subjects: ({ path = '.' }) => pathSubject(path, 'read'),
  claims: ({ path = '.' }, context) => claimFile(path, 'read', context),
  async run(input, ctx): Promise<ToolOutput> {
    if (input.pattern.includes('\0')) throw new ToolwrightError('invalid_input', 'pattern: a NUL stands in it.');
    const target = await findTarget(input.path ?? '.', ctx);
    const asked = input.pattern.includes('\n') ? { ...input, multiline: true } : input;
    const first = await search(asked, target, 'default', ctx);
    if (!isBadPattern(first.end)) return finish(first);
    if (SPANS_LINES.test(first.end.complaints)) {
      return finish(await search({ ...input, multiline: true }, target, 'default', ctx));
    }
    if (/unrecognized file type/.test(first.end.complaints)) throw badType(first.end);
    const second = await search(asked, target, 'pcre2', ctx);
    if (!isBadPattern(second.end)) return finish(second);
    throw badPattern(/not supported/.test(first.end.complaints) ? second.end : first.end);
  },
});

interface Search {
  readonly end: RipgrepEnd;
  readonly output: (notes: readonly string[]) => ToolOutput;
}

async function search(
  input: GrepInput,
  target: SearchTarget,
  engine: 'default' | 'pcre2',
  ctx: ToolContext,
): Promise<Search> {
  const { output_mode: mode = 'content', limit = DEFAULT_LIMIT } = input;
  const wants = globFilter(input, target);
  const display = (printed: string) => target.display(printed);
  const content = mode === 'content' ? createContentSearch(limit, wants, display) : undefined;
  const files = createFileSearch(mode === 'count', limit, wants, display);
  const end = await runRipgrep(ctx, {
    cwd: target.cwd,
    args: searchArgs(input, target.argument, engine),
    separators: mode === 'content' ? ['\n'] : mode === 'files' ? ['\0'] : ['\0', '\n'],
    onItem: content ? content.take : files.take,
    ...(content ? { onLong: content.takeLong } : {}),
  });
  return { end, output: (notes) => (content ? content.output(end.endedEarly, notes) : files.output(notes)) };
}

/**
 * Globs are held against each path here; see `searchArgs` for what ripgrep does before. A glob is meant from the searched folder,
 * and taken as from the working folder too. ripgrep's types let hidden files in, which are left out here.
 */
function globFilter({ glob, type, hidden = false }: GrepInput, target: SearchTarget): (printed: string) => boolean {
  const seesAll = hidden || type === undefined || target.argument !== '.';
  const isSeen = (printed: string) => seesAll || !HIDDEN.test(target.relative(printed));
  if (glob === undefined) return isSeen;
  const isOut = glob.startsWith('!');
  const wanted = isOut ? glob.slice(1) : glob;
  const anywhere = wanted.includes('/') ? wanted : `**/${wanted}`;
  const dot = hidden || isOut || HIDDEN.test(wanted);
  const matchers = (isOut ? [anywhere, `${anywhere}/**`] : [anywhere]).map((text) => createGlobMatcher(text, { dot }));
  const fits = (path: string) => matchers.some((matches) => matches(path));
  return (printed) =>
    (fits(target.relative(printed)) || fits(target.display(printed))) !== isOut && (!isOut || isSeen(printed));
}

const HIDDEN = /(?:^|\/)\.(?!\/)/;
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

function finish({ end, output }: Search): ToolOutput {
  const note = unreadableNote(end.complaints);
  const isBroken = end.code !== null && end.code > 1 && note === undefined && end.complaints.trim() !== '';
  if (isBroken) throw new ToolwrightError('failed', `The search failed: ${cutEnd(end.complaints.trim(), 600)}`);
  return output(note ? [note] : []);
}
