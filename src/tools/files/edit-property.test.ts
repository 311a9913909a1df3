import { isUtf8 } from 'node:buffer';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { expect } from 'vitest';
import { verifies } from '../../../test/verifies.ts';
import { isToolwrightError } from '../../core/index.ts';
import { applyEdit } from './apply-edit.ts';
import { openText } from './open-for-edit.ts';

/** Generated files; raise it for a long search, and set the seed to see one again. */
const FILES = Number(process.env['TOOLWRIGHT_TEST_EDIT_FILES'] ?? 3_000);
const SEED = 20_261_130;

interface Encoding {
  readonly name: string;
  readonly mark?: string;
  readonly letters: readonly string[];
}

const ASCII = ['a', 'b', 'foo', ' ', '\t', '$&', '$1', '\\', '"', '|', '~', '@', '0', '9', '{', '}', 'x = 1;'];
const JAPANESE = 'あいうのはがをアイウテスト日本語設定表示能ソ'.split('');
const CHINESE = '的一是不了人我在有他这中大来上国编辑文件測試設定'.split('');
const LATIN = ['é', 'ü', 'ß', 'ñ', 'café', 'Ä', '©', '°'];
const ANY = [...JAPANESE, ...CHINESE, ...LATIN, '😀', '\u2028', '\u00a0', '\ufeff', 'e\u0301', '\f', '\r'];

const ENCODINGS: readonly Encoding[] = [
  { name: 'utf8', letters: ANY },
  { name: 'utf8', mark: '\ufeff', letters: ANY },
  { name: 'utf16le', mark: '\ufeff', letters: ANY },
  { name: 'utf16be', mark: '\ufeff', letters: ANY },
  { name: 'latin1', letters: LATIN },
  { name: 'windows-1251', letters: [...'абвгдежзийклмнопрстуфхцчшщыэюя'] },
  { name: 'shift_jis', letters: JAPANESE },
  { name: 'euc-jp', letters: JAPANESE },
  { name: 'gb18030', letters: [...CHINESE, '€', '\u0dda'] },
  { name: 'gbk', letters: CHINESE },
  { name: 'big5', letters: [...'的一是不了人我在有他這中大來上國編輯文件測試設定功許蓋'] },
  { name: 'euc-kr', letters: [...'가나다라마바사아자차카타파하한국어설정파일'] },
];

const UTF_8 = ENCODINGS[0] as Encoding;
const isAscii = (text: string) => /^[\x00-\x7f]*$/.test(text);
const isLegacy = ({ name, mark }: Encoding) => mark === undefined && name !== 'utf8';

const encode = (text: string, { name, mark = '' }: Encoding) => iconv.encode(mark + text, name, { addBOM: false });

interface Sample {
  readonly encoding: Encoding;
  readonly text: string;
  readonly old: string;
  readonly next: string;
  readonly all: boolean;
  /** The file's endings as the model sees them. */
  readonly seen: boolean;
}

const samples: fc.Arbitrary<Sample> = fc
  .record({ encoding: fc.constantFrom(...ENCODINGS), dense: fc.boolean() })
  .chain(({ encoding, dense }) => {
    const letters = dense ? [...encoding.letters, ' ', 'a'] : [...ASCII, ...ASCII, ...encoding.letters];
    const word = fc.array(fc.constantFrom(...letters), { maxLength: 12 }).map((parts) => parts.join(''));
    const ending = fc.constantFrom(['\n'], ['\r\n'], ['\n', '\r\n']).chain((kinds) => fc.constantFrom(...kinds));
    const text = fc
      .tuple(fc.array(fc.tuple(word, ending), { maxLength: 30 }), word)
      .map(([rows, last]) => rows.map(([row, end]) => row + end).join('') + last);
    const next = fc.array(fc.constantFrom(...letters, ...ASCII, '\n', '\r\n'), { maxLength: 6 });
    return fc
      .record({
        text,
        next,
        from: fc.double({ min: 0, max: 1, noNaN: true }),
        size: fc.nat({ max: 12 }),
        all: fc.boolean(),
        seen: fc.boolean(),
      })
      .map(({ text, next, from, size, all, seen }) => {
        const points = [...text];
        const start = Math.floor(from * points.length);
        const old = points.slice(start, start + size + 1).join('');
        // A file that holds nothing but ASCII says nothing of its encoding; what is added to it is UTF-8.
        const told = isAscii(text) && isLegacy(encoding) ? UTF_8 : encoding;
        return { encoding: told, text, old: seen ? old.replaceAll('\r\n', '\n') : old, next: next.join(''), all, seen };
      });
  });

const normal = (text: string) => text.replaceAll('\r\n', '\n');

/** Carriage returns that stand beside a line feed only after the edit are one ending. */
const flat = (text: string) => text.replace(/\r+\n/g, '\n');

/** All texts that an edit may leave behind, endings apart; undefined when it must not succeed. */
function expected({ text, old, next, all }: Sample): string | undefined {
  const [t, o, n] = [normal(text), normal(old), normal(next)];
  if (o === '') return t === '' ? n : undefined;
  const parts = t.split(o);
  if (parts.length < 2) return undefined;
  if (!all) return t.indexOf(o, t.indexOf(o) + 1) >= 0 ? undefined : parts.join(n);
  return parts.join(n);
}

/** Bytes of the file that are before the first and behind the last place of the match, by the true encoding. */
function outside(sample: Sample): { before: Buffer; after: Buffer } {
  const { text, old, encoding } = sample;
  const t = normal(text);
  const o = normal(old);
  const raw = (index: number) => {
    let at = 0;
    for (let i = 0; i < index; i++) at += text.startsWith('\r\n', at) ? 2 : 1;
    return at;
  };
  const first = t.indexOf(o);
  const parts = t.split(o);
  const last = t.length - (parts.at(-1) as string).length;
  return {
    before: encode(text.slice(0, raw(first)), encoding),
    after: encode(text.slice(raw(last)), { ...encoding, mark: '' }),
  };
}

verifies(
  'edit/bytes',
  `${FILES} generated files`,
  async () => {
    const ends = { done: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(samples, async (sample) => {
        fc.pre(sample.encoding.mark !== undefined || !sample.text.startsWith('\ufeff'));
        const bytes = encode(sample.text, sample.encoding);
        // Bytes that are right UTF-8 by chance are UTF-8 to everybody.
        fc.pre(!isLegacy(sample.encoding) || !isUtf8(bytes) || isAscii(sample.text));
        const edit = { old_string: sample.old, new_string: sample.next, replace_all: sample.all };
        let result: Buffer;
        try {
          const file = await openText({ bytes, hash: '', stat: STAT }, 'f');
          result = applyEdit(file, edit, 'f').file.bytes;
        } catch (error) {
          if (!isToolwrightError(error)) throw error;
          ends.refused++;
          return;
        }
        ends.done++;
        const wanted = expected(sample);
        const { before, after } =
          sample.old === '' ? { before: Buffer.alloc(0), after: Buffer.alloc(0) } : outside(sample);
        expect(result.subarray(0, before.length).equals(before)).toBe(true);
        expect(result.subarray(result.length - after.length).equals(after)).toBe(true);
        const { name, mark = '' } = sample.encoding;
        const text = iconv.decode(result, name, { stripBOM: false });
        expect(flat(text)).toBe(mark + flat(wanted ?? 'it must not succeed'));
        expect(encode(text.slice(mark.length), sample.encoding).equals(result)).toBe(true);
        // A lone carriage return is text; beside a line feed it makes an ending that nobody chose.
        if (/\r(?!\n)/.test(sample.text + sample.next)) return;
        if (!sample.text.includes('\r\n') && sample.text.includes('\n')) expect(text).not.toContain('\r\n');
        if (sample.text.includes('\r\n') && !/(^|[^\r])\n/.test(sample.text)) expect(text).not.toMatch(/(^|[^\r])\n/);
      }),
      { numRuns: FILES, seed: SEED },
    );
    expect(ends.done).toBeGreaterThan(FILES / 4);
  },
  600_000,
);

const STAT = { kind: 'file', size: 0, mtimeNs: 0n, ctimeNs: 0n, mode: 0o644 } as const;
