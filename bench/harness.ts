/** One run's figure, in the bench's unit, and the CPU time that this process spent on it. */
export interface Sample {
  readonly value: number;
  readonly cpu?: number;
}

/** One way to do the work. `run` throws when the work's own result is wrong. */
export interface Contender {
  readonly name: string;
  run(): Promise<Sample>;
}

export interface Bench {
  readonly name: string;
  readonly title: string;
  readonly unit: string;
  /** What ours must reach: at most so many times the floor, or so many units. */
  readonly goal: { readonly ratio: number } | { readonly value: number };
  /** The floor comes first, ours last. */
  open(): Promise<{ readonly contenders: readonly Contender[]; close(): Promise<void> }>;
}

export interface Row {
  readonly name: string;
  readonly samples: readonly Sample[];
}

const RUNS = 5;

/** Runs all contenders in turn, so that what else the machine does touches them alike: once to warm up, then five times. */
export async function measure(bench: Bench): Promise<Row[]> {
  const { contenders, close } = await bench.open();
  try {
    const rows = contenders.map((contender) => ({ name: contender.name, samples: [] as Sample[] }));
    for (let round = 0; round <= RUNS; round++) {
      for (const [index, contender] of contenders.entries()) {
        const sample = await contender.run();
        if (round > 0) rows[index]?.samples.push(sample);
      }
    }
    return rows;
  } finally {
    await close();
  }
}

/** Wall and CPU time of some work, each divided by how many steps it had. */
export async function timed(steps: number, work: () => Promise<void>): Promise<Sample> {
  const cpu = process.cpuUsage();
  const began = performance.now();
  await work();
  const value = (performance.now() - began) / steps;
  const { user, system } = process.cpuUsage(cpu);
  return { value, cpu: (user + system) / 1_000 / steps };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** The table of a bench: median, range, CPU and ratio to the floor, and whether ours reached its goal. */
export function report(bench: Bench, rows: readonly Row[]): string {
  const floor = median((rows[0]?.samples ?? []).map((sample) => sample.value));
  const lines = rows.map(({ name, samples }) => {
    const values = samples.map((sample) => sample.value);
    const middle = median(values);
    const cpu = median(samples.flatMap((sample) => sample.cpu ?? []));
    const cells = [
      name,
      middle.toFixed(2),
      `${Math.min(...values).toFixed(2)}-${Math.max(...values).toFixed(2)}`,
      Number.isNaN(cpu) ? '' : cpu.toFixed(2),
      `${(middle / floor).toFixed(2)}x`,
    ];
    return { cells, middle };
  });
  const ours = lines.at(-1)?.middle ?? Number.NaN;
  const [reached, goal] =
    'ratio' in bench.goal
      ? [ours / floor <= bench.goal.ratio, `at most ${bench.goal.ratio}x the floor`]
      : [ours <= bench.goal.value, `at most ${bench.goal.value} ${bench.unit}`];
  return [
    `\n${bench.name}: ${bench.title} (${bench.unit}; ${rows[0]?.samples.length ?? 0} runs)`,
    table([['', 'median', 'range', 'CPU', 'to floor'], ...lines.map((line) => line.cells)]),
    `goal: ${goal}: ${reached ? 'reached' : 'NOT reached'}`,
  ].join('\n');
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row.map((cell, column) => (column ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[0] ?? 0))),
    )
    .map((cells) => `  ${cells.join('  ')}`.trimEnd())
    .join('\n');
}
