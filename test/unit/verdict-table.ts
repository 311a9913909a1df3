import type { PolicyOptions } from '../../src/policy/index.ts';

/** Shell lines under some rules and the verdict on each; `⏎` stands for a line end. */
export interface VerdictTable {
  readonly about: string;
  readonly rules: PolicyOptions;
  readonly allow?: readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
}

/** Rules for shell lines. */
export const bash = (...specifiers: string[]) => specifiers.map((specifier) => `run_bash(${specifier})`);
/** A line each; `´` is a backquote and `§{` begins an expansion, which a template would take for its own. */
export const lines = (text: string) =>
  text
    .trim()
    .replaceAll('´', '`')
    .replaceAll('§{', '$' + '{')
    .split('\n')
    .map((line) => line.trim());
