import { z } from 'zod';

const textPart = z.object({ type: z.literal('text'), text: z.string() });
const imagePart = z.object({ type: z.literal('image'), mime_type: z.string(), data: z.string() });

/** Text, or text and image parts. */
export const contentSchema = z.union([z.string(), z.array(z.discriminatedUnion('type', [textPart, imagePart]))]);

const toolCall = z.object({
  id: z.string(),
  type: z.literal('function'),
  function: z.object({ name: z.string(), arguments: z.string() }),
});

const base = { message_id: z.string(), metadata: z.record(z.string(), z.json()).optional() };

/** The fields of a `message` event that are the message itself; calls have OpenAI's shape. */
export const messageSchema = z.discriminatedUnion('role', [
  z.object({ role: z.literal('system'), content: z.string(), ...base }),
  z.object({ role: z.literal('user'), content: contentSchema, ...base }),
  z.object({
    role: z.literal('assistant'),
    content: z.string(),
    thinking: z.string().optional(),
    tool_calls: z.array(toolCall).optional(),
    provider: z.object({ adapter: z.string(), value: z.unknown() }).optional(),
    ...base,
  }),
  z.object({
    role: z.literal('tool'),
    content: contentSchema,
    tool_call_id: z.string(),
    name: z.string(),
    is_error: z.boolean(),
    ...base,
  }),
]);

export type WireContent = z.infer<typeof contentSchema>;
export type WireMessage = z.infer<typeof messageSchema>;
