export interface LoopTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: object;
  run(input: Record<string, unknown>): string;
}

/** A whole run by hand: asks the model until it calls nothing more, and gives its last text. */
export type HandLoop = (
  baseUrl: string,
  model: string,
  tool: LoopTool,
  /** Offered too, and never called. */
  others?: readonly LoopTool[],
) => Promise<string>;
