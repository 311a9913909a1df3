/** How many bytes at the beginning of `now` are the end of `before`, the most that can be. Linear. */
export function longestOverlap(before: Uint8Array, now: Uint8Array): number {
  const borders = new Uint32Array(now.length);
  for (let i = 1, k = 0; i < now.length; i++) {
    while (k > 0 && now[i] !== now[k]) k = borders[k - 1] as number;
    if (now[i] === now[k]) k++;
    borders[i] = k;
  }
  let matched = 0;
  for (const byte of before) {
    while (matched > 0 && (matched === now.length || byte !== now[matched])) matched = borders[matched - 1] as number;
    if (byte === now[matched]) matched++;
  }
  return matched;
}
