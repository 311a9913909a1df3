import { type CallFacts, isObject, type JudgedCall } from '../core/index.ts';
import type { FoundRule, RuleIndex } from './rule-index.ts';
import type { Unit } from './units.ts';

export interface WrittenPathOptions {
  readonly cwd?: string | undefined;
  readonly home?: string | undefined;
}

/** The tools whose rules say what may become of files. */
const WRITERS = ['file_write', 'file_edit'];

/**
 * The rule for files that a command's redirections touch: `file_write(.env)` speaks of `echo x > .env`, too. Links
 * are not followed here, and in another folder than the session's a relative path is one at any depth.
 */
export function findWrittenPath(
  unit: Unit,
  call: JudgedCall,
  index: RuleIndex,
  { cwd = '/', home }: WrittenPathOptions,
): FoundRule | undefined {
  if (unit.kind !== 'command') return undefined;
  const { command, line } = unit;
  for (const written of command.writes ?? []) {
    const hasMoved =
      startsElsewhere(call) || line.commands.some(({ words }) => words[0] === 'cd' || words[0] === 'pushd');
    const path: Unit = { kind: 'path', path: pathOf(written, hasMoved ? '/' : cwd, home) };
    for (const name of WRITERS) {
      const found = index.find(path, { ...call, name });
      if (found?.rule.specifier !== undefined) return found;
    }
  }
  return undefined;
}

/** Its own folder, if it gives one, is not known here. */
const startsElsewhere = ({ input }: JudgedCall) => isObject(input) && input['cwd'] !== undefined;

function pathOf(written: string, cwd: string, home: string | undefined): CallFacts['paths'][number] {
  const full = written.startsWith('~/') && home !== undefined ? `${home}${written.slice(1)}` : written;
  const path = full.startsWith('/') ? folded(full) : folded(`${cwd}/${full}`);
  return {
    written,
    path,
    real: path,
    root: { path: cwd, access: 'write', label: 'shell' },
    exists: false,
    access: 'write',
  };
}

function folded(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}
