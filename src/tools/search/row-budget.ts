const MOST_CHARS = 30_000;
/** Below the 12,000 that a result may have, for what stands around the rows. */
const MOST_TOKENS = 11_000;

/** What the rows of one result may take together. */
export interface RowBudget {
  /** No further row is to be begun. */
  readonly spent: boolean;
  charge(row: string): void;
}

export async function createRowBudget(): Promise<RowBudget> {
  const { estimateTokenCount } = await import('tokenx');
  let chars = 0;
  let tokens = 0;
  return {
    get spent() {
      return chars >= MOST_CHARS || tokens >= MOST_TOKENS;
    },
    charge(row) {
      chars += row.length + 1;
      tokens += estimateTokenCount(row) + 1;
    },
  };
}
