import { expect } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import type { Tool, ToolOutput } from '../core/index.ts';
import { cleanOutput } from './clean-output.ts';
import { createMasker } from './mask-secrets.ts';
import { plainJson } from './plain-json.ts';
import { toOutput } from './to-output.ts';

const SECRET = 'a-very-secret "value"';
const masker = createMasker({ values: [SECRET] });
const warnings: string[] = [];
const log = (_level: string, message: string) => void warnings.push(message);
const clean = (output: unknown) => cleanOutput(output as ToolOutput, { name: 'x', masker, log });
const x: Tool = { name: 'x', description: 'x', input: {}, run: () => '' };

const ring: Record<string, unknown> = {};
ring['ring'] = ring;

verifies('executor/output', 'data that is no JSON costs itself and never the result', () => {
  const throws = {
    toJSON() {
      throw new Error('no');
    },
  };
  for (const data of [ring, throws, () => 1, 'y'.repeat(200_001)]) {
    warnings.length = 0;
    expect(clean({ content: 'kept', data })).toEqual({ content: 'kept' });
    expect(warnings).toHaveLength(1);
  }
  const data = { at: new Date(0), big: 5n, none: undefined, nan: Number.NaN };
  expect(clean({ content: 'kept', data }).data).toEqual({ at: '1970-01-01T00:00:00.000Z', big: '5', nan: null });
});

verifies('executor/mask', 'no secret is left in data or in an error', () => {
  const output = clean({
    content: 'kept',
    data: { [SECRET]: [`a ${SECRET}`, 1] },
    error: { code: 'failed', message: `with ${SECRET}`, hint: SECRET, retryable: false },
  });
  expect(output.data).toEqual({ '[masked]': ['a [masked]', 1] });
  expect(output.error).toEqual({ code: 'failed', message: 'with [masked]', hint: '[masked]', retryable: false });
});

verifies('executor/output', 'an error has the known form and a bounded message', () => {
  const errorOf = (error: unknown) => clean({ content: '', error }).error;
  expect(errorOf(null)).toBeUndefined();
  expect(errorOf('oops')).toEqual({ code: 'failed', message: 'oops', retryable: false });
  expect(errorOf({ code: 'weird' })).toMatchObject({ code: 'failed', message: 'the tool gave no reason' });
  expect(errorOf({ code: 'timeout', message: 'z'.repeat(9_999) })?.message).toHaveLength(2_000);
});

verifies('executor/output', 'parts are ones that every provider takes', () => {
  expect(clean({ content: [{ type: 'text', text: '' }] }).content).toBe('');
  expect(clean({ content: [{ type: 'text', text: 5 }] }).content).toEqual([{ type: 'text', text: '5' }]);
  const bytes = new Uint8Array([1, 2, 3]);
  expect(clean({ content: [{ type: 'image', mimeType: 'image/png', data: bytes }] }).content).toEqual([
    { type: 'image', mimeType: 'image/png', data: 'AQID' },
  ]);
  expect(clean({ content: [{ type: 'image' }] }).content).toMatchObject([{ type: 'text' }]);
  expect(clean({ content: 'x', stored: 'yes' })).toEqual({ content: 'x' });
});

verifies('executor/output', 'a value that JSON would show as nothing is a failure, not an empty object', async () => {
  for (const value of [new Map([[1, 2]]), new Set([1]), () => 1, Symbol('s'), new ReadableStream()]) {
    expect(await toOutput(x, value)).toMatchObject({ error: { code: 'failed' } });
  }
  expect(await toOutput(x, new Error('as a value'))).toMatchObject({
    error: { code: 'failed', message: 'as a value' },
  });
  expect(await toOutput(x, new ArrayBuffer(8))).toMatchObject({ data: { bytes: 8 } });
  expect(await toOutput(x, Object.create(null))).toMatchObject({ content: '{}' });
});

verifies('executor/output', 'what is JSON already is not copied', () => {
  const value = { a: [1, 'x', null, { b: true }] };
  expect(plainJson(value)).toBe(value);
  expect(plainJson(ring)).toBeUndefined();
});
