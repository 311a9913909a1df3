/** A call as it was written; the arguments are passed on unread. */
export interface ManualCall {
  readonly name: string;
  readonly arguments: string;
}

export interface ManualInput {
  /** The calls of each turn. */
  readonly turns: readonly (readonly ManualCall[])[];
  /** Lines that are neither a call nor part of one. */
  readonly left: readonly string[];
}

const CALL = /^\s*([A-Za-z_][\w-]*)\s*(\{.*)$/;
const BARE = /^\s*([A-Za-z_][\w-]*)(?:\s+(.*\S))?\s*$/;
const NEXT_TURN = /^\s*-{3,}\s*$/;
const FENCE = /^\s*```\w*\s*$/;

/**
 * Reads the manual model's language. An object that is not closed at the end of its line goes on over the
 * following lines, up to the next call. A line of an offered tool's name needs no object.
 */
export function parseManual(text: string, offered: ReadonlySet<string>): ManualInput {
  const turns: ManualCall[][] = [[]];
  const left: string[] = [];
  let open: { name: string; lines: string[]; balance: Balance } | undefined;

  const close = () => {
    if (open) turns.at(-1)?.push({ name: open.name, arguments: open.lines.join('\n').trim() });
    open = undefined;
  };
  for (const line of text.split(/\r?\n/)) {
    const call = CALL.exec(line);
    if (NEXT_TURN.test(line)) {
      close();
      if (turns.at(-1)?.length) turns.push([]);
    } else if (call) {
      close();
      const [, name = '', rest = ''] = call;
      open = { name, lines: [rest], balance: advance(START, rest) };
      if (open.balance.depth <= 0) close();
    } else if (open) {
      open.lines.push(line);
      open.balance = advance(open.balance, `\n${line}`);
      if (open.balance.depth <= 0) close();
    } else if (line.trim() !== '' && !FENCE.test(line)) {
      const [, name = '', rest = ''] = BARE.exec(line) ?? [];
      if (offered.has(name)) turns.at(-1)?.push({ name, arguments: rest });
      else left.push(line.trim());
    }
  }
  close();
  return { turns: turns.filter((calls) => calls.length > 0), left };
}

interface Balance {
  readonly depth: number;
  readonly inString: boolean;
}

const START: Balance = { depth: 0, inString: false };

/** How many brackets are open after more text. */
function advance(from: Balance, text: string): Balance {
  let { depth, inString } = from;
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (inString) {
      if (char === '\\') i++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '{' || char === '[') depth++;
    else if (char === '}' || char === ']') depth--;
  }
  return { depth, inString };
}
