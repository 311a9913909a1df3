import { type AnySchema, cutEnd, isObject } from '../core/index.ts';
import { describeShape } from './describe-shape.ts';
import type { Issue } from './issue.ts';
import { printable } from './validate-value.ts';

const MOST_ISSUES = 10;
const MOST_FIELDS = 30;
const MOST_LINE = 400;
const MOST_TEXT = 4_000;

/**
 * What is wrong with a call's input and what would be right, for the model: a line for each fault with its
 * field, then the fields that the tool takes.
 */
export function describeIssues(toolName: string, issues: readonly Issue[], schema: AnySchema): string {
  const lines = issues.slice(0, MOST_ISSUES).map((issue) => cutLine(`- ${dotted(issue.path)}: ${issue.message}`));
  if (issues.length > MOST_ISSUES) lines.push(`- and ${issues.length - MOST_ISSUES} more`);
  const text = [`The input of ${toolName} is not valid:`, ...lines, fieldsLine(schema)].filter(Boolean).join('\n');
  return cutEnd(text, MOST_TEXT);
}

const cutLine = (line: string) => (line.length > MOST_LINE ? `${cutEnd(line, MOST_LINE)}…` : line);

/** `/todos/0/id` as a person would write it: `todos[0].id`. */
function dotted(pointer: string): string {
  if (pointer === '') return 'the input';
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((step, index) => (/^\d+$/.test(step) ? `[${step}]` : index === 0 ? step : `.${step}`))
    .join('');
}

function fieldsLine(schema: AnySchema): string {
  const json = printable(schema);
  const properties = json?.['properties'];
  if (!isObject(properties)) return '';
  const required: unknown[] = Array.isArray(json?.['required']) ? json['required'] : [];
  const fields = Object.entries(properties).map(
    ([name, inner]) => `${name} (${describeShape(inner, 1)}${required.includes(name) ? ', required' : ''})`,
  );
  if (fields.length === 0) return 'It takes no fields.';
  const more = fields.length > MOST_FIELDS ? ` and ${fields.length - MOST_FIELDS} more` : '';
  return cutEnd(`It takes: ${fields.slice(0, MOST_FIELDS).join('; ')}${more}.`, 2_000);
}
