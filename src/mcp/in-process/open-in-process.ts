import type { Transport } from '@modelcontextprotocol/client';
import type { Server } from '@modelcontextprotocol/server';
import type { McpServerDefinition } from './define-mcp-server.ts';

/** The protocol server of a definition, to be connected to a transport; the protocol is loaded when it is called. */
export async function createInProcessServer(definition: McpServerDefinition): Promise<Server> {
  return (await import('./create-in-process-server.ts')).createInProcessServer(definition);
}

/** The client's end of a line in memory, at whose other end the server is. */
export async function openInProcess(definition: McpServerDefinition): Promise<Transport> {
  const server = await createInProcessServer(definition);
  const { InMemoryTransport } = await import('@modelcontextprotocol/server');
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await server.connect(theirs);
  return ours as Transport;
}
