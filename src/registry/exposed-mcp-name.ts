import { createHash } from 'node:crypto';
import { ToolwrightError } from '../core/index.ts';

const LONGEST = 64;
const HASH_LENGTH = 8;
/** A server's part gives way to the tool's when both do not fit. */
const LONGEST_SERVER = 36;

/**
 * The name under which a server's tool is shown: `mcp__<server>__<tool>`, a function of the two names and
 * of nothing else. Where a part had to be changed or cut, or could be read in two ways, `_` and 8 hex
 * digits of the pair's hash end it, so that two tools never get one name. The way back is a table.
 */
export function exposedMcpName(server: string, tool: string): string {
  for (const [part, name] of Object.entries({ server, tool })) {
    if (name.trim() !== '') continue;
    throw new ToolwrightError('invalid_request', `the ${part} name of an MCP tool is empty`, {
      hint: part === 'tool' ? 'Give the tool a name on its server.' : 'Name the server in the settings.',
    });
  }
  const [serverPart, toolPart] = [legal(server), legal(tool)];
  const plain = `${mcpServerPrefix(server)}${toolPart}`;
  const isPlain = serverPart === server && toolPart === tool && plain.length <= LONGEST && !isAmbiguous(server, tool);
  if (isPlain) return plain;
  const ending = `_${createHash('sha256')
    .update(JSON.stringify([server, tool]))
    .digest('hex')
    .slice(0, HASH_LENGTH)}`;
  const room = LONGEST - ending.length;
  if (plain.length <= room) return plain + ending;
  return `mcp__${serverPart.slice(0, LONGEST_SERVER)}__${toolPart}`.slice(0, room) + ending;
}

/** What the exposed names of a server's tools begin with, unless it is too long to be kept whole. */
export function mcpServerPrefix(server: string): string {
  return `mcp__${legal(server)}__`;
}

const legal = (text: string) => text.replace(/[^a-zA-Z0-9_-]/gu, '_');

/** Parts that hold or touch the separator, or a tool that looks as if it ended in a hash. */
function isAmbiguous(server: string, tool: string): boolean {
  if (server.includes('__') || tool.includes('__')) return true;
  return server.endsWith('_') || tool.startsWith('_') || /_[0-9a-f]{8}$/.test(tool);
}
