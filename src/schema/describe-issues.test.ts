import { expect } from 'vitest';
import { z } from 'zod';
import { verifies } from '../../test/verifies.ts';
import type { AnySchema } from '../core/index.ts';
import { describeIssues, parseInput, toJsonSchema } from './index.ts';

for (const [kind, schema] of [
  [
    'zod',
    z.strictObject({
      path: z.string(),
      limit: z.number().int().min(1).optional(),
      mode: z.enum(['content', 'files', 'count']).optional(),
      edits: z.array(z.strictObject({ old: z.string() })).optional(),
    }),
  ],
] as const) {
  for (const [form, each] of [
    [kind, schema as AnySchema],
    ['JSON Schema', JSON.parse(JSON.stringify(toJsonSchema(schema))) as AnySchema],
  ] as const) {
    verifies('schema/describe-issues', `${form}: the field, what was got and what is allowed`, async () => {
      const text = async (input: unknown) => {
        const outcome = await parseInput(each, input);
        if (outcome.ok) throw new Error('valid');
        return describeIssues('grep_files', outcome.issues, each);
      };
      expect(await text({})).toMatch(/grep_files.*\n- path: is required and missing \(string\)/);
      expect(await text({ pth: 'a' })).toMatch(/path: is required and missing \(string\); you wrote "pth"/);
      expect(await text({ path: 'a', modee: 1 })).toMatch(
        /- modee: is not a known field; did you mean "mode"\? \(allowed are path, limit, mode, edits\)/,
      );
      expect(await text({ path: 5 })).toMatch(/- path: must be a string; got the number 5/);
      expect(await text({ path: 'a', mode: 'file' })).toMatch(
        /- mode: must be one of "content", "files", "count"; got the string "file"; did you mean "files"\?/,
      );
      expect(await text({ path: 'a', limit: 0 })).toMatch(/- limit: .*1.*got the number 0/);
      expect(await text({ path: 'a', edits: [{ old: 'x' }, { new: 'x' }] })).toMatch(/- edits\[1\]\.old: is required/);
      expect(await text([])).toMatch(/the input: must be an object; got an empty array/);
      expect(await text({})).toMatch(
        /It takes: path \(string, required\); limit \(integer\); mode \(one of "content", "files", "count"\)/,
      );
    });
  }
}

verifies('schema/describe-issues', 'of a choice only what the nearest branch lacks', () => {
  const schema = {
    type: 'object',
    properties: {
      edit: {
        anyOf: [
          { $ref: '#/$defs/Replace' },
          {
            type: 'object',
            properties: { kind: { const: 'delete' }, line: { type: 'integer' } },
            required: ['kind', 'line'],
          },
        ],
      },
      id: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
    },
    $defs: {
      Replace: {
        type: 'object',
        properties: { kind: { const: 'replace' }, text: { type: 'string' } },
        required: ['kind', 'text'],
      },
    },
  };
  const issues = (input: unknown) => {
    const outcome = parseInput(schema, input);
    return outcome instanceof Promise || outcome.ok
      ? []
      : outcome.issues.map((issue) => `${issue.path} ${issue.message}`);
  };
  expect(issues({ edit: { kind: 'replace', text: 5 } })).toEqual(['/edit/text must be a string; got the number 5']);
  expect(issues({ edit: { kind: 'delete' } })).toEqual(['/edit/line is required and missing (integer)']);
  expect(issues({ id: [] })).toEqual(['/id must be string or integer; got an empty array']);
});

verifies('schema/describe-issues', 'the text has bounds', async () => {
  const properties = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`field_${i}`, { type: 'integer' }]));
  const schema = { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
  const outcome = await parseInput(schema, { wrong: 'x'.repeat(100_000), [`n${'x'.repeat(50_000)}`]: 1 });
  expect(outcome.ok).toBe(false);
  if (!outcome.ok) expect(describeIssues('t', outcome.issues, schema).length).toBeLessThanOrEqual(4_000);
});
