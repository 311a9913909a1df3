/** Makes what a terminal would show of a stream into plain lines. */
export interface TextCleaner {
  /** The line under way. */
  readonly line: string;
  /** Whole lines that are final. */
  push(text: string): string;
  /** The last line, however it ended. */
  end(): string;
}

/** A longer line is given out as it stands; what is redrawn over it later comes after it. */
const LONGEST_LINE = 65_536;
/** A longer escape sequence is none. */
const LONGEST_ESCAPE = 4_096;
const ESCAPES = [
  '\\x1b\\[[0-?]*[ -/]*[@-~]',
  '\\x1b[\\]PX^_][^\\x07\\x1b]*(?:\\x07|\\x1b\\\\)',
  '\\x1b[ -/]+[0-~]',
  '\\x1b[0-Z\\\\^_`-~]',
].join('|');
const ESCAPE = new RegExp(ESCAPES, 'g');
const OPEN_ESCAPE = /\x1b(?:\[[0-?]*[ -/]*|[\]PX^_][^\x07\x1b]*\x1b?|[ -/]*)$/;
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f]/;
const UNSEEN = /[\x00-\x07\x0b\x0c\x0e-\x1f\x7f]/g;

/**
 * Takes out escape sequences (colours, titles, cursor moves) and unseen signs, and resolves what a carriage
 * return or a backspace draws over, so that of a progress bar only its last state is left. `\r\n` ends a line.
 */
export function createTextCleaner(): TextCleaner {
  /** The line under way, without its end. */
  let line = '';
  /** A carriage return came last: what follows is drawn over the line. */
  let home = false;
  /** An escape sequence that has begun. */
  let held = '';

  const giveLong = (): string => {
    if (line.length <= LONGEST_LINE) return '';
    const text = line;
    line = '';
    return text;
  };
  const append = (text: string) => {
    if (text === '') return;
    if (home) line = '';
    home = false;
    if (!text.includes('\b')) line += text;
    else line = overstrike(line, text);
  };
  const endLine = (): string => {
    const text = `${line}\n`;
    line = '';
    home = false;
    return text;
  };
  const pushPlain = (text: string): string => {
    const first = text.indexOf('\n');
    if (first < 0) {
      append(text);
      return giveLong();
    }
    append(text.slice(0, first));
    const last = text.lastIndexOf('\n');
    const whole = endLine() + text.slice(first + 1, last + 1);
    line = text.slice(last + 1);
    return whole + giveLong();
  };
  const pushDrawn = (text: string): string => {
    let out = '';
    for (const piece of text.split(/([\r\n])/)) {
      if (piece === '\n') out += endLine();
      else if (piece === '\r') home = true;
      else append(piece);
    }
    return out + giveLong();
  };

  return {
    get line() {
      return line;
    },
    push(piece) {
      if (held === '' && !CONTROL.test(piece)) return pushPlain(piece);
      let text = held + piece;
      held = '';
      const open = OPEN_ESCAPE.exec(text);
      if (open && text.length - open.index <= LONGEST_ESCAPE) {
        held = text.slice(open.index);
        text = text.slice(0, open.index);
      }
      return pushDrawn(text.replace(ESCAPE, '').replace(UNSEEN, ''));
    },
    end() {
      const text = line;
      line = '';
      held = '';
      return text;
    },
  };
}

/** Each backspace takes away the letter before it, of the line's too. */
function overstrike(line: string, text: string): string {
  const added: string[] = [];
  let over = 0;
  for (const letter of text) {
    if (letter !== '\b') added.push(letter);
    else if (added.pop() === undefined) over++;
  }
  let kept = line;
  if (over > 0) kept = [...line].slice(0, -over).join('');
  return kept + added.join('');
}
