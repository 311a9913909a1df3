import { expect } from 'vitest';
import { verifies } from '../../../test/verifies.ts';
import type { EventBody } from '../../core/index.ts';
import { createRunView } from './run-view.ts';
import { createStyle } from './style.ts';

function shown(...events: EventBody[]): string {
  const view = createRunView({ style: createStyle(false), width: 60 });
  return events.map((event) => view.push(event)).join('');
}
const call: EventBody = { type: 'tool_call', callId: 'c', name: 'run_bash', arguments: { command: 'make' }, step: 1 };
const output = (text: string, stream: 'stdout' | 'stderr' = 'stdout', closed = false): EventBody => ({
  type: 'tool_progress',
  callId: 'c',
  text,
  stream,
  closed,
  offset: 0,
});
const result = (content: string, extra: object = {}): EventBody => ({
  type: 'tool_result',
  result: { callId: 'c', name: 'run_bash', content, durationMs: 12.4, ...extra },
  step: 1,
});

verifies('cli/view', 'live output by whole lines, stderr apart, the rest at the close', () => {
  const text = shown(call, output('one\ntw'), output('oops\n', 'stderr'), output('o\nthr'), output('', 'stdout', true));
  expect(text).toBe(
    [
      '● run_bash command: make',
      '  run_bash | one',
      '  run_bash ! oops',
      '  run_bash | two',
      '  run_bash | thr',
      '',
    ].join('\n'),
  );
});

verifies('cli/view', 'a long result is collapsed, with its stored place', () => {
  const lines = Array.from({ length: 30 }, (_, i) => `line ${i}`).join('\n');
  const text = shown(call, result(lines, { stored: { id: 'c', path: 'outputs/c.txt', bytes: 2_048 } }));
  expect(text).toContain('✓ run_bash 12 ms');
  expect(text).toContain('… 22 more lines');
  expect(text).toContain('stored whole: outputs/c.txt (2.0 KB)');
  expect(text).not.toContain('line 9');
});

verifies('cli/view', 'a flood of live output is counted, not shown; calls of one tool are told apart', () => {
  const flood = Array.from({ length: 1_000 }, (_, i) => `line ${i}\n`).join('');
  const second: EventBody = { ...call, callId: 'd' };
  const text = shown(call, second, output(flood), output('', 'stdout', true));
  expect(text).toContain('● run_bash #2 command: make');
  expect(text).toContain('run_bash | line 39\n');
  expect(text).not.toContain('line 40\n');
  expect(text).toContain('run_bash … 960 more lines');
});

verifies('cli/view', 'an error shows its code; text ends its line before a card begins', () => {
  const error = { code: 'denied' as const, message: 'no', retryable: false };
  const text = shown({ type: 'text_delta', text: 'I will' }, call, result('Error [denied]: no', { error }));
  expect(text.split('\n').slice(0, 3)).toEqual(['I will', '● run_bash command: make', '✗ run_bash denied 12 ms']);
});

verifies('cli/harmless', 'names, arguments, output and text cannot steer the terminal', () => {
  const evil = '\u001b[31m\u001b]0;x\u0007\u009b2J\rtext';
  const text = shown(
    { type: 'text_delta', text: evil },
    { type: 'tool_call', callId: 'c', name: evil, arguments: { command: evil }, step: 1 },
    output(evil),
    result(evil),
    { type: 'error', code: 'failed', message: evil, retryable: false },
  );
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
});
