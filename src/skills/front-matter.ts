/** A SKILL.md taken apart. Lines are counted from 1. */
export interface SkillText {
  /** What stands between the two lines of dashes; absent when there are none. */
  readonly yaml?: string;
  readonly yamlLine: number;
  readonly body: string;
  readonly bodyLine: number;
  /** False: the front matter begins and never ends. */
  readonly isClosed: boolean;
}

const DASHES = /^---[ \t]*$/;

/** The text without byte order marks, its lines ended by `\n`. */
const plainText = (text: string): string => text.replace(/^\uFEFF+/, '').replace(/\r\n?/g, '\n');

/** Takes front matter and body apart. Blank lines may stand before the first dashes; later dashes are the body's. */
export function splitFrontMatter(text: string): SkillText {
  const lines = plainText(text).split('\n');
  const first = lines.findIndex((line) => line.trim() !== '');
  if (first < 0 || !DASHES.test(lines[first] ?? '')) {
    return { yamlLine: 1, body: lines.join('\n'), bodyLine: 1, isClosed: true };
  }
  const yamlLine = first + 2;
  const end = lines.findIndex((line, index) => index > first && DASHES.test(line));
  if (end < 0) {
    return { yaml: lines.slice(first + 1).join('\n'), yamlLine, body: '', bodyLine: lines.length, isClosed: false };
  }
  const yaml = lines.slice(first + 1, end).join('\n');
  return { yaml, yamlLine, body: lines.slice(end + 1).join('\n'), bodyLine: end + 2, isClosed: true };
}
