import type { CallFacts, JudgedCall, ShellCommand } from '../core/index.ts';
import { possibleCommands } from './read-command.ts';

/** A shell line of a call. */
export interface Line {
  readonly text: string;
  readonly commands: readonly ShellCommand[];
  /** Whatever might be a command in it, for lines that could not be read. */
  possible(): readonly (readonly string[])[];
}

/** One thing that a call touches. Each is judged by itself, and a call runs when all of them may. */
export type Unit =
  | { readonly kind: 'path'; readonly path: CallFacts['paths'][number] }
  | { readonly kind: 'host'; readonly host: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'command'; readonly command: ShellCommand; readonly line: Line }
  /** The call as such, when it names nothing that it touches. */
  | { readonly kind: 'call' };

/** A line that runs nothing: a condition, a comment. */
const IDLE: ShellCommand = { words: [], passive: true };
const UNREAD: ShellCommand = { words: [null], hides: 'nothing here reads shell lines' };

export function unitsOf({ facts }: JudgedCall): readonly Unit[] {
  const units: Unit[] = [
    ...facts.paths.map((path): Unit => ({ kind: 'path', path })),
    ...facts.hosts.map((host): Unit => ({ kind: 'host', host })),
    ...facts.texts.map((text): Unit => ({ kind: 'text', text })),
    ...facts.commands.flatMap((text, index) => commandUnits(text, facts.shell?.[index])),
  ];
  return units.length > 0 ? units : [{ kind: 'call' }];
}

function commandUnits(text: string, read: readonly ShellCommand[] | undefined): Unit[] {
  const commands = read === undefined ? [UNREAD] : read.length === 0 ? [IDLE] : read;
  let possible: readonly (readonly string[])[] | undefined;
  const line: Line = {
    text: text.trim(),
    commands,
    possible() {
      possible ??= possibleCommands(text);
      return possible;
    },
  };
  return commands.map((command) => ({ kind: 'command', command, line }));
}

/** It needs no permission beside that of the commands that it runs. */
export const isPassive = (unit: Unit) => unit.kind === 'command' && unit.command.passive === true;

/** A unit in few words, for reasons. */
export function unitLabel(unit: Unit): string {
  if (unit.kind === 'path') return unit.path.written;
  if (unit.kind === 'host') return unit.host;
  if (unit.kind === 'text') return unit.text;
  if (unit.kind === 'call') return '';
  const { words, beside, hides } = unit.command;
  const text = words.map((word) => word ?? '…').join(' ');
  return [text, beside, hides].filter((part) => part !== undefined && part !== '').join(': ');
}
