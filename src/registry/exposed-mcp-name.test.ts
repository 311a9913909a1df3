import fc from 'fast-check';
import { expect } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { TOOL_NAME } from '../core/index.ts';
import { exposedMcpName } from './index.ts';

verifies('REG-01', 'the reported names are legal, distinct and stable', () => {
  const server60 = 's'.repeat(60);
  const uuid = '3f2a9c1b-7d8e-4f50-8172-8394a5b6c7d8';
  const pairs = [
    ['my.server', 'a.b/c'],
    ['my.server', 'a_b_c'],
    ['my_server', 'a.b/c'],
    ['my.server', '取天气'],
    ['my.server', '取天地'],
    ['my.server', '9tool'],
    ['my.server', `${'x'.repeat(80)}_one`],
    ['my.server', `${'x'.repeat(80)}_two`],
    [server60, 'one'],
    [server60, 'two'],
    [uuid, 'slack_search_public_and_private'],
    [uuid, 'slack_search_public_and_private_2'],
  ] as const;
  const names = pairs.map(([server, tool]) => exposedMcpName(server, tool));
  for (const name of names) expect(name).toMatch(TOOL_NAME);
  expect(new Set(names).size).toBe(names.length);
  expect(pairs.toReversed().map(([server, tool]) => exposedMcpName(server, tool))).toEqual(names.toReversed());
  expect(exposedMcpName('my.server', 'a.b/c')).toBe('mcp__my_server__a_b_c_2acae567');
});

verifies('REG-01', 'a plain name is kept, one that could be read in two ways is not', () => {
  expect(exposedMcpName('github', 'create_issue')).toBe('mcp__github__create_issue');
  expect(exposedMcpName('s', '9tool')).toBe('mcp__s__9tool');
  expect(exposedMcpName('a', 'b__c')).toMatch(/^mcp__a__b__c_[0-9a-f]{8}$/);
  expect(exposedMcpName('a__b', 'c')).not.toBe(exposedMcpName('a', 'b__c'));
  expect(exposedMcpName('a_', 'b')).not.toBe(exposedMcpName('a', '_b'));
  expect(exposedMcpName('s', 'x'.repeat(56))).toBe(`mcp__s__${'x'.repeat(56)}`);
  expect(exposedMcpName('s', 'x'.repeat(57))).toHaveLength(64);
});

verifies('REG-01', 'an empty name is refused', () => {
  for (const name of ['', '  ']) {
    expect(() => exposedMcpName('s', name)).toThrowError(expect.objectContaining({ code: 'invalid_request' }));
    expect(() => exposedMcpName(name, 't')).toThrowError(expect.objectContaining({ code: 'invalid_request' }));
  }
});

verifies('REG-01', 'any two pairs have two legal names', () => {
  const part = fc.oneof(
    fc.string({ minLength: 1, maxLength: 70, unit: 'binary' }),
    fc.string({ minLength: 1, maxLength: 12, unit: fc.constantFrom(...'_-aA.') }),
  );
  const pair = fc.tuple(part, part).filter(([server, tool]) => server.trim() !== '' && tool.trim() !== '');
  fc.assert(
    fc.property(pair, pair, (one, other) => {
      const [first, second] = [exposedMcpName(...one), exposedMcpName(...other)];
      expect(first).toMatch(TOOL_NAME);
      expect(first === second).toBe(one[0] === other[0] && one[1] === other[1]);
    }),
    { numRuns: 1_000 },
  );
});
