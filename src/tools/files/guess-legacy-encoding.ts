export interface LegacyGuess {
  /** `utf-8` when the bytes are UTF-8 but for a few. */
  readonly name: string;
  readonly certain: boolean;
}

const SAMPLE = 65_536;
/** Fewer bytes above ASCII say too little of an East Asian encoding, whatever the statistics say. */
const FEW = 24;
const MULTI_BYTE = new Set(['Shift_JIS', 'GB18030', 'EUC-JP', 'EUC-KR', 'Big5']);

/**
 * Which encoding bytes have that are not UTF-8. Certain only when there is enough to judge by: with few
 * characters a wrong guess is likely, and text written by it would be bent.
 */
export async function guessLegacyEncoding(bytes: Uint8Array): Promise<LegacyGuess> {
  const sample = telltaleLines(bytes);
  if (isSpoiltUtf8(sample)) return { name: 'utf-8', certain: true };
  if (isAccentedLatin(sample)) return { name: 'windows-1252', certain: true };
  const { analyse } = await import('chardet');
  const matches = analyse(sample).filter(({ name }) => !/^(UTF|ISO-2022|ASCII)/.test(name));
  const [first] = matches;
  if (first && MULTI_BYTE.has(first.name) && first.confidence >= 60) {
    const rival = matches.find(({ name }) => name !== first.name && MULTI_BYTE.has(name));
    const clear = first.confidence >= 70 && first.confidence - (rival?.confidence ?? 0) >= 10;
    return { name: first.name, certain: clear && countHigh(sample) >= FEW };
  }
  const short = shortEastAsian(sample);
  if (short) return short;
  const single = matches.find(({ name }) => !MULTI_BYTE.has(name));
  if (!single) return { name: 'windows-1252', certain: false };
  const second = matches.find(({ name }) => name !== single.name);
  const much = countHigh(sample) >= 60 && !/^(ISO-8859-1|windows-1252)$/.test(single.name);
  return {
    name: single.name,
    certain: much && single.confidence >= 40 && single.confidence >= 2 * (second?.confidence ?? 0),
  };
}

const isHigh = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x80;

const countHigh = (bytes: Uint8Array) => bytes.reduce((sum, byte) => sum + (byte >= 0x80 ? 1 : 0), 0);

/** The lines that hold more than ASCII: only they tell anything. */
function telltaleLines(bytes: Uint8Array): Uint8Array {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const lines: Uint8Array[] = [];
  let size = 0;
  for (let start = 0; start < buffer.length && size < SAMPLE; ) {
    const found = buffer.indexOf(10, start);
    const end = Math.min(found < 0 ? buffer.length : found + 1, start + SAMPLE);
    const line = buffer.subarray(start, end);
    if (line.some(isHigh)) {
      lines.push(line);
      size += line.length;
    }
    start = end;
  }
  return Buffer.concat(lines);
}

/** UTF-8 but for a few bytes: the sequences that are valid are many more than the bytes that are not. */
function isSpoiltUtf8(bytes: Uint8Array): boolean {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  const spoilt = text.split('\ufffd').length - 1;
  const good = text.replace(/[\0-\x7f\ufffd]/g, '').length;
  return good >= 4 && good >= 4 * spoilt;
}

/** Western European text: every byte above ASCII is a letter by itself, beside a plain letter. */
function isAccentedLatin(bytes: Uint8Array): boolean {
  const isLetter = (byte: number | undefined) => byte !== undefined && (byte | 32) >= 97 && (byte | 32) <= 122;
  let found = false;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] as number;
    if (byte < 0x80) continue;
    const before = bytes[i - 1];
    const after = bytes[i + 1];
    if (byte < 0xc0 || isHigh(before) || isHigh(after) || !(isLetter(before) || isLetter(after))) return false;
    found = true;
  }
  return found;
}

/** Japanese, Chinese or Korean text too short for statistics, told by which pairs of bytes it is made of. */
function shortEastAsian(bytes: Uint8Array): LegacyGuess | undefined {
  let kana = 0;
  let japanese = 0;
  for (let i = 0; i < bytes.length; i++) {
    const lead = bytes[i] as number;
    if (lead < 0x80 || (lead >= 0xa1 && lead <= 0xdf)) continue;
    const trail = bytes[++i] ?? 0;
    if (trail < 0x40 || trail === 0x7f || trail > 0xfc) japanese = Number.NEGATIVE_INFINITY;
    japanese++;
    if ((lead === 0x82 && trail >= 0x9f && trail <= 0xf1) || (lead === 0x83 && trail <= 0x96)) kana++;
  }
  if (kana >= 2 && kana * 3 >= japanese && japanese > 0) return { name: 'Shift_JIS', certain: kana >= 4 };
  return pairsOf(bytes);
}

/** Characters of two high bytes each, from the commonest rows. */
function pairsOf(bytes: Uint8Array): LegacyGuess | undefined {
  let pairs = 0;
  let common = 0;
  let hangul = 0;
  for (let i = 0; i < bytes.length; i++) {
    const lead = bytes[i] as number;
    if (lead < 0x80) continue;
    const trail = bytes[++i] ?? 0;
    if (lead < 0xa1 || trail < 0xa1) return undefined;
    pairs++;
    if (lead >= 0xb0 && lead <= 0xd7) common++;
    if (lead >= 0xb0 && lead <= 0xc8) hangul++;
  }
  if (pairs < 2 || common < pairs * 0.7) return undefined;
  return { name: pairs >= 6 && hangul === common ? 'EUC-KR' : 'GB18030', certain: false };
}
