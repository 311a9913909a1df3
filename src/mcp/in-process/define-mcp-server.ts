import type { CallToolResult, ToolAnnotations } from '@modelcontextprotocol/server';
import type { JsonSchema } from '../../core/index.ts';

/** What a tool of an in-process server gets beside its input. */
export interface InProcessCall {
  readonly signal: AbortSignal;
  /** Live output; goes nowhere when the caller gave no progress token. */
  progress(text: string): void;
}

/** A tool in MCP's shape. */
export interface InProcessTool<Input = Record<string, unknown>> {
  readonly name: string;
  readonly description: string;
  /** Root `type: object`; inputs that break it never reach `run`. */
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly annotations?: ToolAnnotations;
  /** Text, or a result in MCP's form. What it throws becomes a result with `isError`. */
  run(input: Input, call: InProcessCall): Promise<string | CallToolResult> | string | CallToolResult;
}

/** An MCP server that lives in this process: the same line, tools and rules as one at the end of a pipe. */
export interface McpServerDefinition {
  readonly name: string;
  readonly version?: string;
  readonly instructions?: string;
  readonly tools: readonly InProcessTool[];
  /** Ends what the server still does. */
  close?(): Promise<void>;
}

/** Types a tool's input; the schema is what is checked. */
export function defineMcpTool<Input>(tool: InProcessTool<Input>): InProcessTool {
  return tool as InProcessTool<never> as InProcessTool;
}

export function defineMcpServer(definition: McpServerDefinition): McpServerDefinition {
  return Object.freeze(definition);
}
