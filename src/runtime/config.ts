import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { messageOf, ToolwrightError } from '../core/index.ts';
import { HOOK_EVENTS } from '../hooks/index.ts';
import { jsonFault, jsonLine, nearNames } from '../schema/index.ts';
import { sandboxSchema } from './sandbox-schema.ts';

const rules = z.array(z.string());
const price = z.number().nonnegative();
const positive = z.int().positive();

const configSchema = z.object({
  model: z.string().optional(),
  models: z.record(z.string(), z.unknown()).optional(),
  tools: z.array(z.string()).optional(),
  permissions: z
    .strictObject({
      mode: z.enum(['open', 'standard', 'strict']).optional(),
      precedence: z.enum(['ask-first', 'allow-first']).optional(),
      allow: rules.optional(),
      ask: rules.optional(),
      deny: rules.optional(),
    })
    .optional(),
  prices: z
    .record(z.string(), z.strictObject({ input: price, output: price, cachedInput: price.optional() }))
    .optional(),
  secrets: z.array(z.string()).optional(),
  hooks: z
    .partialRecord(
      z.enum(HOOK_EVENTS),
      z.array(
        z.object({
          matcher: z.string().optional(),
          hooks: z.array(
            z.object({
              type: z.literal('command'),
              command: z.string().min(1),
              /** Seconds. */
              timeout: z.number().positive().max(3_600).optional(),
              onFailure: z.enum(['deny', 'continue']).optional(),
            }),
          ),
        }),
      ),
    )
    .optional(),
  /** Read, with their places in the file, by the room of MCP. */
  mcpServers: z.unknown().optional(),
  network: z.strictObject({ allow: z.array(z.string()).optional() }).optional(),
  skills: z.strictObject({ dirs: z.array(z.string()).optional(), trust: z.boolean().optional() }).optional(),
  sandbox: sandboxSchema.optional(),
  context: z.strictObject({ window: positive.optional() }).optional(),
  limits: z
    .strictObject({
      toolTimeoutMs: positive.optional(),
      maxResultTokens: positive.optional(),
      maxTurnChars: positive.optional(),
      maxParallel: positive.optional(),
    })
    .optional(),
});

/** What a `toolwright.json` may say. */
export type Config = z.infer<typeof configSchema>;

export interface ConfigFile {
  readonly path: string;
  readonly folder: string;
  readonly config: Config;
  /** As it stands in the file, to name lines of it. */
  readonly text: string;
  /** Keys that mean nothing to us, one line each. */
  readonly warnings: readonly string[];
}

/** Reads `toolwright.json` of a folder; undefined when there is none. Errors name the file and the place in it. */
export async function readConfig(folder: string): Promise<ConfigFile | undefined> {
  const path = join(folder, 'toolwright.json');
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw new ToolwrightError('invalid_request', `${path} cannot be read: ${messageOf(error)}`, { cause: error });
  });
  if (text === undefined) return undefined;
  const { config, unknown } = parseConfig(path, text);
  const known = Object.keys(configSchema.shape);
  const warnings = unknown.map((key) => {
    const near = nearNames(key, known, 1)[0];
    return `${path}: the key "${key}" has no effect${near === undefined ? '' : `; did you mean "${near}"?`}`;
  });
  return { path, folder: dirname(path), config, text, warnings };
}

function parseConfig(path: string, text: string): { config: Config; unknown: string[] } {
  const fault = jsonFault(text);
  if (fault !== undefined) {
    throw new ToolwrightError(
      'invalid_request',
      `${path} is not valid JSON: line ${fault.line}, column ${fault.column}`,
      { hint: 'Mend the file; comments and trailing commas are not JSON.' },
    );
  }
  const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
  const parsed = configSchema.safeParse(value);
  if (parsed.success) {
    const unknown = Object.keys(value as object).filter((key) => key !== '$schema' && !(key in configSchema.shape));
    return { config: parsed.data, unknown };
  }
  const issue = parsed.error.issues[0];
  const steps = (issue?.path ?? []).map((step) => (typeof step === 'number' ? step : String(step)));
  const place = steps.length > 0 ? steps.join('.') : 'the file';
  const line = jsonLine(text, steps);
  throw new ToolwrightError('invalid_request', `${path}: ${place}: ${issue?.message ?? 'not allowed'} (line ${line})`, {
    hint: `Mend ${place} in ${path}.`,
    data: parsed.error.issues,
  });
}
