import { z } from 'zod';
import { ToolwrightError } from '../../../core/index.ts';

const id = z.string().regex(/^[A-Za-z0-9_-]{1,128}$/, 'letters, digits, - and _, at most 128');
const path = z.string().min(1);

export const openShape = z.strictObject({
  id,
  cwd: path.optional(),
  roots: z
    .array(z.strictObject({ path, access: z.enum(['read', 'write']), label: z.string() }))
    .min(1)
    .max(64)
    .optional(),
});

export const startShape = z
  .strictObject({
    id,
    command: z.string().optional(),
    argv: z.array(z.string()).min(1).optional(),
    cwd: path.optional(),
    env: z.record(z.string(), z.string()).optional(),
    follow: z.boolean(),
    stdout: z.int().min(0).default(0),
    stderr: z.int().min(0).default(0),
  })
  .refine((start) => (start.command === undefined) !== (start.argv === undefined), 'one of command and argv is needed');

/** A body of JSON in its shape; ToolwrightError `invalid_request` says what was wrong. */
export function parseBody<Shape extends z.ZodType>(shape: Shape, body: Buffer): z.output<Shape> {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (error) {
    const what = error instanceof SyntaxError ? error.message : 'it is not UTF-8';
    throw new ToolwrightError('invalid_request', `The body is not valid JSON: ${what}`);
  }
  const parsed = shape.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const place = issue?.path.length ? `${issue.path.join('.')}: ` : '';
  throw new ToolwrightError('invalid_request', `The body is not as it must be: ${place}${issue?.message ?? 'odd'}`);
}

/** A whole number of a query; absent when it is not given. */
export function numberOf(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (/^\d{1,16}$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
  throw new ToolwrightError('invalid_request', `${name} is not a whole number`);
}
