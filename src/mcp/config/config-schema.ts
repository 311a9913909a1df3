import { z } from 'zod';

const ms = z.int().positive().max(86_400_000);
const texts = z.record(z.string(), z.string());

/** One entry of `mcpServers`, as clients of MCP write it, with our own keys. Keys of other clients are passed over. */
export const serverSchema = z.object({
  type: z.enum(['stdio', 'http', 'streamable-http', 'streamableHttp', 'sse']).optional(),
  command: z.string().min(1).optional(),
  args: z.array(z.string()).optional(),
  env: texts.optional(),
  cwd: z.string().min(1).optional(),
  url: z.string().min(1).optional(),
  headers: texts.optional(),
  oauth: z.boolean().optional(),
  trusted: z.boolean().optional(),
  parallel: z.boolean().optional(),
  pinned: z.boolean().optional(),
  disabled: z.boolean().optional(),
  timeouts: z.strictObject({ connect: ms, list: ms, call: ms, idle: ms }).partial().optional(),
  toolTimeouts: z.record(z.string(), ms).optional(),
});

/** What a person writes for one server. */
export type McpServerEntry = z.infer<typeof serverSchema>;
