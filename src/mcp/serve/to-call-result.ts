import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server';
import { isObject, type Part, type ToolResult } from '../../core/index.ts';

/** Under this key of `_meta` stands what is for screens and logs, not for a model. */
const DATA_KEY = 'toolwright/data';
const ERROR_KEY = 'toolwright/error';

/**
 * A result in MCP's form (2025-11-25 and 2026-07-28, `tools/call`): parts as content, an error as `isError`.
 * `data` is structured content where the tool promised it by an output schema, else metadata.
 */
export function toCallResult({ content, data, error }: ToolResult, promisesData: boolean): CallToolResult {
  const parts: readonly Part[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  const structured = promisesData && error === undefined && isObject(data) ? data : undefined;
  const meta = {
    ...(data === undefined || structured ? {} : { [DATA_KEY]: data }),
    ...(error === undefined ? {} : { [ERROR_KEY]: { code: error.code, retryable: error.retryable } }),
  };
  return {
    content: parts.map(toBlock),
    ...(error === undefined ? {} : { isError: true }),
    ...(structured === undefined ? {} : { structuredContent: structured }),
    ...(Object.keys(meta).length === 0 ? {} : { _meta: meta }),
  };
}

export function toBlock(part: Part): ContentBlock {
  return part.type === 'text'
    ? { type: 'text', text: part.text }
    : { type: 'image', mimeType: part.mimeType, data: part.data };
}
