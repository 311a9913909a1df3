import type { Claim } from './claim.ts';
import type { FactsContext, ProgressStream, ToolContext } from './context.ts';
import type { JsonSchema } from './json.ts';
import type { ToolOutput } from './result.ts';
import type { AnySchema, StandardSchema } from './schema.ts';

/** How a tool may be run. What is not declared has the careful value. */
export interface ToolTraits {
  /** Changes nothing. Default false. */
  readonly readOnly: boolean;
  /** May run beside calls that it shares no claim with, itself included. Default: as readOnly. */
  readonly concurrencySafe: boolean;
  /** What a cancelled run does to it: ended at once, or left to finish. Default: cancel when readOnly, else block. */
  readonly interrupt: 'cancel' | 'block';
  /** Which other calls of the turn its failure ends. Default false. */
  readonly abortsSiblings: false | 'dependants' | 'all';
  /** Longest run, milliseconds, waiting not counted. Default 120,000. */
  readonly timeoutMs: number;
  /** Characters of output that the model gets before the rest is stored. Default 4,000. Infinity: it bounds itself. */
  readonly maxOutputChars: number;
  /** It only waits for other work: holds no claims, takes no slot. Default false. */
  readonly waits: boolean;
  /** Asking the same again is its use: never counted as a repeat. Default false. */
  readonly polling: boolean;
  /** May run under bg_task_run. Default false. */
  readonly background: boolean;
  /** Hidden unless an allow-list names it. Default false. */
  readonly explicitOnly: boolean;
}

/** A trait that depends on the input. Written as a method, so that a tool of any input type is a Tool. */
type OfInput<Input, Value> = Value | { of(input: Input): Value }['of'];

export interface DeclaredTraits<Input> extends Partial<Omit<ToolTraits, 'readOnly' | 'concurrencySafe' | 'timeoutMs'>> {
  readonly readOnly?: OfInput<Input, boolean>;
  readonly concurrencySafe?: OfInput<Input, boolean>;
  readonly timeoutMs?: OfInput<Input, number>;
}

/** Another name that a call, an allow-list or a rule may use; never advertised. */
export interface ToolAlias {
  readonly name: string;
  /** Keys of that name's input -> keys of ours, such as `{file_path: 'path'}`; '' leaves a key out that says nothing here. */
  readonly input?: Readonly<Record<string, string>>;
}

/** A rule that the tool itself lays on one of its calls. */
export interface ToolPermission {
  readonly effect: 'allow' | 'ask' | 'deny';
  readonly rule?: string;
  readonly reason: string;
}

/** What a rule's specifier is matched against: `file_edit(src/**)`, `fetch_webpages(domain:x)`, `run_bash(git status:*)`. */
export type Subject =
  | { readonly kind: 'path'; readonly value: string; readonly access: 'read' | 'write' }
  | { readonly kind: 'url'; readonly value: string }
  | { readonly kind: 'command'; readonly value: string; readonly env?: Readonly<Record<string, string>> }
  | { readonly kind: 'text'; readonly value: string };

/** What an async generator tool may yield: text for the screen while it works. */
export type ProgressPiece = string | { readonly text: string; readonly stream?: ProgressStream };

export type RunReturn = unknown | Promise<unknown> | AsyncGenerator<ProgressPiece, unknown, void>;

/** A capability that a model can call. A plain object; `defineTool` only types and freezes it. */
export interface Tool<Input = unknown> {
  /** `^[a-zA-Z0-9_-]{1,64}$`. */
  readonly name: string;
  /** What it does and when to use it; a function is asked once, with the session's first request. */
  readonly description: string | ((view: { names(): readonly string[] }) => string);
  readonly input: AnySchema<Input>;
  /** When given, a result that breaks it is `failed`. */
  readonly output?: AnySchema;
  readonly traits?: DeclaredTraits<Input>;
  readonly aliases?: readonly ToolAlias[];
  permissions?(input: Input, context: FactsContext): readonly ToolPermission[] | Promise<readonly ToolPermission[]>;
  claims?(input: Input, context: FactsContext): readonly Claim[] | Promise<readonly Claim[]>;
  subjects?(input: Input): readonly Subject[];
  /** After a crash: what became of a call that had started. Undefined: nobody can know. */
  reconcile?(input: Input, context: FactsContext): Promise<ToolOutput | undefined>;
  /** Text, any JSON value, a ToolOutput, or an async generator of progress that returns one of them. */
  run(input: Input, context: ToolContext): RunReturn;
}

/** What a model is shown of a tool. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
}

export const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

export const DEFAULT_TRAITS: ToolTraits = {
  readOnly: false,
  concurrencySafe: false,
  interrupt: 'block',
  abortsSiblings: false,
  timeoutMs: 120_000,
  maxOutputChars: 4_000,
  waits: false,
  polling: false,
  background: false,
  explicitOnly: false,
};

/** A tool's traits for one input, every default filled in. */
export function traitsFor<Input>(tool: Tool<Input>, input: Input, defaults: ToolTraits = DEFAULT_TRAITS): ToolTraits {
  const declared = tool.traits ?? {};
  const readOnly = ofInput(declared.readOnly, input) ?? defaults.readOnly;
  return {
    ...defaults,
    interrupt: readOnly ? 'cancel' : 'block',
    ...declared,
    readOnly,
    concurrencySafe: ofInput(declared.concurrencySafe, input) ?? readOnly,
    timeoutMs: ofInput(declared.timeoutMs, input) ?? defaults.timeoutMs,
  };
}

function ofInput<Input, Value>(trait: OfInput<Input, Value> | undefined, input: Input): Value | undefined {
  return typeof trait === 'function' ? (trait as (input: Input) => Value)(input) : trait;
}

/** Types a tool by its input schema and freezes it. */
export function defineTool<Output>(
  tool: Omit<Tool<Output>, 'input'> & { readonly input: StandardSchema<unknown, Output> },
): Tool<Output>;
export function defineTool<Input = Record<string, unknown>>(
  tool: Omit<Tool<Input>, 'input'> & { readonly input: JsonSchema },
): Tool<Input>;
export function defineTool(tool: Tool): Tool {
  return Object.freeze(tool);
}
