import { z } from 'zod';
import { ToolwrightError } from '../../core/index.ts';
import type { Edit } from '../files/apply-edit.ts';
import { requireWellFormed } from '../files/well-formed.ts';

const MOST_EDITS = 200;

const oldString = z.string().describe('The text to replace, exactly as it is in the file.');
const newString = z.string().describe('The text to put in its place, taken as it is.');
const replaceAll = z.boolean().optional().describe('Replace every place, not only a single one. Default false.');

export const editInput = z.strictObject({
  path: z.string().describe('The file: relative to the working folder, or absolute.'),
  old_string: oldString.optional(),
  new_string: newString.optional(),
  replace_all: replaceAll,
  edits: z
    .array(z.strictObject({ old_string: oldString, new_string: newString, replace_all: replaceAll }))
    .max(MOST_EDITS)
    .optional()
    .describe('Several edits of this file, in place of old_string and new_string.'),
});

export type EditInput = z.output<typeof editInput>;

/** The edits of an input, which has them in one of two forms. */
export function editsOf({ old_string, new_string, replace_all, edits }: EditInput): Edit[] {
  const hasOne = old_string !== undefined || new_string !== undefined || replace_all !== undefined;
  if (edits !== undefined && edits.length > 0 && hasOne) {
    throw invalid('edits stands beside old_string, new_string or replace_all; only one form can be meant.');
  }
  const list = edits !== undefined && edits.length > 0 ? edits : [single(old_string, new_string, replace_all)];
  for (const edit of list) {
    requireWellFormed('old_string', edit.old_string);
    requireWellFormed('new_string', edit.new_string);
  }
  return list;
}

function single(old: string | undefined, next: string | undefined, all: boolean | undefined): Edit {
  if (old === undefined) throw invalid('old_string is missing.');
  if (next === undefined) throw invalid('new_string is missing (give "" to take the text out).');
  return { old_string: old, new_string: next, replace_all: all };
}

function invalid(message: string): ToolwrightError {
  return new ToolwrightError('invalid_input', message, {
    hint: 'Give path, old_string and new_string; or path and edits: [{old_string, new_string}].',
  });
}
