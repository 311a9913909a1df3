import { z } from 'zod';

/** An entry of `models` in `toolwright.json`. */
export const ownModelSchema = z.strictObject({
  baseUrl: z.url(),
  apiKey: z.string().optional(),
  /** The variable that holds the key. */
  apiKeyEnv: z.string().optional(),
  /** The name that the server knows; the entry's own name when absent. */
  model: z.string().optional(),
  headers: z.record(z.string(), z.string()).optional(),
  contextWindow: z.number().int().positive().optional(),
  vendor: z
    .enum(['openai', 'dashscope', 'qwen', 'deepseek', 'gemini', 'moonshot', 'ollama', 'openrouter', 'vllm', 'generic'])
    .optional(),
});
