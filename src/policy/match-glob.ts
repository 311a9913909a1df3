/** Steps of a pattern: a character, any one character (`?`), or any number of them (`*`). */
type Step = string | typeof ONE | typeof MANY;
const ONE = Symbol('one');
const MANY = Symbol('many');

/**
 * Makes a test of a pattern in which `*` stands for any text and, with `single`, `?` for one character; a
 * backslash takes the meaning from what follows. Its time is bounded by pattern times text, whatever they are.
 */
export function createGlob(pattern: string, options: { readonly single: boolean }): (text: string) => boolean {
  const steps = stepsOf(pattern, options.single);
  return (text) => matches(steps, [...text]);
}

function stepsOf(pattern: string, single: boolean): Step[] {
  const steps: Step[] = [];
  const characters = [...pattern];
  for (let i = 0; i < characters.length; i++) {
    const character = characters[i] as string;
    const next = characters[i + 1];
    if (character === '\\' && next !== undefined) {
      steps.push(next);
      i++;
    } else if (character === '*') steps.push(MANY);
    else steps.push(single && character === '?' ? ONE : character);
  }
  return steps;
}

/** Goes back to the last `*` only: an earlier one cannot help where the last one does not. */
function matches(steps: readonly Step[], text: readonly string[]): boolean {
  let step = 0;
  let at = 0;
  let star = -1;
  let mark = 0;
  while (at < text.length) {
    const want = steps[step];
    if (want === MANY) {
      star = step++;
      mark = at;
    } else if (want !== undefined && (want === ONE || want === text[at])) {
      step++;
      at++;
    } else if (star >= 0) {
      step = star + 1;
      at = ++mark;
    } else return false;
  }
  while (steps[step] === MANY) step++;
  return step === steps.length;
}

/** Whether a text that begins so could match the pattern. */
export function mayContinue(pattern: string, beginning: string): boolean {
  const steps = stepsOf(pattern, false);
  let states = new Set(reachable(steps, [0]));
  for (const character of beginning) {
    const next: number[] = [];
    for (const at of states) {
      if (steps[at] === MANY) next.push(at);
      else if (steps[at] === character) next.push(at + 1);
    }
    states = new Set(reachable(steps, next));
    if (states.size === 0) return false;
  }
  return true;
}

/** These places and those behind any `*` that may stand for nothing. */
function reachable(steps: readonly Step[], from: readonly number[]): number[] {
  return from.flatMap((at) => {
    let end = at;
    while (steps[end] === MANY) end++;
    return Array.from({ length: end - at + 1 }, (_, index) => at + index);
  });
}
