import { createContext, Script } from 'node:vm';
import { cutEnd, cutStart, messageOf, ToolwrightError } from '../../core/index.ts';

const LONGEST_PATTERN = 1_000;
/** What one look may take; a pattern that needs longer is told as bad. */
const MOST_MS = 100;
const MOST_CHARS = 65_536;
const SHOWN_CHARS = 500;

/** Looks for a pattern in text; gives what matched. Throws ToolwrightError `invalid_input` when it takes too long. */
export type LinePattern = (text: string) => string | undefined;

/** `^` and `$` stand at the borders of lines. The pattern is the model's, so each look has a limit of its own. */
export function createLinePattern(source: string): LinePattern {
  if (source.length > LONGEST_PATTERN) refuse(`it is longer than ${LONGEST_PATTERN} characters`);
  const pattern = compile(source);
  const context = createContext(Object.assign(Object.create(null), { pattern, text: '' }));
  const script = new Script('(pattern.exec(text) || [])[0]');
  return (text) => {
    if (text === '') return undefined;
    context['text'] = cutStart(text, MOST_CHARS);
    try {
      const found: unknown = script.runInContext(context, { timeout: MOST_MS });
      return typeof found === 'string' ? cutEnd(found, SHOWN_CHARS) : undefined;
    } catch {
      return refuse(`looking for it takes longer than ${MOST_MS} ms`);
    }
  };
}

function compile(source: string): RegExp {
  try {
    return new RegExp(source, 'mu');
  } catch {
    try {
      return new RegExp(source, 'm');
    } catch (error) {
      return refuse(messageOf(error));
    }
  }
}

function refuse(why: string): never {
  throw new ToolwrightError('invalid_input', `pattern: ${why}.`, {
    hint: 'Give a simple JavaScript regular expression, such as "listening on .*".',
  });
}
