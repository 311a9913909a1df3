import { z } from 'zod';

/** What a variable may be called, so that every shell can read it. */
export const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

export const SANDBOX_KINDS = ['passthrough', 'local', 'remote'] as const;

const positive = z.int().positive();
const kind = z.enum(SANDBOX_KINDS);

const parts = z.strictObject({
  kind: kind.optional(),
  /** Folders beside the session's own. */
  mounts: z
    .array(
      z.strictObject({
        path: z.string().min(1),
        at: z.string().startsWith('/', 'an absolute path').optional(),
        access: z.enum(['read', 'write']).default('read'),
      }),
    )
    .optional(),
  network: z.union([z.enum(['off', 'on']), z.array(z.string().min(1))]).optional(),
  limits: z
    .strictObject({
      cpuSeconds: positive.optional(),
      memoryMb: positive.optional(),
      processes: positive.optional(),
      wallMs: positive.optional(),
    })
    .optional(),
  /** Variables of our own that commands get, too, by their whole names. */
  env: z.array(z.string().regex(VARIABLE_NAME, 'the name of a variable')).optional(),
  /** Of `remote`: the server, the variable with its token, the working folder there. */
  url: z.url().optional(),
  tokenEnv: z.string().min(1).optional(),
  cwd: z.string().startsWith('/', 'an absolute path').optional(),
});

/** The key `sandbox` of a `toolwright.json`: a kind, or a kind with what belongs to it. */
export const sandboxSchema = z.union([kind.transform((value) => ({ kind: value })), parts]);

export type SandboxConfig = z.output<typeof parts>;

/** Where commands and files of sessions happen, as it was settled from all places. */
export type SandboxSettings = SandboxConfig & { readonly kind: (typeof SANDBOX_KINDS)[number] };
