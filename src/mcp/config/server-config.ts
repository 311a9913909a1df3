import type { McpServerDefinition } from '../in-process/define-mcp-server.ts';

/** Milliseconds. */
export interface McpTimeouts {
  /** From the start until the server has answered for the first time. Default 20,000. */
  readonly connect: number;
  /** For the list of its tools. Default 60,000. */
  readonly list: number;
  /** For one call, whatever it reports. Default 1,800,000. */
  readonly call: number;
  /** A call that neither answers nor reports progress for so long is ended. Default: as `call`. */
  readonly idle: number;
}

/** How a server is reached. */
export type McpEndpoint =
  | {
      readonly kind: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      /** Beside the short list of names that every child gets. */
      readonly env: Readonly<Record<string, string>>;
      readonly cwd?: string;
    }
  | {
      readonly kind: 'http' | 'sse';
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      /** With kind `http`: falls back to the older HTTP+SSE when the server does not know this one. */
      readonly fallback: boolean;
      /** Sign in by OAuth 2.1 when the server asks for it. */
      readonly oauth: boolean;
    }
  | { readonly kind: 'in-process'; readonly server: McpServerDefinition };

/** A server as the settings name it, checked and with every default filled in. */
export interface McpServerConfig {
  readonly name: string;
  /** The file that names it, or `runtime`. */
  readonly source: string;
  readonly endpoint: McpEndpoint;
  /** Its annotations count: read-only tools run unasked. */
  readonly trusted: boolean;
  /** Its calls may run side by side. */
  readonly parallel: boolean;
  /** A tool that is not what it was when it was first seen is asked for again. */
  readonly pinned: boolean;
  readonly timeouts: McpTimeouts;
  /** Longest call of single tools, milliseconds. */
  readonly toolTimeouts: Readonly<Record<string, number>>;
}

export const DEFAULT_MCP_TIMEOUTS = { connect: 20_000, list: 60_000, call: 1_800_000 } as const;
