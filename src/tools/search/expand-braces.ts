/** More alternatives than this are a mistake or an attack; the pattern is then taken as it stands. */
const MOST = 1_000;

/** `a{b,c{d,e}}` as `ab`, `acd`, `ace`. A brace without a comma, an unclosed one and an escaped one are literal. */
export function expandBraces(pattern: string): string[] {
  let open: string[] = [pattern];
  const done: string[] = [];
  while (open.length > 0) {
    const next: string[] = [];
    for (const text of open) {
      const choice = firstChoice(text);
      if (!choice) done.push(text);
      else for (const part of choice.parts) next.push(text.slice(0, choice.start) + part + text.slice(choice.end));
    }
    if (done.length + next.length > MOST) return [pattern];
    open = next;
  }
  return done;
}

interface Choice {
  readonly start: number;
  readonly end: number;
  readonly parts: readonly string[];
}

/** The first brace that holds a comma of its own. */
function firstChoice(text: string): Choice | undefined {
  const starts: { readonly at: number; readonly commas: number[] }[] = [];
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign === '\\') at++;
    else if (sign === '{') starts.push({ at, commas: [] });
    else if (sign === ',') starts.at(-1)?.commas.push(at);
    else if (sign === '}') {
      const start = starts.pop();
      if (!start || start.commas.length === 0) continue;
      const borders = [start.at, ...start.commas, at];
      const parts = borders.slice(1).map((border, index) => text.slice((borders[index] as number) + 1, border));
      return { start: start.at, end: at + 1, parts };
    }
  }
  return undefined;
}
