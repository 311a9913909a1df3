import { ToolwrightError } from '../../core/index.ts';
import { explainNoMatch } from './explain-no-match.ts';
import { findMatches, lineNumbers, MOST_PLACES } from './find-matches.ts';
import { normalText, withLineFeeds } from './normal-text.ts';
import { replaceText } from './replace-text.ts';
import { type TextFile, textFileOf } from './text-file.ts';

export interface Edit {
  readonly old_string: string;
  readonly new_string: string;
  readonly replace_all?: boolean | undefined;
}

export interface AppliedEdit {
  readonly file: TextFile;
  readonly replacements: number;
}

/** Places that are listed when old_string stands more than once. */
const MOST_LISTED = 20;
const LISTED_CHARS = 100;

/** One edit of a text, exact or refused. `label` says which one of several it is. */
export function applyEdit(file: TextFile, edit: Edit, shown: string, label = ''): AppliedEdit {
  const fail = (message: string, hint: string, reason: string): never => {
    throw new ToolwrightError('failed', `${label}${message} Nothing was changed.`, { hint, data: { reason } });
  };
  const old = withLineFeeds(edit.old_string);
  if (old === withLineFeeds(edit.new_string)) {
    const other = edit.old_string === edit.new_string ? '' : ' but for line endings, which are always kept';
    fail(`old_string and new_string are the same${other}.`, 'Give the text as it is and as it shall be.', 'same');
  }
  if (old === '') {
    if (file.text !== '') {
      fail(
        `old_string is empty, but ${shown} is not.`,
        'Give the text to replace; to write the whole file use file_write.',
        'empty_old',
      );
    }
    const bytes = file.codec.encode(edit.new_string) ?? Buffer.from(edit.new_string);
    return { file: textFileOf(Buffer.concat([file.bytes, bytes]), file.encoding, file.codec), replacements: 1 };
  }
  const normal = normalText(file.text);
  const { apart, places } = findMatches(normal.text, old, edit.replace_all === true);
  if (places.length === 0) {
    const { message, hint } = explainNoMatch(normal.text, edit.old_string, shown);
    fail(message, hint, 'no_match');
  }
  if (places.length > 1 && edit.replace_all !== true) {
    fail(
      `old_string stands ${places.length >= MOST_PLACES ? `at least ${MOST_PLACES}` : places.length} times in ${shown}:\n${listPlaces(normal.text, places)}\n`,
      'Add lines around it to old_string so that it fits one place only, or set replace_all to true.',
      'ambiguous',
    );
  }
  const replaced = replaceText(file, normal, apart, old, edit.new_string);
  if ('refused' in replaced) {
    return fail(
      `${shown} cannot be edited here without being bent: ${replaced.refused}.`,
      'Convert the file to UTF-8 first if that is wanted (run_bash with iconv), or change only ASCII text.',
      'encoding',
    );
  }
  return { file: replaced.file, replacements: apart.length };
}

function listPlaces(text: string, places: readonly number[]): string {
  const listed = places.slice(0, MOST_LISTED);
  const lines = lineNumbers(text, listed).map((line, index) => {
    const place = listed[index] as number;
    const start = text.lastIndexOf('\n', place - 1) + 1;
    const end = text.indexOf('\n', place);
    const whole = text.slice(place > 0 ? start : 0, end < 0 ? undefined : end);
    return `  line ${line}: ${whole.length > LISTED_CHARS ? `${whole.slice(0, LISTED_CHARS)}…` : whole}`;
  });
  if (places.length > listed.length) lines.push(`  … and ${places.length - listed.length} more`);
  return lines.join('\n');
}
