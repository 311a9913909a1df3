import { expect } from 'vitest';
import { z } from 'zod';
import { verifies } from '../../test/verifies.ts';
import type { Tool } from '../core/index.ts';
import { createRegistry, type RegistryChange } from './index.ts';

const anyTool = (name: string, extra: Partial<Tool> = {}): Tool => ({
  name,
  description: `does ${name}`,
  input: { type: 'object' },
  run: () => name,
  ...extra,
});

verifies('registry/add', 'names are given back sorted, tools by name', () => {
  const registry = createRegistry();
  for (const name of ['b', 'c', 'a']) registry.add(anyTool(name), { source: 'test' });
  expect(registry.names()).toEqual(['a', 'b', 'c']);
  expect(registry.get('b')?.run({}, {} as never)).toBe('b');
  expect(registry.get('d')).toBeUndefined();
  expect(registry.canonical('d')).toBeUndefined();
  expect(registry.sourceOf('a')).toBe('test');
  expect(registry.get('constructor')).toBeUndefined();
});

verifies('registry/add', 'the field that is wrong is told', () => {
  const registry = createRegistry();
  const add = (tool: unknown) => () => registry.add(tool as Tool, { source: 'test' });
  const { run, description, input } = anyTool('x');
  for (const [tool, field] of [
    [null, 'object'],
    [[], 'object'],
    [{ description, input, run }, '"name"'],
    [{ name: '', description, input, run }, '"name"'],
    [{ name: 'a b', description, input, run }, '"name"'],
    [{ name: 'x'.repeat(65), description, input, run }, '"name"'],
    [{ name: 'x', input, run }, '"description"'],
    [{ name: 'x', description: ' ', input, run }, '"description"'],
    [{ name: 'x', description, run }, '"input"'],
    [{ name: 'x', description, input: 'object', run }, '"input"'],
    [{ name: 'x', description, input }, '"run"'],
    [{ name: 'x', description, input, run, aliases: [{ name: 'a b' }] }, '"aliases"'],
    [{ name: 'x', description, input, run, aliases: 'y' }, '"aliases"'],
  ] as const) {
    expect(add(tool)).toThrowError(expect.objectContaining({ code: 'invalid_request' }));
    expect(add(tool)).toThrowError(field);
  }
  expect(registry.names()).toEqual([]);
});

verifies('registry/conflict', 'a taken name is a conflict, whatever the source', () => {
  const registry = createRegistry();
  registry.add(anyTool('a'), { source: 'one' });
  for (const source of ['one', 'two']) {
    expect(() => registry.add(anyTool('a'), { source })).toThrowError(expect.objectContaining({ code: 'conflict' }));
  }
  expect(() => registry.add(anyTool('a'), { source: 'two' })).toThrowError(/one/);
  expect(registry.sourceOf('a')).toBe('one');
});

verifies('registry/conflict', 'a priority decides, and an event says so', () => {
  const registry = createRegistry();
  const changes: RegistryChange[] = [];
  const off = registry.onChange((change) => changes.push(change));
  registry.add(anyTool('a'), { source: 'low' });
  registry.add(anyTool('a'), { source: 'high', priority: 10 });
  registry.add(anyTool('a'), { source: 'middle', priority: 5 });
  expect(registry.sourceOf('a')).toBe('high');
  expect(registry.shadowed()).toEqual([
    { name: 'a', source: 'middle' },
    { name: 'a', source: 'low' },
  ]);
  expect(registry.remove('a', { source: 'high' })).toBe(true);
  expect(registry.sourceOf('a')).toBe('middle');
  expect(registry.remove('a')).toBe(true);
  expect(registry.get('a')).toBeUndefined();
  expect(registry.remove('a')).toBe(false);
  expect(changes.map(({ kind, source }) => `${kind} ${source}`)).toEqual([
    'added low',
    'shadowed low',
    'added high',
    'shadowed middle',
    'removed high',
    'added middle',
    'removed middle',
    'removed low',
  ]);
  off();
  registry.add(anyTool('b'), { source: 'low' });
  expect(changes).toHaveLength(8);
});

verifies('registry/conflict', 'replace takes the place of what stands, and only of that', () => {
  const registry = createRegistry();
  const changes: RegistryChange[] = [];
  registry.onChange((change) => changes.push(change));
  expect(() => registry.replace(anyTool('a'), { source: 'two' })).toThrowError(
    expect.objectContaining({ code: 'not_found' }),
  );
  registry.add(anyTool('a', { aliases: [{ name: 'old' }] }), { source: 'one' });
  const next = anyTool('a');
  registry.replace(next, { source: 'two' });
  expect(registry.get('a')).toBe(next);
  expect(registry.get('old')).toBeUndefined();
  expect(changes.at(-1)).toEqual({ kind: 'replaced', name: 'a', source: 'two' });
});

verifies('registry/alias', 'an alias leads to its tool and never hides a real name', () => {
  const registry = createRegistry();
  registry.add(anyTool('read_file', { aliases: [{ name: 'Read' }, { name: 'open' }] }), { source: 'one' });
  expect(registry.canonical('Read')).toBe('read_file');
  expect(registry.get('Read')?.name).toBe('read_file');
  expect(registry.names()).toEqual(['read_file']);
  registry.add(anyTool('open'), { source: 'one' });
  expect(registry.canonical('open')).toBe('open');
  registry.remove('open');
  expect(registry.canonical('open')).toBe('read_file');
  registry.remove('read_file');
  expect(registry.canonical('open')).toBeUndefined();
});

verifies('registry/alias', 'an alias belongs to one tool', () => {
  const registry = createRegistry();
  registry.add(anyTool('a', { aliases: [{ name: 'x' }] }), { source: 'one' });
  const other = anyTool('b', { aliases: [{ name: 'x' }] });
  expect(() => registry.add(other, { source: 'two' })).toThrowError(expect.objectContaining({ code: 'conflict' }));
  expect(registry.names()).toEqual(['a']);
  registry.add(anyTool('a', { aliases: [{ name: 'x' }] }), { source: 'two', priority: 1 });
  expect(registry.canonical('x')).toBe('a');
});

verifies('registry/definitions', 'sorted, made once, kept until something changes', () => {
  const registry = createRegistry();
  let asked = 0;
  const description = (view: { names(): readonly string[] }) => `${++asked}: ${view.names().join(',')}`;
  registry.add(anyTool('b', { input: z.object({ x: z.string() }) }), { source: 'one' });
  registry.add(anyTool('a', { description }), { source: 'one' });
  const first = registry.definitions();
  expect(first.map((each) => each.name)).toEqual(['a', 'b']);
  expect(first[0]?.description).toBe('1: a,b');
  expect(first[1]?.inputSchema).toMatchObject({ type: 'object', properties: { x: { type: 'string' } } });
  expect(registry.definitions()).toBe(first);
  registry.add(anyTool('c'), { source: 'one' });
  expect(registry.definitions()).not.toBe(first);
  expect(registry.definitions()[1]).toBe(first[1]);
  expect(asked).toBe(1);
});

verifies('registry/definitions', 'one that cannot be described costs itself and no other', () => {
  const registry = createRegistry();
  registry.add(anyTool('a'), { source: 'one' });
  registry.add(anyTool('b', { input: z.object({ when: z.date() }) }), { source: 'one' });
  registry.add(
    anyTool('c', {
      description: () => {
        throw new Error('no text today');
      },
    }),
    { source: 'one' },
  );
  expect(registry.definitions().map((each) => each.name)).toEqual(['a']);
  expect(registry.faults().map((fault) => fault.name)).toEqual(['b', 'c']);
  expect(registry.faults()[1]?.message).toBe('no text today');
});

verifies('REG-03', 'a tool whose schema no input could be judged by is left out, and why is told', () => {
  const registry = createRegistry();
  registry.add(anyTool('good'), { source: 'one' });
  registry.add(anyTool('typo', { input: { type: 'object', properties: { a: { type: 'strng' } } } }), { source: 'one' });
  registry.add(anyTool('lost', { input: { $ref: '#/$defs/none' } }), { source: 'one' });
  expect(registry.definitions().map((each) => each.name)).toEqual(['good']);
  expect(registry.faults().map(({ name, message }) => [name, message])).toEqual([
    ['lost', expect.stringContaining('/$ref')],
    ['typo', expect.stringContaining('/properties/a/type')],
  ]);
});

verifies('registry/many', 'a thousand tools', () => {
  let converted = 0;
  const input = {
    '~standard': {
      version: 1 as const,
      vendor: 'test',
      validate: (value: unknown) => ({ value }),
      jsonSchema: { input: () => ({ type: 'object', n: ++converted }) },
    },
  };
  const tools = Array.from({ length: 1_000 }, (_, i) =>
    anyTool(`tool_${i}`, { input, aliases: [{ name: `alias_${i}` }] }),
  );
  const setUp = () => {
    const began = performance.now();
    const registry = createRegistry();
    for (const tool of tools) registry.add(tool, { source: 'many' });
    expect(registry.view({ allow: ['tool_*'] }).names()).toHaveLength(1_000);
    return { registry, took: performance.now() - began };
  };
  const runs = [setUp(), setUp(), setUp()];
  expect(Math.min(...runs.map((run) => run.took))).toBeLessThan(50);
  expect(converted).toBe(0);
  expect(runs[0]?.registry.definitions()).toHaveLength(1_000);
});
