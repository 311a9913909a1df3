import { z } from 'zod';

const ms = z.number().int().min(0).max(3_600_000);

const call = z.strictObject({
  name: z.string().optional(),
  arguments: z.unknown().optional(),
  id: z.unknown().optional(),
  deltas: z.array(z.string()).optional(),
  delayMs: ms.optional(),
  ended: z.boolean().optional(),
});

const step = z.strictObject({
  expect: z
    .strictObject({
      lastUserIncludes: z.string().optional(),
      lastResultIncludes: z.string().optional(),
      systemIncludes: z.string().optional(),
      tools: z.array(z.string()).optional(),
      messages: z.number().int().optional(),
    })
    .optional(),
  delayMs: ms.optional(),
  thinking: z.string().optional(),
  text: z.string().optional(),
  calls: z.array(call).optional(),
  endDelayMs: ms.optional(),
  error: z
    .union([
      z.string(),
      z.strictObject({
        message: z.string(),
        status: z.number().int().optional(),
        retryable: z.boolean().optional(),
        retryAfterMs: ms.optional(),
      }),
    ])
    .optional(),
  reason: z.enum(['stop', 'tool_calls', 'length', 'error', 'aborted']).optional(),
  usage: z
    .strictObject({
      inputTokens: z.number().optional(),
      outputTokens: z.number().optional(),
      cachedInputTokens: z.number().optional(),
      reasoningTokens: z.number().optional(),
    })
    .optional(),
});

const whole = z.strictObject({ id: z.string().optional(), strict: z.boolean().optional(), steps: z.array(step) });

/** A script file: a list of steps, or an object that holds one. A list is told apart first, so that its faults are its own. */
export const scriptSchema = z.unknown().transform((value, context): z.infer<typeof whole> | z.infer<typeof step>[] => {
  const parsed = Array.isArray(value) ? z.array(step).safeParse(value) : whole.safeParse(value);
  if (parsed.success) return parsed.data;
  for (const issue of parsed.error.issues)
    context.addIssue({ code: 'custom', path: issue.path as (string | number)[], message: issue.message });
  return z.NEVER;
});
