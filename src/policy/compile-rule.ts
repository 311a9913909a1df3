import { canonicalJson, isObject, type JudgedCall } from '../core/index.ts';
import { createCommandTest, type Match } from './match-command.ts';
import { createGlob } from './match-glob.ts';
import { createHostTest } from './match-host.ts';
import { createPathTest } from './match-path.ts';
import type { Rule } from './rule.ts';
import { subjectKey } from './rule-names.ts';
import type { Unit } from './units.ts';

export interface CompileOptions {
  /** The rule permits (allow, grant): it must cover what it is asked about. Else to touch it is enough. */
  readonly allows: boolean;
  readonly cwd?: string | undefined;
  readonly home?: string | undefined;
}

/** How a rule fits one thing that a call touches. */
export type RuleTest = (unit: Unit, call: JudgedCall) => Match;

/** A rule's specifier as a test. */
export function compileRule(rule: Rule, options: CompileOptions): RuleTest {
  const { specifier } = rule;
  if (specifier === undefined) return () => 'yes';
  if (specifier.startsWith('domain:')) {
    const isHost = createHostTest(specifier.slice('domain:'.length));
    return (unit) => (unit.kind === 'host' && isHost(unit.host) ? 'yes' : 'no');
  }
  const { allows } = options;
  const testCommand = createCommandTest(specifier, options);
  const isPath = createPathTest(specifier, { ...options, base: rule.folder });
  const isText = createGlob(specifier.replace(/:\*$/, '*'), { single: false });
  const isInput = createInputTest(specifier);
  return (unit, call) => {
    if (unit.kind === 'command') {
      const match = testCommand(unit.command, unit.line);
      return match === 'no' && !allows && isInput(call) ? 'yes' : match;
    }
    if (unit.kind === 'path' && isPath(unit.path)) return 'yes';
    if (unit.kind === 'text' && isText(unit.text)) return 'yes';
    const speaksOfAll = !allows || unit.kind === 'text' || unit.kind === 'call';
    return speaksOfAll && isInput(call) ? 'yes' : 'no';
  };
}

/** `key:pattern` is about a value of the input; without a key it is about the tool's main one, if it has one. */
function createInputTest(specifier: string): (call: JudgedCall) => boolean {
  const [, key, pattern] = /^([A-Za-z_][\w.-]*):(.+)$/s.exec(specifier) ?? [];
  const isValue = createGlob(pattern ?? '', { single: false });
  const isMain = createGlob(specifier, { single: false });
  return ({ name, input }) => {
    if (!isObject(input)) return false;
    if (key !== undefined && Object.hasOwn(input, key)) return isValue(textOf(input[key]));
    const main = subjectKey(name);
    return main !== undefined && Object.hasOwn(input, main) && isMain(textOf(input[main]));
  };
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : (canonicalJson(value) ?? ''));
