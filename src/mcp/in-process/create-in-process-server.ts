import { type CallToolResult, Server } from '@modelcontextprotocol/server';
import { cutEnd, type JsonSchema, messageOf } from '../../core/index.ts';
import { describeIssues, parseInput } from '../../schema/index.ts';
import type { InProcessTool, McpServerDefinition } from './define-mcp-server.ts';

type ObjectSchema = JsonSchema & { readonly type: 'object' };

/** The protocol server of a definition; connect it to a transport, such as one end of an in-memory pair. */
export function createInProcessServer({ name, version = '1.0.0', instructions, tools }: McpServerDefinition): Server {
  const server = new Server(
    { name, version },
    { capabilities: { tools: {} }, ...(instructions === undefined ? {} : { instructions }) },
  );
  server.setRequestHandler('tools/list', () => ({ tools: tools.map(toDefinition) }));
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const tool = tools.find((entry) => entry.name === params.name);
    if (tool === undefined) return failed(`There is no tool ${JSON.stringify(cutEnd(params.name, 100))}.`);
    const parsed = await parseInput(tool.inputSchema, params.arguments ?? {});
    if (!parsed.ok) return failed(describeIssues(tool.name, parsed.issues, tool.inputSchema));
    const token = mcpReq._meta?.progressToken;
    let progress = 0;
    const tell = (text: string) => {
      if (token === undefined) return;
      progress += Math.max(1, text.length);
      const note = { progressToken: token, progress, message: text };
      mcpReq.notify({ method: 'notifications/progress', params: note }).catch(() => {});
    };
    try {
      const result = await tool.run(parsed.value as Record<string, unknown>, { signal: mcpReq.signal, progress: tell });
      return typeof result === 'string' ? { content: [{ type: 'text', text: result }] } : result;
    } catch (error) {
      return failed(messageOf(error));
    }
  });
  return server;
}

function toDefinition({ name, description, inputSchema, outputSchema, annotations }: InProcessTool) {
  return {
    name,
    description,
    inputSchema: inputSchema as ObjectSchema,
    ...(outputSchema === undefined ? {} : { outputSchema: outputSchema as ObjectSchema }),
    ...(annotations === undefined ? {} : { annotations }),
  };
}

function failed(text: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text }] };
}
