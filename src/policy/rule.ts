import { ToolwrightError } from '../core/index.ts';

/** One line of a person's rules, read: which tools it is for and which of their calls. */
export interface Rule {
  /** As it was written. */
  readonly text: string;
  /** A tool's name or alias; what names begin with when `isPrefix`. */
  readonly name: string;
  readonly isPrefix: boolean;
  /** What stands in parentheses; absent: every call. */
  readonly specifier?: string;
  /** Where it was written; its decisions are told as of there. */
  readonly scope?: 'session' | 'project' | 'home';
  /** The folder of the settings that it stands in: what a path with `/` at its beginning is relative to. */
  readonly folder?: string;
}

const FORMS =
  'Write tool, tool(specifier), prefix*, mcp__server or *; for example run_bash(git status:*), file_edit(src/**), fetch_webpages(domain:example.org).';

/**
 * Reads `tool`, `tool(specifier)`, `prefix*`, `mcp__server` (all tools of that server) or `*`. Anything else is
 * `invalid_request` and says what is wrong.
 */
export function parseRule(text: string): Rule {
  const line = text.trim();
  if (line === '') throw malformed(text, 'it is empty');
  const open = line.indexOf('(');
  const subject = (open < 0 ? line : line.slice(0, open)).trimEnd();
  const { name, isPrefix } = parseName(text, subject);
  if (open < 0) return { text: line, name, isPrefix };
  if (!line.endsWith(')')) throw malformed(text, 'the closing parenthesis at its end is missing');
  const specifier = line.slice(open + 1, -1).trim();
  if (specifier === '') throw malformed(text, `nothing stands in the parentheses; for every call write ${subject}`);
  if (/^domain:\s*$/.test(specifier)) throw malformed(text, 'no host stands behind domain:');
  return EVERYTHING.has(specifier) ? { text: line, name, isPrefix } : { text: line, name, isPrefix, specifier };
}

const EVERYTHING = new Set(['*', '**', ':*']);

function parseName(text: string, subject: string): Pick<Rule, 'name' | 'isPrefix'> {
  if (subject === '') throw malformed(text, 'no tool name stands before the parenthesis');
  if (subject.includes(')')) throw malformed(text, 'a closing parenthesis has no opening one');
  const name = subject.endsWith('*') ? subject.slice(0, -1) : subject;
  if (name.includes('*')) throw malformed(text, 'in a tool name * may only stand at the end');
  const wrong = /[^a-zA-Z0-9_-]/.exec(name)?.[0];
  if (wrong !== undefined) throw malformed(text, `${JSON.stringify(wrong)} cannot stand in a tool name`);
  if (name !== subject) return { name, isPrefix: true };
  const isServer = /^mcp__(?!.*__)./.test(name);
  return isServer ? { name: `${name}__`, isPrefix: true } : { name, isPrefix: false };
}

function malformed(text: string, what: string): ToolwrightError {
  return new ToolwrightError('invalid_request', `the rule ${JSON.stringify(text)} is malformed: ${what}`, {
    hint: FORMS,
  });
}
