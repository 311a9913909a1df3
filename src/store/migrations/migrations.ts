import { sessions } from './001-sessions.ts';
import { asks } from './002-asks.ts';
import type { Migration } from './migration.ts';

/** In order; the last one's version is the schema that this release knows. */
export const migrations: readonly Migration[] = [sessions, asks];

export const SCHEMA_VERSION = migrations.length;
