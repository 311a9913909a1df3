import { expect } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import type { Tool } from '../core/index.ts';
import { createRegistry, presets, type Registry } from './index.ts';

const anyTool = (name: string, extra: Partial<Tool> = {}): Tool => ({
  name,
  description: name,
  input: { type: 'object' },
  run: () => name,
  ...extra,
});

function registryOf(...tools: (string | Tool)[]): Registry {
  const registry = createRegistry();
  for (const tool of tools) registry.add(typeof tool === 'string' ? anyTool(tool) : tool, { source: 'test' });
  return registry;
}

verifies('registry/view', 'lists take names, aliases and prefixes; deny is stronger', () => {
  const registry = registryOf('a', 'b', 'mcp__github__x', 'mcp__github__y', 'mcp__other__x');
  registry.add(anyTool('read_file', { aliases: [{ name: 'Read' }] }), { source: 'test' });
  const names = (options: Parameters<Registry['view']>[0]) => registry.view(options).names();
  expect(names({})).toEqual(registry.names());
  expect(names({ allow: [] })).toEqual([]);
  expect(names({ allow: ['', ' '] })).toEqual([]);
  expect(names({ allow: ['a', 'Read', 'mcp__github__*'] })).toEqual([
    'a',
    'mcp__github__x',
    'mcp__github__y',
    'read_file',
  ]);
  expect(names({ allow: ['mcp__*'], deny: ['mcp__github__y', 'Read'] })).toEqual(['mcp__github__x', 'mcp__other__x']);
  expect(names({ deny: ['mcp__*', 'Read', 'b'] })).toEqual(['a']);
  expect(names({ deny: ['*'] })).toEqual([]);
});

verifies('registry/view', 'what it does not show it does not give', () => {
  const registry = registryOf('b', anyTool('a', { aliases: [{ name: 'x' }] }));
  const view = registry.view({ deny: ['a'] });
  for (const name of ['a', 'x']) {
    expect(view.get(name)).toBeUndefined();
    expect(view.canonical(name)).toBeUndefined();
    expect(view.definition(name)).toBeUndefined();
  }
  expect(view.definitions().map((each) => each.name)).toEqual(['b']);
});

verifies('registry/view', 'it is live', () => {
  const registry = registryOf('a');
  const view = registry.view({ allow: ['a', 'b', 'mcp__*'] });
  expect(view.names()).toEqual(['a']);
  expect(view.unknown).toEqual(['b', 'mcp__*']);
  const before = view.definitions();
  expect(view.definitions()).toBe(before);
  registry.add(anyTool('mcp__s__t'), { source: 's' });
  registry.add(anyTool('b'), { source: 'test' });
  registry.add(anyTool('c'), { source: 'test' });
  expect(view.names()).toEqual(['a', 'b', 'mcp__s__t']);
  expect(view.unknown).toEqual([]);
  registry.remove('a');
  expect(view.get('a')).toBeUndefined();
  const next = anyTool('b', { description: 'new' });
  registry.replace(next, { source: 'test' });
  expect(view.get('b')).toBe(next);
  expect(view.definitions()[0]?.description).toBe('new');
});

verifies('registry/view', 'explicitOnly needs its own name', () => {
  const registry = registryOf('a', anyTool('secret', { traits: { explicitOnly: true }, aliases: [{ name: 'S' }] }));
  expect(registry.view().names()).toEqual(['a']);
  expect(registry.view({ allow: ['*', 'sec*'] }).names()).toEqual(['a']);
  expect(registry.view({ allow: ['S'] }).names()).toEqual(['secret']);
  expect(registry.view({ allow: ['secret'], deny: ['s*'] }).names()).toEqual([]);
});

verifies('registry/view', 'the shell tools come together', () => {
  const registry = registryOf('run_bash', 'await_shell', 'kill_shell', 'x');
  for (const name of ['run_bash', 'await_shell', 'kill_shell']) {
    expect(registry.view({ allow: [name] }).names()).toEqual(['await_shell', 'kill_shell', 'run_bash']);
  }
  expect(registry.view({ deny: ['run_bash'] }).names()).toEqual(['x']);
  expect(registry.view({ deny: ['kill_shell'] }).names()).toEqual(['await_shell', 'run_bash', 'x']);
});

verifies('registry/view', 'agent modes leave out subagents, background and team', () => {
  const registry = registryOf(...presets.withTeam);
  const count = (agentMode: 'solo' | 'fibre' | 'team') => registry.view({ agentMode }).names().length;
  expect(registry.view({ agentMode: 'solo', allow: ['subagent', 'read_file'] }).names()).toEqual(['read_file']);
  expect([count('solo'), count('fibre'), count('team')]).toEqual([18, 21, 25]);
});

verifies('registry/presets', 'their sizes are fixed', () => {
  const sizes = Object.entries(presets).map(([name, names]) => [name, new Set(names).size]);
  expect(sizes).toEqual([
    ['empty', 0],
    ['standard', 19],
    ['withBackground', 21],
    ['withTeam', 25],
  ]);
  expect(presets.standard.slice(0, 6)).toEqual([
    'read_file',
    'grep_files',
    'glob_files',
    'file_write',
    'file_edit',
    'run_bash',
  ]);
});

verifies('registry/view-sources', 'the first registry wins', () => {
  const high = registryOf('a', anyTool('x', { aliases: [{ name: 'b' }] }));
  const low = createRegistry();
  for (const name of ['a', 'b', 'c']) low.add(anyTool(name), { source: 'low' });
  const view = createRegistry().view({ from: [high, low] });
  expect(view.names()).toEqual(['a', 'b', 'c', 'x']);
  expect(view.get('a')).toBe(high.get('a'));
  expect(view.get('b')).toBe(low.get('b'));
  expect(view.shadowed).toEqual([{ name: 'a', source: 'low' }]);
  expect(high.view({ from: [low, high] }).get('a')).toBe(low.get('a'));
  expect(high.view({ from: [low] }).get('a')).toBe(high.get('a'));
  low.add(anyTool('c'), { source: 'lower', priority: -1 });
  expect(view.shadowed).toEqual([
    { name: 'a', source: 'low' },
    { name: 'c', source: 'lower' },
  ]);
  expect(createRegistry().view({ from: [high, low], deny: ['a', 'c'] }).shadowed).toEqual([]);
});

verifies('registry/view-unknown', 'unknown, or pending while the server connects', () => {
  const registry = registryOf('a');
  const view = registry.view({
    allow: ['a', 'nope', 'mcp__git_hub__x', 'mcp__git_hub__*', 'mcp__gone__x'],
    deny: ['nope', 'never'],
    pendingServers: ['git.hub'],
  });
  expect(view.unknown).toEqual(['nope', 'mcp__gone__x', 'never']);
  expect(view.pending).toEqual(['mcp__git_hub__x', 'mcp__git_hub__*']);
  registry.add(anyTool('mcp__git_hub__x'), { source: 'git.hub' });
  expect(view.pending).toEqual([]);
  expect(view.names()).toEqual(['a', 'mcp__git_hub__x']);
});
