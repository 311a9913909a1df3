const MARK = '\u0001json:';
const INEXACT = /\0|\p{Surrogate}/u;

/**
 * A text as a database column can hold it. A NUL and half of a surrogate pair have no place in UTF-8
 * text columns, so a text with one is kept as marked JSON; any other text is kept as it is.
 * Different texts stay different.
 */
export function toColumn(text: string): string {
  return INEXACT.test(text) || text.startsWith(MARK) ? MARK + JSON.stringify(text) : text;
}

/** The way back from `toColumn`. */
export function fromColumn(column: string): string {
  return column.startsWith(MARK) ? (JSON.parse(column.slice(MARK.length)) as string) : column;
}
