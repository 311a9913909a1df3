import type { CallError, ToolResult } from '../core/index.ts';
import type { Passed } from './judge.ts';
import type { ToolRun } from './run-tool.ts';

/** One call on its way through a turn. */
export interface Entry {
  readonly id: string;
  name: string;
  /** As it will be run; before that, as much of it as could be read. */
  input: unknown;
  /** Set once the judges let it through; facts are then known. */
  passed: Passed | undefined;
  /** What the repeat guard remembers of it. */
  past: { readonly callId: string; readonly signature: string; outcome: string | undefined } | undefined;
  /** Set while the call waits; ends the waiting, with a fault or without. */
  interrupt: ((fault?: CallError) => void) | undefined;
  /** Set while the tool runs. */
  run: ToolRun | undefined;
  answered: boolean;
  result: ToolResult | undefined;
}

export function newEntry(id: string): Entry {
  return {
    id,
    name: '',
    input: undefined,
    passed: undefined,
    past: undefined,
    interrupt: undefined,
    run: undefined,
    answered: false,
    result: undefined,
  };
}
