import type { ModelFixture } from './model-fixture.ts';
import { breakFixtures } from './model-fixtures-breaks.ts';
import { callFixtures } from './model-fixtures-calls.ts';
import { lineFixtures } from './model-fixtures-lines.ts';

export type { FixtureOutcome, ModelFixture } from './model-fixture.ts';

/** Traps of real model streams, each as the exact bytes that a server would send. */
export const modelFixtures: readonly ModelFixture[] = [...callFixtures, ...breakFixtures, ...lineFixtures];
