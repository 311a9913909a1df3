import { expect } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { type CommandHookOptions, runEventHooks } from './command-hooks.ts';
import type { CommandEnd, HookCommand } from './hook-command.ts';

const session = { id: 's', agentName: 'scout', interactive: false, thinking: false };
const end = (more: Partial<CommandEnd> = {}): CommandEnd => ({
  code: 0,
  stdout: '',
  stderr: '',
  timedOut: false,
  overflowed: false,
  ...more,
});

/** Commands answered by a table; what each was told is kept. */
function bench(ends: Readonly<Record<string, CommandEnd>>) {
  const heard: { command: string; input: Record<string, unknown> }[] = [];
  const told: string[] = [];
  const options: CommandHookOptions = {
    run: async (command, { input }) => {
      heard.push({ command, input: JSON.parse(input) });
      return ends[command] ?? end();
    },
    cwd: '/work',
    permissionMode: 'standard',
    namesOf: (name) => [name],
    tell: (message) => void told.push(message),
    stop: () => {},
  };
  return { heard, told, options };
}
const hook = (event: HookCommand['event'], command: string, more: Partial<HookCommand> = {}): HookCommand => ({
  event,
  command,
  timeoutMs: 1_000,
  onFailure: 'continue',
  ...more,
});

verifies('hooks/events', 'compaction by its trigger, a subagent by its name; it says who it is', async () => {
  const commands = [
    hook('PreCompact', 'manual only', { matcher: 'manual' }),
    hook('PreCompact', 'each'),
    hook('SubagentStop', 'block', { matcher: 'scout' }),
    hook('SubagentStop', 'never reached'),
  ];
  const { heard, options } = bench({ block: end({ code: 2, stderr: 'look again\n' }) });
  const compact = { session, fields: { trigger: 'auto' }, subject: 'auto' };
  expect(await runEventHooks(commands, 'PreCompact', compact, options)).toEqual({ context: [], failures: [] });
  const stop = { session, fields: { stop_hook_active: false }, subject: 'scout' };
  const verdict = await runEventHooks(commands, 'SubagentStop', stop, options);
  expect(verdict.block).toEqual({ hook: 'SubagentStop: block', reason: 'look again' });
  expect(heard.map(({ command }) => command)).toEqual(['each', 'block']);
  expect(heard[1]?.input).toMatchObject({
    session_id: 's',
    cwd: '/work',
    hook_event_name: 'SubagentStop',
    agent_type: 'scout',
    subagent_name: 'scout',
    stop_hook_active: false,
  });
});

verifies('hooks/events', 'a failure is counted and told; one that must agree ends it', async () => {
  const { told, options } = bench({ bad: end({ code: 1, stderr: 'broken' }) });
  const about = { session, fields: {} };
  const open = await runEventHooks([hook('Stop', 'bad'), hook('Stop', 'fine')], 'Stop', about, options);
  expect(open).toMatchObject({ failures: ['Stop: bad: it ended with exit code 1: broken'], context: [] });
  expect(open.block).toBeUndefined();
  expect(told).toHaveLength(1);
  const closed = await runEventHooks([hook('Stop', 'bad', { onFailure: 'deny' })], 'Stop', about, options);
  expect(closed.block?.reason).toContain('broken');
});
