export type JsonPath = readonly (string | number)[];

/** Where the text of a JSON document stops being JSON; undefined when it is whole. */
export function jsonFault(text: string): { readonly line: number; readonly column: number } | undefined {
  const end = walk(text, [], () => {});
  return end === undefined ? undefined : placeAt(text, end);
}

/** The line (from 1) on which the value at a path begins: that of the innermost part of the path that is there. */
export function jsonLine(text: string, path: JsonPath): number {
  let best = 0;
  let depth = -1;
  walk(text, [], (at, offset) => {
    if (at.length <= depth || at.length > path.length || at.some((step, index) => step !== path[index])) return;
    best = offset;
    depth = at.length;
  });
  return placeAt(text, best).line;
}

function placeAt(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}

const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const WORD = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const MOST_DEPTH = 200;

/** Tells every value of the document with its path; gives the offset of the first character that JSON has no place for. */
function walk(text: string, root: JsonPath, tell: (path: JsonPath, offset: number) => void): number | undefined {
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  const space = () => {
    while (/[ \t\r\n]/.test(text.charAt(at))) at++;
  };
  const match = (pattern: RegExp) => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found !== undefined) at += found.length;
    return found;
  };
  const eat = (char: string) => {
    space();
    if (text.charAt(at) !== char) return false;
    at++;
    return true;
  };
  const members = (path: JsonPath, end: string, member: (index: number) => boolean): boolean => {
    if (eat(end)) return true;
    for (let index = 0; ; index++) {
      if (!member(index)) return false;
      if (eat(end)) return true;
      if (path.length > MOST_DEPTH || !eat(',')) return false;
    }
  };
  const value = (path: JsonPath, shownAt?: number): boolean => {
    space();
    tell(path, shownAt ?? at);
    if (eat('{')) {
      return members(path, '}', () => {
        space();
        const start = at;
        const key = match(STRING);
        return key !== undefined && eat(':') && value([...path, JSON.parse(key) as string], start);
      });
    }
    if (eat('[')) return members(path, ']', (index) => value([...path, index]));
    return match(STRING) !== undefined || match(WORD) !== undefined;
  };
  if (!value(root)) return at;
  space();
  return at < text.length ? at : undefined;
}
