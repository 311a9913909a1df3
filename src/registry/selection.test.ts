import { expect } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import type { Tool } from '../core/index.ts';
import { createRegistry, createSelection, type Registry } from './index.ts';

const anyTool = (name: string, extra: Partial<Tool> = {}): Tool => ({
  name,
  description: name,
  input: { type: 'object' },
  run: () => name,
  ...extra,
});

function registryOf(...names: string[]): Registry {
  const registry = createRegistry();
  for (const name of names) registry.add(anyTool(name), { source: 'test' });
  return registry;
}

const namesOf = (block: readonly { readonly name: string }[]) => block.map((each) => each.name);

verifies('REG-05', 'b is expanded, a was there, d and zz are both just invalid', () => {
  const view = registryOf('a', 'b', 'c', 'd').view({ allow: ['a', 'b', 'c'] });
  const selection = createSelection(view, { names: ['a'] });
  expect(namesOf(selection.block())).toEqual(['a']);
  const report = selection.expand(['b', 'd', 'a', 'zz', ' b ', '']);
  expect(report).toEqual({ expanded: ['b'], alreadySelected: ['a'], invalid: ['d', 'zz', ''], expandable: ['c'] });
  expect(selection.offers('c')).toBe(false);
  expect(selection.get('c')?.name).toBe('c');
  expect(selection.get('d')).toBeUndefined();
  expect(selection.names()).toEqual(['a', 'b', 'c']);
  expect(namesOf(selection.block())).toEqual(['a', 'b']);
});

verifies('REG-05', 'names are exact, an alias counts as its tool, a refused name changes nothing', () => {
  const registry = registryOf('a', 'b');
  registry.add(anyTool('read_file', { aliases: [{ name: 'Read' }] }), { source: 'test' });
  const selection = createSelection(registry.view(), { names: ['a', 'nope'] });
  expect(selection.expand(['B'])).toEqual({
    expanded: [],
    alreadySelected: [],
    invalid: ['B'],
    expandable: ['b', 'read_file'],
  });
  expect(selection.expand(['Read', 'read_file']).expanded).toEqual(['read_file']);
  expect(selection.expand(['Read']).alreadySelected).toEqual(['read_file']);
  expect(createSelection(registry.view()).expand(['a'])).toEqual({
    expanded: [],
    alreadySelected: ['a'],
    invalid: [],
    expandable: [],
  });
});

verifies('REG-05', 'one shell tool brings the others', () => {
  const selection = createSelection(registryOf('a', 'run_bash', 'await_shell', 'kill_shell').view(), { names: ['a'] });
  expect(selection.expand(['run_bash']).expanded).toEqual(['run_bash', 'await_shell', 'kill_shell']);
});

verifies('registry/block', 'sorted at first, later batches behind it, the same array while nothing changes', () => {
  const registry = registryOf('m', 'c');
  const selection = createSelection(registry.view());
  const first = selection.block();
  expect(namesOf(first)).toEqual(['c', 'm']);
  expect(selection.block()).toBe(first);
  for (const name of ['z', 'a', 'p']) registry.add(anyTool(name), { source: 'late' });
  const second = selection.block();
  expect(namesOf(second)).toEqual(['c', 'm', 'a', 'p', 'z']);
  expect(second.slice(0, 2)).toEqual([first[0], first[1]]);
  expect(second[0]).toBe(first[0]);
  expect(selection.block()).toBe(second);
  expect(selection.definitions()).toBe(second);
  selection.rebuild();
  expect(namesOf(selection.block())).toEqual(['a', 'c', 'm', 'p', 'z']);
});

verifies('registry/block', 'a description function is asked once, with the first block', () => {
  let asked = 0;
  const registry = registryOf('b');
  const description = (view: { names(): readonly string[] }) => `${++asked} of ${view.names().length}`;
  registry.add(anyTool('a', { description }), { source: 'test' });
  const selection = createSelection(registry.view());
  expect(asked).toBe(0);
  expect(selection.block()[0]?.description).toBe('1 of 2');
  registry.add(anyTool('c'), { source: 'test' });
  expect(selection.block()[0]?.description).toBe('1 of 2');
  expect(asked).toBe(1);
});

verifies('registry/block', 'select chooses what is offered next; what was sent stays offered until a rebuild', () => {
  const selection = createSelection(registryOf('a', 'b', 'c').view());
  expect(selection.select(['b', 'x', 'b'])).toEqual({ selected: ['b'], invalid: ['x'] });
  expect(namesOf(selection.block())).toEqual(['b']);
  selection.select(['a']);
  expect(namesOf(selection.block())).toEqual(['b', 'a']);
  expect([selection.offers('a'), selection.offers('b'), selection.offers('c')]).toEqual([true, true, false]);
  selection.rebuild();
  expect(namesOf(selection.block())).toEqual(['a']);
  expect(selection.offers('b')).toBe(false);
});

verifies('registry/block', 'a tool that cannot be described is left out, and the others are not', () => {
  const registry = registryOf('a');
  registry.add(anyTool('b', { description: () => undefined as never }), { source: 'test' });
  const view = registry.view();
  expect(namesOf(createSelection(view).block())).toEqual(['a']);
  expect(view.faults).toEqual([{ name: 'b', message: 'its description function gave no text' }]);
});

verifies('registry/gone', 'its definition stays, its calls can be told', () => {
  const registry = registryOf('a', 'c');
  registry.add(anyTool('b', { aliases: [{ name: 'B' }] }), { source: 'server' });
  const selection = createSelection(registry.view());
  const before = selection.block();
  registry.remove('b');
  expect(selection.block()).toBe(before);
  expect([selection.isGone('a'), selection.isGone('b'), selection.isGone('B'), selection.isGone('x')]).toEqual([
    false,
    true,
    true,
    false,
  ]);
  expect(selection.get('B')?.name).toBe('b');
  expect(selection.canonical('B')).toBe('b');
  expect(selection.names()).toEqual(['a', 'c']);
  registry.add(anyTool('b'), { source: 'server' });
  expect(selection.isGone('b')).toBe(false);
  expect(selection.offers('b')).toBe(true);
  expect(selection.block()).toBe(before);
  registry.remove('b');
  selection.rebuild();
  expect(namesOf(selection.block())).toEqual(['a', 'c']);
  expect(selection.isGone('b')).toBe(false);
  expect(selection.get('b')).toBeUndefined();
});

verifies('registry/gone', 'a tool that goes before it was ever sent is just unknown', () => {
  const registry = registryOf('a', 'b');
  const selection = createSelection(registry.view(), { names: ['a'] });
  selection.block();
  registry.remove('b');
  expect(selection.isGone('b')).toBe(false);
  expect(selection.get('b')).toBeUndefined();
});
