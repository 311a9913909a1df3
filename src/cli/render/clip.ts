/** Cells of a tab stop. */
const TAB = 8;
/** Marks that one sign may carry; more of them would only pile up over the neighbouring lines. */
const MOST_MARKS = 2;
const PLAIN = /^[\x20-\x7e]*$/;
const MARK = /[\p{Mn}\p{Me}\u200b-\u200d\u2060]/u;
/** Drawn two cells wide, or by some terminals so: to take too many is only to cut early, too few would wrap. */
const WIDE =
  /\p{Emoji_Presentation}|[\ufe0f\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6b\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18cff}\u{1aff0}-\u{1b2ff}\u{1f000}-\u{1faff}\u{20000}-\u{3fffd}]/u;

/** One line's beginning, in at most `columns` cells of a terminal; tabs become blanks, a cut is marked. */
export function clip(line: string, columns: number): string {
  if (columns <= 0) return '';
  if (line.length <= columns && PLAIN.test(line)) return line;
  const [first = '', ...rest] = rowsOf(line, columns, 2);
  if (rest.length === 0) return first;
  return `${rowsOf(line, columns - 1, 1)[0] ?? ''}…`;
}

/** One line as the rows of `columns` cells that it fills, the first `most` of them. */
export function rowsOf(line: string, columns: number, most = Number.POSITIVE_INFINITY): string[] {
  const rows: string[] = [];
  let row = '';
  let width = 0;
  let marks = 0;
  for (const sign of line) {
    const isMark = sign !== '\ufe0f' && MARK.test(sign);
    marks = isMark ? marks + 1 : 0;
    if (marks > MOST_MARKS) continue;
    const cells = isMark ? 0 : sign === '\t' ? TAB - (width % TAB) : WIDE.test(sign) ? 2 : 1;
    if (width + cells > columns) {
      rows.push(row);
      if (rows.length === most) return rows;
      row = '';
      width = 0;
      if (sign === '\t') continue;
    }
    row += sign === '\t' ? ' '.repeat(cells) : sign;
    width += cells;
  }
  rows.push(row);
  return rows;
}
