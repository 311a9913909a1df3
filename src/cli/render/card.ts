import { type Content, isObject, type StoredOutput, sizeText, type ToolResult, textOf } from '../../core/index.ts';
import { harmless, oneLine, type Style } from './style.ts';

/** Lines of a result that stand in its card; the rest is counted. */
const CARD_LINES = 8;

/** The line that says which call was made. */
export function callLine(name: string, input: unknown, width: number, style: Style): string {
  const shown = oneLine(inputText(input), Math.max(20, width - name.length - 4));
  return `${style.cyan('●')} ${style.bold(harmless(name))} ${style.dim(shown)}`;
}

export interface CardFacts {
  readonly name: string;
  readonly content: Content;
  readonly failed: boolean;
  readonly code?: string;
  readonly durationMs?: number;
  readonly stored?: StoredOutput;
}

export function resultCard({ error, ...result }: ToolResult, width: number, style: Style): string {
  return card({ ...result, failed: error !== undefined, ...(error && { code: error.code }) }, width, style);
}

/** A result's card: how it ended, and the beginning of what it gave. */
export function card(
  { name, content, failed, code, durationMs, stored }: CardFacts,
  width: number,
  style: Style,
): string {
  const head = [failed ? style.red('✗') : style.green('✓'), harmless(name)];
  if (code !== undefined) head.push(style.red(code));
  if (durationMs !== undefined) head.push(style.dim(`${Math.round(durationMs)} ms`));
  const lines = harmless(textOf(content)).trimEnd().split('\n');
  const shown = lines.slice(0, CARD_LINES).map((line) => (failed ? line : cut(line, width - 4)));
  const rest = lines.length - shown.length;
  if (rest > 0) shown.push(style.dim(`… ${rest} more ${rest === 1 ? 'line' : 'lines'}`));
  if (stored !== undefined) shown.push(style.dim(`stored whole: ${stored.path} (${sizeText(stored.bytes)})`));
  return [head.join(' '), ...shown.map((line) => `${style.dim('  │')} ${line}`)].join('\n');
}

/** What a call does: its input, field by field. */
export function inputText(input: unknown): string {
  if (typeof input === 'string') return input;
  if (!isObject(input)) return JSON.stringify(input) ?? '';
  return Object.entries(input)
    .map(([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
}

function cut(line: string, width: number): string {
  return line.length > width ? `${line.slice(0, Math.max(1, width - 1))}…` : line;
}
