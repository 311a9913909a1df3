import type { TextEncoding } from './text-encoding.ts';

/** Text from bytes and back, one encoding. */
export interface Codec {
  /** Bytes of a line feed or any other unit: 2 in UTF-16. */
  readonly unit: 1 | 2;
  decode(bytes: Uint8Array): string;
  /** Undefined when the encoding has no way to write the text. */
  encode(text: string): Buffer | undefined;
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

const UTF_8_CODEC: Codec = {
  unit: 1,
  decode: (bytes) => utf8.decode(bytes),
  encode: (text) => Buffer.from(text, 'utf8'),
};

const bufferOf = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const UTF_16_LE: Codec = {
  unit: 2,
  decode: (bytes) => bufferOf(bytes).toString('utf16le'),
  encode: (text) => Buffer.from(text, 'utf16le'),
};

const UTF_16_BE: Codec = {
  unit: 2,
  decode: (bytes) =>
    Buffer.from(bytes.subarray(0, bytes.length & ~1))
      .swap16()
      .toString('utf16le'),
  encode: (text) => Buffer.from(text, 'utf16le').swap16(),
};

/** The codec of an encoding; those of legacy encodings are loaded when one is met. */
export async function codecFor(encoding: TextEncoding): Promise<Codec> {
  if (encoding.name === 'utf-8') return UTF_8_CODEC;
  if (encoding.name === 'utf-16le') return UTF_16_LE;
  if (encoding.name === 'utf-16be') return UTF_16_BE;
  const { default: iconv } = await import('iconv-lite');
  const name = iconv.encodingExists(encoding.name) ? encoding.name : 'windows-1252';
  const decode = (bytes: Uint8Array) => iconv.decode(bufferOf(bytes), name, { stripBOM: false });
  return {
    unit: 1,
    decode,
    encode(text) {
      const bytes = iconv.encode(text, name);
      return decode(bytes) === text ? bytes : undefined;
    },
  };
}
