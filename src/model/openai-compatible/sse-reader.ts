/** What a stream of server-sent events holds, as this protocol uses it. */
export type SseItem =
  | { readonly type: 'json'; readonly value: unknown; readonly event: string }
  | { readonly type: 'done' }
  | { readonly type: 'broken'; readonly text: string; readonly event: string }
  | { readonly type: 'too_long' };

export interface SseReader {
  push(bytes: Uint8Array): void;
  /** Takes what stands in an unended last line and an unended last event. */
  end(): void;
}

/**
 * Reads server-sent events whose data are JSON. A data line that is a whole object is given at once,
 * so servers that leave out the blank line after it are read without delay; others are joined until the
 * blank line. Line ends may be LF, CRLF or CR. Each character is looked at a fixed number of times.
 */
export function createSseReader(give: (item: SseItem) => void, maxLineChars: number): SseReader {
  const decoder = new TextDecoder();
  let carry = '';
  let afterCr = false;
  let event = '';
  let held: string[] = [];
  let heldChars = 0;
  let dead = false;

  const tooLong = () => {
    dead = true;
    carry = '';
    held = [];
    give({ type: 'too_long' });
  };
  const parsed = (text: string): boolean => {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return false;
    }
    give({ type: 'json', value, event });
    return true;
  };
  const boundary = () => {
    if (held.length > 0) {
      const text = held.join('\n');
      held = [];
      heldChars = 0;
      if (!parsed(text)) give({ type: 'broken', text, event });
    }
    event = '';
  };
  const data = (payload: string) => {
    const text = payload.trim();
    if (text === '[DONE]') {
      boundary();
      give({ type: 'done' });
      return;
    }
    if (text === '') return;
    if (held.length === 0 && text.startsWith('{') && text.endsWith('}') && parsed(text)) return;
    heldChars += payload.length;
    if (heldChars > maxLineChars) tooLong();
    else held.push(payload);
  };
  const line = (text: string) => {
    if (text === '') return boundary();
    if (text.startsWith('data:')) return data(text.slice(5));
    // An error that a server writes into the stream as it is, without a field name.
    if (text.startsWith('{')) return data(text);
    if (text.startsWith('event:')) event = text.slice(6).trim();
  };
  const take = (text: string) => {
    if (text === '') return;
    let from = 0;
    if (afterCr && text.charCodeAt(0) === 10) from = 1;
    afterCr = false;
    let cr = text.indexOf('\r', from);
    while (!dead) {
      const lf = text.indexOf('\n', from);
      if (cr !== -1 && cr < from) cr = text.indexOf('\r', from);
      const end = cr !== -1 && (lf === -1 || cr < lf) ? cr : lf;
      if (end === -1) break;
      if (carry.length + end - from > maxLineChars) return tooLong();
      const whole = carry === '' ? text.slice(from, end) : carry + text.slice(from, end);
      carry = '';
      from = end + 1;
      if (end === cr) {
        if (from === text.length) afterCr = true;
        else if (text.charCodeAt(from) === 10) from++;
      }
      line(whole);
    }
    if (dead) return;
    carry += from === 0 ? text : text.slice(from);
    if (carry.length > maxLineChars) tooLong();
  };

  return {
    push: (bytes) => {
      if (!dead) take(decoder.decode(bytes, { stream: true }));
    },
    end() {
      if (!dead) take(decoder.decode());
      if (dead) return;
      const last = carry;
      carry = '';
      if (last !== '') line(last);
      boundary();
    },
  };
}
