/** Known names nearest to a wrong one, best first: few changed letters, or one part of the other. */
export function nearNames(wrong: string, known: Iterable<string>, most = 3): string[] {
  const target = wrong.toLowerCase();
  const scored: { name: string; score: number }[] = [];
  for (const name of known) {
    const candidate = name.toLowerCase();
    const limit = Math.max(2, Math.floor(Math.max(target.length, candidate.length) / 3));
    const distance = Math.abs(target.length - candidate.length) > limit ? limit + 1 : editDistance(target, candidate);
    const contains = target.length > 2 && (candidate.includes(target) || target.includes(candidate));
    if (distance <= limit) scored.push({ name, score: distance });
    else if (contains) scored.push({ name, score: limit + 1 });
  }
  return scored
    .sort((a, b) => a.score - b.score || (a.name < b.name ? -1 : 1))
    .slice(0, most)
    .map((entry) => entry.name);
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = (previous[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(swap, (previous[j] as number) + 1, (row[j - 1] as number) + 1));
    }
    previous = row;
  }
  return previous[b.length] as number;
}
