import { ToolwrightError } from '../core/index.ts';

/** A line of policy: which tools, and for which of their calls. */
export interface Rule {
  /** As it was written. */
  readonly text: string;
  /** A canonical name or an alias, a prefix with `*` at its end, or `*`. */
  readonly tool: string;
  /** What stands between the brackets; absent: every call. */
  readonly specifier?: string;
}

const TOOL = /^(\*|[a-zA-Z0-9_-]+\*?)$/;

/**
 * Reads `tool`, `tool(specifier)`, `prefix*` or `*`; `mcp__server` stands for all of that server's tools.
 * Throws ToolwrightError `invalid_request` for anything else.
 */
export function parseRule(text: string): Rule {
  const written = text.trim();
  const open = written.indexOf('(');
  const tool = open < 0 ? written : written.slice(0, open);
  if (!TOOL.test(tool)) throw malformed(text, tool === '' ? 'it names no tool' : `"${tool}" is not a tool's name`);
  const pattern = /^mcp__[a-zA-Z0-9-]+(?:_[a-zA-Z0-9-]+)*$/.test(tool) ? `${tool}__*` : tool;
  if (open < 0) return { text: written, tool: pattern };
  if (!written.endsWith(')')) throw malformed(text, 'its bracket is not closed');
  const specifier = written.slice(open + 1, -1).trim();
  if (specifier === '') throw malformed(text, 'its brackets are empty');
  return specifier === '*' ? { text: written, tool: pattern } : { text: written, tool: pattern, specifier };
}

function malformed(text: string, problem: string): ToolwrightError {
  return new ToolwrightError('invalid_request', `"${text}" is not a rule: ${problem}.`, {
    hint: 'Write a rule as tool, tool(what), prefix* or *; for example run_bash(git status:*), file_edit(src/**), mcp__github__*.',
  });
}
