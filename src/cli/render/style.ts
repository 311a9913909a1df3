import { stripVTControlCharacters } from 'node:util';
import picocolors from 'picocolors';

export type Style = ReturnType<typeof picocolors.createColors>;

export function createStyle(hasColor: boolean): Style {
  return picocolors.createColors(hasColor);
}

/** Foreign text made harmless for a terminal: no escape sequences, no control characters but tab and line end. */
export function harmless(text: string): string {
  return stripVTControlCharacters(text)
    .replace(/\r\n?/g, '\n')
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '');
}

/** One line of at most `width` characters. */
export function oneLine(text: string, width: number): string {
  const line = harmless(text).replace(/\s+/g, ' ').trim();
  return line.length > width ? `${line.slice(0, Math.max(0, width - 1))}…` : line;
}
