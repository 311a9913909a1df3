import {
  type Clock,
  type Executor,
  isObject,
  type JsonObject,
  type NewId,
  type RawToolCall,
  type ReadShell,
  type ToolSet,
  traitsFor,
} from '../core/index.ts';
import { createIdRepair, parseArguments, parseInput } from '../schema/index.ts';
import { type ClaimTable, createClaimTable } from './claim-table.ts';
import { startExecution } from './execution.ts';
import { DEFAULT_LIMITS, type ExecutorLimits } from './limits.ts';
import { nameOf } from './prepare.ts';

export interface ExecutorOptions {
  readonly clock: Clock;
  readonly newId: NewId;
  readonly limits?: Partial<ExecutorLimits>;
  /** One table for all executors of a workspace. Default: one of its own. */
  readonly claims?: ClaimTable;
  /** Without it no rule for single commands allows a shell line. */
  readonly readShell?: ReadShell;
}

export function createExecutor(options: ExecutorOptions): Executor {
  const { clock, newId } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const claims = options.claims ?? createClaimTable(clock, limits.stuckMs);
  return {
    execute: (calls, session) =>
      startExecution(calls, session, {
        clock,
        limits,
        claims,
        repairId: createIdRepair(newId),
        readShell: options.readShell,
      }),
    isReadOnly: (call, session) => isReadOnly(call, session.tools),
    normalize: (call, tools) => normalize(call, tools),
  };
}

/** Only what is valid as it stands counts: a repaired or coerced input is not trusted at the closing brace. */
function isReadOnly(call: RawToolCall, tools: ToolSet): boolean {
  const tool = typeof call.name === 'string' ? tools.get(call.name) : undefined;
  if (!tool) return false;
  const { readOnly } = tool.traits ?? {};
  if (typeof readOnly !== 'function') return readOnly === true;
  try {
    const parsed = parseArguments(call.arguments);
    if (!parsed.ok || parsed.repaired) return false;
    const outcome = parseInput(tool.input, parsed.value);
    return !(outcome instanceof Promise) && outcome.ok && traitsFor(tool, outcome.value).readOnly;
  } catch {
    return false;
  }
}

function normalize(
  call: RawToolCall,
  tools: ToolSet,
): { name: string; arguments: string; input: JsonObject | undefined } {
  const name = nameOf(call, tools);
  const parsed = parseArguments(call.arguments, { finished: call.finished !== false });
  if (!parsed.ok) return { name, arguments: '{}', input: undefined };
  const isText = typeof call.arguments === 'string' && !parsed.repaired && isObjectText(call.arguments);
  return { name, arguments: isText ? (call.arguments as string) : JSON.stringify(parsed.value), input: parsed.value };
}

function isObjectText(text: string): boolean {
  try {
    return isObject(JSON.parse(text));
  } catch {
    return false;
  }
}
