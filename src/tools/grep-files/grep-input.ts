import { z } from 'zod';

export const DEFAULT_LIMIT = 200;
/** The highest limit. */
export const MOST = 5_000;
const lines = (what: string) => z.number().int().min(0).max(100).optional().describe(what);
/** The names that other agents' search tools have for the modes. */
const MODES: Readonly<Record<string, string>> = { files_with_matches: 'files', file: 'files', counts: 'count' };

export const grepInput = z.strictObject({
  pattern: z.string().min(1).describe('A regular expression, or plain text with literal: true.'),
  path: z.string().optional().describe('A file or folder, taken literally. Default: the working folder.'),
  glob: z
    .string()
    .min(1)
    .optional()
    .describe('Only files whose path fits, such as *.ts, src/**/*.{js,ts} or !*.test.ts.'),
  type: z
    .string()
    .regex(/^[a-z0-9]+$/)
    .optional()
    .describe("Only files of one of ripgrep's types, such as ts, py, md."),
  output_mode: z
    .preprocess(
      (mode) => (typeof mode === 'string' ? (MODES[mode] ?? mode) : mode),
      z.enum(['content', 'files', 'count']),
    )
    .optional()
    .describe('content: the matching lines (default). files: only the paths. count: matching lines for each file.'),
  literal: z.boolean().optional().describe('Take the pattern as plain text. Default false.'),
  case_insensitive: z.boolean().optional().describe('Default false.'),
  multiline: z
    .boolean()
    .optional()
    .describe('Let a match span lines, and . fit line ends. Default: only when the pattern holds a line feed.'),
  before: lines('Lines to show before each match.'),
  after: lines('Lines to show after each match.'),
  context: lines('Lines to show before and after each match.'),
  hidden: z.boolean().optional().describe('Search files whose name begins with a dot too. Default false.'),
  limit: z
    .number()
    .int()
    .min(1)
    .max(MOST)
    .optional()
    .describe(`Matching lines (content) or files (files, count) at the most. Default ${DEFAULT_LIMIT}.`),
});

export type GrepInput = z.output<typeof grepInput>;
