import { expect } from 'vitest';
import { verifies } from '../../../test/verifies.ts';
import { seatbeltCommand, seatbeltProfile } from './seatbelt-command.ts';

const places = [
  { from: '/Users/a/wo"rk', to: '/Users/a/wo"rk', access: 'write' as const },
  { from: '/data', to: '/data', access: 'read' as const },
];

verifies('local/seatbelt', 'the profile names the folders, the tools and nothing of the network', () => {
  const tools = [{ from: '/x/rg', to: '/x/rg', access: 'read' as const }];
  const profile = seatbeltProfile({ places, tools, network: 'off', socket: undefined });
  expect(profile.split('\n').slice(0, 2)).toEqual(['(version 1)', '(deny default)']);
  expect(profile).toContain('(allow file-write* (subpath "/Users/a/wo\\"rk"))');
  expect(profile).toContain('(deny file-write* (subpath "/data"))');
  expect(profile).toContain('(subpath "/Users/a/wo\\"rk/.git/hooks")');
  expect(profile).toContain('(literal "/x/rg")');
  expect(profile).not.toContain('network');
  expect(profile.split('(').length).toBe(profile.split(')').length);
  expect(seatbeltProfile({ places, tools, network: 'on', socket: undefined })).toContain('(allow network*)');
  expect(seatbeltProfile({ places, tools, network: 'off', socket: '/s' })).toContain('network-outbound (literal "/s")');
});

verifies('local/seatbelt', 'limits stand before the command, which is passed as it is', () => {
  const limits = { cpuSeconds: 5, processes: 9 };
  const options = { program: '/usr/bin/sandbox-exec', places, tools: [], network: 'off' as const, socket: undefined };
  const command = seatbeltCommand(['bash', '-c', 'echo "$x"'], { ...options, limits });
  expect(command.slice(0, 2)).toEqual(['/usr/bin/sandbox-exec', '-p']);
  expect(command).toContain('ulimit -c 0 && ulimit -t 5 && ulimit -u 9; exec "$@"');
  expect(command.slice(-3)).toEqual(['bash', '-c', 'echo "$x"']);
});
