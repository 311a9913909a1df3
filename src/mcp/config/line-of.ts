import { LineCounter, parseDocument } from 'yaml';

/** The line (from 1) of a JSON text at which the deepest part of a path stands that is there. */
export function lineOf(text: string, path: readonly PropertyKey[]): number | undefined {
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter, version: '1.2', keepSourceTokens: false });
  for (let length = path.length; length > 0; length--) {
    const node = document.getIn(path.slice(0, length).map(String), true) as
      | { range?: [number, number, number] }
      | undefined;
    const start = node?.range?.[0];
    if (start !== undefined) return counter.linePos(start).line;
  }
  return undefined;
}
