import { z } from 'zod';

/** With nobody to keep a command after its call, it ends after this time unless it says otherwise. */
export const DEFAULT_LIMIT_MS = 120_000;
export const DEFAULT_BLOCK_MS = 30_000;
const LONGEST_BLOCK_MS = 600_000;
const LONGEST_LIMIT_MS = 86_400_000;
/** What the executor waits longer than a tool's own limit: the tool ends the tree and reports. */
export const REPORT_MS = 5_000;

/** How long a shell tool may wait inside of its call. */
export const blockMs = (byDefault: number) =>
  z
    .number()
    .int()
    .min(0)
    .max(LONGEST_BLOCK_MS)
    .optional()
    .describe(`Milliseconds to wait for its end. Default ${byDefault}, at most ${LONGEST_BLOCK_MS}.`);

export const runBashInput = z.strictObject({
  command: z.string().min(1).describe('Run by bash -c, so pipes, here-documents and several lines work.'),
  cwd: z.string().optional().describe('The folder to run in. Default: the working folder.'),
  env: z.record(z.string(), z.string()).optional().describe('Variables to add to the environment.'),
  timeout_ms: z
    .number()
    .int()
    .min(1)
    .max(LONGEST_LIMIT_MS)
    .optional()
    .describe('Ends the command and all that it started after so many milliseconds, in the background too.'),
  block_until_ms: blockMs(DEFAULT_BLOCK_MS),
  background: z.boolean().optional().describe('Do not wait at all: the command goes on in the background.'),
});

export type RunBashInput = z.output<typeof runBashInput>;
