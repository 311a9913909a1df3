import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { messageOf, type PermissionMode, ToolwrightError } from '../core/index.ts';
import type { Settings } from './settings.ts';
import { rulesOf } from './settings-rules.ts';

const rules = z.array(z.string()).optional();
const permissions = z.object({
  mode: z.enum(['open', 'standard', 'strict']).optional(),
  defaultMode: z.string().optional(),
  precedence: z.enum(['ask-first', 'allow-first']).optional(),
  allow: rules,
  ask: rules,
  deny: rules,
});

/** The modes of other agents' settings. */
const FOREIGN_MODES: Readonly<Record<string, PermissionMode>> = {
  acceptEdits: 'standard',
  bypassPermissions: 'open',
  default: 'standard',
  dontAsk: 'strict',
  plan: 'strict',
};

/** Reads rules from a file: the `permissions` of a `toolwright.json` or of Claude Code's settings, or only what is in it. */
export async function readRulesFile(path: string, cwd: string): Promise<Settings['permissions']> {
  let value: unknown;
  try {
    value = JSON.parse((await readFile(path, 'utf8')).replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new ToolwrightError('invalid_request', `${path} cannot be read as rules: ${messageOf(error)}`, {
      cause: error,
    });
  }
  const inner = typeof value === 'object' && value !== null && 'permissions' in value ? value.permissions : value;
  const parsed = permissions.safeParse(inner);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new ToolwrightError(
      'invalid_request',
      `${path}: ${issue?.path.map(String).join('.') || 'the file'}: ${issue?.message}`,
    );
  }
  const { mode, defaultMode, precedence = 'ask-first' } = parsed.data;
  const file = { path, folder: cwd, config: { permissions: parsed.data } };
  return {
    mode: mode ?? FOREIGN_MODES[defaultMode ?? ''] ?? 'standard',
    precedence,
    allow: rulesOf(file, 'allow', 'project'),
    ask: rulesOf(file, 'ask', 'project'),
    deny: rulesOf(file, 'deny', 'project'),
  };
}
