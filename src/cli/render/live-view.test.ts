import { expect } from 'vitest';
import { createScreen, type Screen } from '../../../test/screen.ts';
import { verifies } from '../../../test/verifies.ts';
import type { EventBody } from '../../core/index.ts';
import { createVirtualClock, type VirtualClock } from '../../testing/index.ts';
import { createLiveView, type LiveView } from './live-view.ts';
import { createStyle } from './style.ts';

interface Bench {
  readonly screen: Screen;
  readonly clock: VirtualClock;
  readonly view: LiveView;
  /** Shows events, and lets the next picture be painted. */
  show(...events: EventBody[]): Promise<void>;
}

async function onScreen(
  size: { columns: number; rows: number },
  body: (bench: Bench) => Promise<void>,
  hasColor = false,
): Promise<void> {
  const screen = createScreen(size);
  const clock = createVirtualClock();
  const err = (text: string) => void screen.write(text);
  const view = createLiveView({ terminal: screen, style: createStyle(hasColor), clock, err });
  const show = async (...events: EventBody[]) => {
    await view.show(events);
    await clock.advance(50);
  };
  await body({ screen, clock, view, show });
  await view.close();
  expect(screen.faults).toEqual([]);
  expect(clock.pending).toBe(0);
}

const call = (callId: string, input: object = { command: `make ${callId}` }): EventBody => ({
  type: 'tool_call',
  callId,
  name: 'run_bash',
  arguments: input,
  step: 1,
});
function output(callId: string, text: string, stream: 'stdout' | 'stderr' = 'stdout', offset = 0): EventBody {
  return { type: 'tool_progress', callId, text, stream, closed: false, offset };
}
const result = (callId: string, extra: object = {}): EventBody => ({
  type: 'tool_result',
  result: { callId, name: 'run_bash', content: 'a\nb', durationMs: 1_234, data: { exit_code: 0 }, ...extra },
  step: 1,
});
const text = (text: string): EventBody => ({ type: 'text_delta', text });
const SIZE = { columns: 60, rows: 24 };

verifies('cli/live', 'two calls side by side, stderr apart, each collapses to a line, text scrolls above', () =>
  onScreen(SIZE, async ({ screen, show }) => {
    await show(text('I look'), call('a'), call('b'));
    expect(screen.seen()).toEqual(['I look', '● run_bash command: make a', '● run_bash #2 command: make b']);
    await show(output('a', 'one\ntw'), output('b', 'bad\n', 'stderr'));
    expect(screen.seen()).toEqual([
      'I look',
      '● run_bash command: make a',
      '  | one',
      '  | tw',
      '● run_bash #2 command: make b',
      '  ! bad',
    ]);
    await show(result('b', { data: { exit_code: 2 }, error: { code: 'failed', message: 'no', retryable: false } }));
    expect(screen.seen()).toEqual([
      'I look',
      '✗ run_bash #2 command: make b 1.2 s · exit 2 · 1 line',
      '● run_bash command: make a',
      '  | one',
      '  | tw',
    ]);
    await show(text('While it runs'), text(' I talk'), output('a', 'o\n'));
    expect(screen.seen().slice(2)).toEqual([
      'While it runs I talk',
      '● run_bash command: make a',
      '  | one',
      '  | two',
    ]);
    await show(text(' on.'), result('a'));
    expect(screen.all()).toEqual([
      'I look',
      '✗ run_bash #2 command: make b 1.2 s · exit 2 · 1 line',
      'While it runs I talk on.',
      '✓ run_bash command: make a 1.2 s · exit 0 · 2 lines',
    ]);
  }),
);

verifies('cli/live', 'a long output is a tail, told by its number of lines at the end', () =>
  onScreen(SIZE, async ({ screen, show }) => {
    const lines = Array.from({ length: 1_204 }, (_, i) => `line ${i}\n`).join('');
    await show(call('a'), output('a', lines));
    expect(screen.seen()).toHaveLength(9);
    expect(screen.seen().slice(-2)).toEqual(['  | line 1202', '  | line 1203']);
    await show(result('a'));
    expect(screen.all()).toEqual(['✓ run_bash command: make a 1.2 s · exit 0 · 1,204 lines']);
  }),
);

verifies('cli/live', 'what fell out on the way is told', () =>
  onScreen(SIZE, async ({ screen, show }) => {
    await show(call('a'), output('a', 'one\n'), output('a', 'last\n', 'stdout', 9_000), result('a'));
    expect(screen.all()).toEqual(['✓ run_bash command: make a 1.2 s · exit 0 · 2+ lines']);
  }),
);

verifies('cli/live', 'stderr has a colour of its own, and a sign without colours', () =>
  onScreen(
    SIZE,
    async ({ screen, show }) => {
      await show(call('a'), output('a', 'good\n'), output('a', 'bad\n', 'stderr'));
      expect(screen.seen().slice(1)).toEqual(['  | good', '  ! bad']);
      expect(screen.coloursOf('bad')).not.toBe(screen.coloursOf('good'));
    },
    true,
  ),
);

verifies('cli/live', 'never more rows than the screen has, and never wider, whatever its size', async () => {
  for (const [columns, rows] of [
    [80, 24],
    [30, 6],
    [12, 4],
    [3, 3],
    [1, 2],
  ] as const) {
    await onScreen({ columns, rows }, async ({ screen, show }) => {
      const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
      await show(text('before'));
      const above = screen.all().length;
      await show(...ids.map((id) => call(id)));
      for (const wide of [
        '漢字の行'.repeat(40),
        '\t'.repeat(30),
        'e\u0301'.repeat(200),
        '👩‍👩‍👧️'.repeat(60),
        'x'.repeat(500),
      ]) {
        await show(...ids.map((id) => output(id, `${wide}\n`)));
        expect(screen.all().length - above).toBeLessThan(rows);
      }
      await show({ type: 'run_end', reason: 'stop' } as EventBody);
      expect(screen.all().join('')).toBe('before');
    });
  }
});

verifies('cli/live', 'a resize cuts the lines anew and leaves what stands above', () =>
  onScreen(SIZE, async ({ screen, clock, show }) => {
    await show(text('above'), call('a'), output('a', `${'x'.repeat(200)}\n`));
    screen.resize(31, 6);
    await clock.advance(150);
    screen.resize(30, 5);
    const before = screen.written.length;
    await clock.advance(150);
    expect(screen.written.length).toBe(before);
    await clock.advance(50);
    expect(screen.seen()).toEqual(['above', '● run_bash command: make a', `  | ${'x'.repeat(24)}…`]);
    screen.resize(40, 10);
    await clock.advance(200);
    expect(screen.seen().at(-1)).toBe(`  | ${'x'.repeat(34)}…`);
    await show(result('a'));
    expect(screen.all()).toEqual(['above', '✓ run_bash com… 1.2 s · exit 0 · 1 line']);
  }),
);

verifies('cli/live', 'what a program prints is signs in its own rows and nothing else', () =>
  onScreen(SIZE, async ({ screen, show }) => {
    const steers = [
      '\x1b[2J\x1b[H', // clears the screen
      '\x1b[10A\x1b[1K', // goes up
      '\x1b]0;title\x07\x1b]52;c;aGk=\x1b\\', // sets the title, the clipboard
      '\x1b[6n\x1b[c\x1bP$q"p\x1b\\\x05', // asks the terminal
      '\x1bc\x1b(0\x1b7\x1b8\x1bM', // resets, changes its letters, scrolls
      '\x9b2J\x9d0;x\x9c\x90x\x9c\x84\x85\x8d', // the same in one byte
      '\x0e\x0f\x0b\x0c\x07\x00\x7f',
      '\u202e\u2066\u2028', // turns the direction
    ];
    await show(text('above'), call('a'), output('a', 'begin\n'));
    const whole = steers.join('');
    // Cut at every place, since pieces end where they like.
    for (let at = 1; at < whole.length; at += 3) {
      await show(output('a', whole.slice(0, at)), output('a', `${whole.slice(at)}ok\n`));
      const row = screen.seen().at(-1) ?? '';
      expect(row.endsWith('ok')).toBe(true);
      expect(screen.seen().slice(0, 2)).toEqual(['above', '● run_bash command: make a']);
    }
    expect(screen.written.join('')).not.toMatch(
      /[\u0000-\u0009\u000b\u000c\u000e-\u001a\u001c-\u001f\u007f-\u009f\u2028-\u202e\u2066]/,
    );
    await show(
      output('a', '\x1b[31mred\x1b[0m\x1b]8;;http://127.0.0.1/\x07link\n'),
      output('a', '\x1b]0;never ends\n'),
    );
    expect(screen.seen().slice(-2)).toEqual(['  | redlink', '  |']);
    await show(output('a', 'after\n'));
    expect(screen.seen().at(-1)).toBe('  | after');
  }),
);

verifies('cli/live', 'a progress bar is its last state; a backspace takes back; invalid bytes are one sign', () =>
  onScreen(SIZE, async ({ screen, show }) => {
    await show(call('a'), output('a', '10%\r20%'), output('a', '\r30%\r'));
    expect(screen.seen().at(-1)).toBe('  | 30%');
    await show(output('a', '100%\r\n|\b/\b-\nwin\r\n'), output('a', 'a\ufffdb\ttab\n'));
    expect(screen.seen().slice(1)).toEqual(['  | 100%', '  | -', '  | win', '  | a\ufffdb     tab']);
  }),
);

verifies('cli/live', 'at most twenty pictures a second, and none when nothing came', () =>
  onScreen(SIZE, async ({ screen, clock, view, show }) => {
    await show(call('a'));
    const before = screen.written.length;
    for (let i = 0; i < 1_000; i++) {
      await view.show([output('a', `${i}\n`)]);
      if (i % 10 === 9) await clock.advance(10);
    }
    const pictures = screen.written.length - before;
    expect(pictures).toBeGreaterThan(15);
    expect(pictures).toBeLessThanOrEqual(21);
    await clock.advance(60_000);
    expect(screen.written.length - before).toBeLessThanOrEqual(22);
  }),
);

verifies('cli/live', 'a terminal that takes nothing holds the run back, and is written to once at a time', async () => {
  const screen = createScreen(SIZE);
  const clock = createVirtualClock();
  let free = () => {};
  const writes: string[] = [];
  const terminal = {
    ...screen,
    columns: 60,
    rows: 24,
    write(text: string) {
      writes.push(text);
      return new Promise<void>((resolve) => {
        free = resolve;
      });
    },
  };
  const view = createLiveView({ terminal, style: createStyle(false), clock, err: () => {} });
  let goesOn = false;
  const shown = view.show([call('a'), output('a', 'one\n')]).then(() => {
    goesOn = true;
  });
  for (let i = 0; i < 100; i++) void view.show([output('a', `${i}\n`)]);
  await clock.advance(10_000);
  expect({ goesOn, writes: writes.length }).toEqual({ goesOn: false, writes: 1 });
  free();
  await shown;
  await clock.advance(50);
  expect(writes).toHaveLength(2);
  expect(writes[1]).toContain('| 99');
  free();
  const closed = view.close();
  free();
  await closed;
});

verifies('cli/live', 'a question has the terminal to itself; what came meanwhile is shown after it', () =>
  onScreen(SIZE, async ({ screen, clock, view, show }) => {
    await show(call('a'), call('b'), output('a', 'one\n'));
    await view.aside('b', async () => {
      expect(screen.seen()).toEqual(['● run_bash #2 command: make b']);
      await screen.write('Allow it? ');
      await show(output('a', 'two\n'), text('meanwhile\n'));
      expect(screen.seen().at(-1)).toBe('Allow it?');
      await screen.write('y\n');
    });
    await clock.advance(50);
    expect(screen.seen()).toEqual([
      '● run_bash #2 command: make b',
      'Allow it? y',
      'meanwhile',
      '● run_bash command: make a',
      '  | one',
      '  | two',
      '● run_bash #2 command: make b',
    ]);
    view.tell('a word\n');
    await clock.advance(50);
    expect(screen.seen().slice(2, 5)).toEqual(['meanwhile', 'a word', '● run_bash command: make a']);
  }),
);

verifies(
  'cli/live',
  'a fault says what it was, a single line is shown itself, a run that is cut off leaves nothing live',
  () =>
    onScreen({ columns: 100, rows: 24 }, async ({ screen, show }) => {
      const denied = { code: 'denied', message: 'no rule allows it', retryable: false };
      await show(call('a'), result('a', { data: undefined, error: denied, durationMs: 3 }));
      await show(call('b'), result('b', { content: 'main', durationMs: 61_000 }));
      await show(call('c'), result('c', { data: { exit_code: null, status: 'running' }, content: '' }));
      await show(call('d'), output('d', 'x\n'), { type: 'run_end', reason: 'cancelled' } as EventBody);
      expect(screen.all()).toEqual([
        '✗ run_bash command: make a 3 ms · denied · no rule allows it',
        '✓ run_bash command: make b 1 min 1 s · exit 0 · 1 line · main',
        '✓ run_bash command: make c 1.2 s · goes on in the background · no output',
        'run ended: cancelled',
      ]);
    }),
);
