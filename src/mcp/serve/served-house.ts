import type { AskQuestion, JsonSchema, Part, QuestionAnswer, ToolResult } from '../../core/index.ts';

/** A tool as a client of ours is shown it. */
export interface ServedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  /** Given only when the tool promises its result's `data`. */
  readonly outputSchema?: JsonSchema;
  /** Undefined: it depends on the input. */
  readonly readOnly?: boolean;
}

export interface ServedQuestion {
  readonly message: string;
  readonly questions: readonly AskQuestion[];
}

/** One call that a client sent. */
export interface ServedCall {
  readonly name: string;
  readonly input: unknown;
  readonly signal: AbortSignal;
  /** Live output; goes nowhere when the client gave no progress token. */
  progress(text: string): void;
  /** Puts a question to the client's person; absent when the client cannot. */
  readonly ask?: (question: ServedQuestion) => Promise<QuestionAnswer>;
}

export interface ServedPrompt {
  readonly name: string;
  readonly description?: string;
  readonly arguments?: readonly { readonly name: string; readonly description?: string; readonly required?: boolean }[];
}

export interface ServedMessage {
  readonly role: 'user' | 'assistant';
  readonly content: Part;
}

export interface ServedResource {
  readonly uri: string;
  readonly name: string;
  readonly description?: string;
  readonly mimeType?: string;
}

/** What stands behind a served line: one client's view of the house. */
export interface ServedHouse {
  tools(): readonly ServedTool[];
  /** Never rejects for a fault of the call: that is the result's `error`. */
  call(call: ServedCall): Promise<ToolResult>;
  prompts(): Promise<readonly ServedPrompt[]>;
  /** Undefined when there is no such prompt. */
  prompt(name: string, args: Readonly<Record<string, string>>): Promise<readonly ServedMessage[] | undefined>;
  resources(): Promise<readonly ServedResource[]>;
  /** Undefined when there is no such resource. */
  resource(uri: string): Promise<{ readonly mimeType?: string; readonly content: string | Uint8Array } | undefined>;
  /** Ends what the client's calls still do. */
  close(): Promise<void>;
}

/** Where houses come from: one for each line that is opened. */
export interface ServedHouses {
  readonly info: { readonly name: string; readonly version: string; readonly instructions?: string };
  open(): Promise<ServedHouse>;
  /** Calls `fn` when the tools, prompts or resources have changed; gives how to stop that. */
  onChange(fn: (kind: 'tools' | 'prompts' | 'resources') => void): () => void;
}
