import { sessions } from './001-sessions.ts';
import { asks } from './002-asks.ts';
import { audit } from './003-audit.ts';
import { tasks } from './004-tasks.ts';
import { sessionKeys } from './005-session-keys.ts';
import type { Migration } from './migration.ts';

/** In order; the last one's version is the schema that this release knows. */
export const migrations: readonly Migration[] = [sessions, asks, audit, tasks, sessionKeys];

export const SCHEMA_VERSION = Math.max(...migrations.map(({ version }) => version));
