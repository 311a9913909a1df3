export { checkOutput, type OutputCheck } from './check-output.ts';
export { describeIssues } from './describe-issues.ts';
export type { Issue } from './issue.ts';
export type { LostKeyword } from './modernize.ts';
export { type ParsedArguments, parseArguments } from './parse-arguments.ts';
export { parseInput } from './parse-input.ts';
export { type Projection, projectSchema, type SchemaProvider } from './project-schema.ts';
export { toJsonSchema } from './to-json-schema.ts';
export type { ParseOutcome } from './validate-value.ts';
