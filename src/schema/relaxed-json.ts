import { cutEnd, type Json } from '../core/index.ts';

export type RelaxedJson =
  | { readonly ok: true; readonly value: Json; readonly mended: readonly string[] }
  | { readonly ok: false; readonly at: number; readonly problem: string };

const WORDS: Readonly<Record<string, string>> = {
  true: 'true',
  false: 'false',
  null: 'null',
  True: 'true',
  False: 'false',
  None: 'null',
};
const BLANK = /[\s\ufeff]+/y;
const COMMENT = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|#[^\n]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])/y;
const WORD = /[A-Za-z_$][\w$-]*/y;
const PLAIN = /[^"'\\\u0000-\u001f]+/y;

/**
 * Reads text that is JSON but for its dress: a code fence around it, comments, commas before a closing
 * bracket, single quotes, bare keys, Python's literals, raw line ends and unknown escapes in strings. The
 * text is written anew as strict JSON token by token, so that nothing can be added that was not there:
 * what is not closed, not separated or not quoted is refused with its place.
 */
export function readRelaxedJson(text: string): RelaxedJson {
  const mended = new Set<string>();
  const out: string[] = [];
  const open: string[] = [];
  const start = /^[\s\ufeff]*```[\w-]*[ \t]*(?:\r?\n|(?=[{[]))/.exec(text)?.[0].length ?? 0;
  const trimmed = start > 0 ? text.trimEnd() : text;
  const end = start > 0 && trimmed.length >= start + 3 && trimmed.endsWith('```') ? trimmed.length - 3 : text.length;
  if (start > 0) mended.add('code fence removed');
  let at = start;
  let before: 'start' | 'open' | 'comma' | 'colon' | 'key' | 'value' = 'start';

  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    return found !== undefined && at + found.length <= end ? found : undefined;
  };
  const fail = (problem: string, where = at): RelaxedJson => ({ ok: false, at: where, problem });

  while (at < end) {
    const blank = match(BLANK);
    if (blank !== undefined) {
      at += blank.length;
      continue;
    }
    const comment = match(COMMENT);
    if (comment !== undefined) {
      mended.add('comment removed');
      at += comment.length;
      continue;
    }
    const char = text[at] as string;
    const inObject = open.at(-1) === '}';
    if (before === 'value' && open.length === 0) return fail(`unexpected text after the end of the value`);
    if (char === '}' || char === ']') {
      if (open.at(-1) !== char) return fail(`unexpected "${char}"`);
      if (before === 'comma') {
        out.pop();
        mended.add('trailing comma removed');
      } else if (before !== 'open' && before !== 'value') return fail(`a value is missing before "${char}"`);
      open.pop();
      out.push(char);
      before = 'value';
      at++;
      continue;
    }
    if (char === ',') {
      if (before !== 'value') return fail('unexpected ","');
      out.push(',');
      before = 'comma';
      at++;
      continue;
    }
    if (char === ':') {
      if (before !== 'key') return fail('unexpected ":"');
      out.push(':');
      before = 'colon';
      at++;
      continue;
    }
    if (before === 'value') return fail(`"," or a closing bracket is missing`);
    if (before === 'key') return fail('":" is missing');
    const isKey: boolean = inObject && before !== 'colon';
    if (char === '{' || char === '[') {
      if (isKey) return fail(`a key is missing before "${char}"`);
      open.push(char === '{' ? '}' : ']');
      out.push(char);
      before = 'open';
      at++;
      continue;
    }
    if (char === '"' || char === "'") {
      const string = readString(text, at, end, mended);
      if (string === undefined) return fail('a string is never closed');
      out.push(string.json);
      at = string.next;
    } else {
      const word = match(WORD);
      const number = word === undefined && !isKey ? match(NUMBER) : undefined;
      if (number !== undefined) out.push(number);
      else if (word !== undefined && isKey) {
        out.push(JSON.stringify(word));
        mended.add('keys quoted');
      } else if (word !== undefined && Object.hasOwn(WORDS, word)) {
        const literal = WORDS[word] as string;
        if (literal !== word) mended.add('Python literals');
        out.push(literal);
      } else return fail(`unexpected ${JSON.stringify(cutEnd(word ?? char, 30))}`);
      at += (word ?? number ?? '').length;
    }
    before = isKey ? 'key' : 'value';
  }
  if (open.length > 0) return fail(`the text ends where "${open.at(-1)}" is missing, so it seems cut off`);
  if (before === 'start') return fail('there is no value');
  return {
    ok: true,
    value: JSON.parse(out.join('')) as Json,
    mended: mended.size > 0 ? [...mended] : ['blanks that JSON has not'],
  };
}

function readString(
  text: string,
  start: number,
  end: number,
  mended: Set<string>,
): { readonly json: string; readonly next: number } | undefined {
  const quote = text[start] as string;
  if (quote === "'") mended.add('single quotes');
  let json = '"';
  let at = start + 1;
  while (at < end) {
    PLAIN.lastIndex = at;
    const plain = PLAIN.exec(text)?.[0];
    if (plain !== undefined) {
      json += plain;
      at += plain.length;
      continue;
    }
    const char = text[at] as string;
    if (char === quote) return { json: `${json}"`, next: at + 1 };
    if (char === '\\') {
      const known = /^\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/.exec(text.slice(at, at + 6))?.[0];
      if (known !== undefined) {
        json += known;
        at += known.length;
      } else if (text[at + 1] === "'") {
        json += "'";
        if (quote === '"') mended.add("escaped ' read as '");
        at += 2;
      } else {
        json += '\\\\';
        mended.add('unknown escapes kept as written');
        at++;
      }
      continue;
    }
    if (char === '"') json += '\\"';
    else if (char === "'") json += char;
    else {
      json += JSON.stringify(char).slice(1, -1);
      mended.add('raw control characters escaped');
    }
    at++;
  }
  return undefined;
}
