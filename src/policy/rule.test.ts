import { expect } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { parseRule } from './index.ts';

verifies('policy/parse', 'the forms of a rule', () => {
  for (const [text, rule] of [
    ['run_bash', { name: 'run_bash', isPrefix: false }],
    [' run_bash ', { text: 'run_bash', name: 'run_bash', isPrefix: false }],
    ['*', { name: '', isPrefix: true }],
    ['mcp__github__*', { name: 'mcp__github__', isPrefix: true }],
    ['mcp__github', { name: 'mcp__github__', isPrefix: true }],
    ['mcp__github__create', { name: 'mcp__github__create', isPrefix: false }],
    ['run_bash(git status:*)', { name: 'run_bash', isPrefix: false, specifier: 'git status:*' }],
    ['run_bash(echo (a))', { name: 'run_bash', isPrefix: false, specifier: 'echo (a)' }],
    ['file_*(src/**)', { name: 'file_', isPrefix: true, specifier: 'src/**' }],
    ['run_bash(*)', { name: 'run_bash', isPrefix: false }],
    ['fetch_webpages( domain:x.org )', { name: 'fetch_webpages', isPrefix: false, specifier: 'domain:x.org' }],
  ] as const) {
    expect(parseRule(text)).toEqual({ text: text.trim(), ...rule });
  }
});

verifies('policy/parse', 'a malformed one says what is wrong', () => {
  for (const [text, wrong] of [
    ['', 'empty'],
    ['  ', 'empty'],
    ['run_bash(', 'closing parenthesis'],
    ['run_bash(ls', 'closing parenthesis'],
    ['run_bash(ls) x', 'closing parenthesis'],
    ['run_bash)', 'no opening one'],
    ['run_bash()', 'nothing stands'],
    ['run_bash( )', 'nothing stands'],
    ['(ls)', 'no tool name'],
    ['*bash', 'only stand at the end'],
    ['mcp__*__x', 'only stand at the end'],
    ['run bash', '" " cannot'],
    ['run_bash,ls', '"," cannot'],
    ['fetch(domain:)', 'no host'],
  ] as const) {
    expect(() => parseRule(text), text).toThrowError(expect.objectContaining({ code: 'invalid_request' }));
    expect(() => parseRule(text), text).toThrowError(wrong);
  }
});
