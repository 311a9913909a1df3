import type { CallFacts } from '../core/index.ts';
import { createCommandTest } from './match-command.ts';
import { createGlob } from './match-glob.ts';
import { createHostTest } from './match-host.ts';
import { createPathTest } from './match-path.ts';
import type { Rule } from './rule.ts';

/** Whether a rule is for a call, and why. */
export interface Fit {
  readonly fits: boolean;
  readonly why: string;
}

export interface CompileOptions {
  /** The rule permits (allow, grant): it must cover all that the call touches. Else any part of it is enough. */
  readonly allows: boolean;
  readonly cwd?: string | undefined;
  readonly home?: string | undefined;
}

/** A rule's specifier as a test of a call's facts. */
export function compileRule(rule: Rule, options: CompileOptions): (facts: CallFacts) => Fit {
  const { specifier } = rule;
  if (specifier === undefined) return () => ({ fits: true, why: 'it is for every call of this tool' });
  const isHost = createHostTest(specifier.slice('domain:'.length));
  if (specifier.startsWith('domain:')) {
    return (facts) => {
      const others = facts.paths.length + facts.commands.length + facts.texts.length;
      return judge('host', facts.hosts, isHost, options, others > 0);
    };
  }
  const isCommand = createCommandTest(specifier, options);
  const isPath = createPathTest(specifier, options);
  const isText = createGlob(specifier.replace(/:\*$/, '*'), { single: false });
  return (facts) => {
    if (facts.commands.length > 0) return judge('command', facts.commands, isCommand, options, false);
    if (facts.paths.length > 0) return judge('path', facts.paths, isPath, options, facts.hosts.length > 0);
    return judge('text', facts.texts, isText, options, facts.hosts.length > 0);
  };
}

/** `others`: the call touches more than things of this kind, which a rule that permits does not cover. */
function judge<Subject>(
  kind: string,
  subjects: readonly Subject[],
  test: (subject: Subject) => boolean,
  { allows }: CompileOptions,
  others: boolean,
): Fit {
  if (subjects.length === 0) return { fits: false, why: `the call has no ${kind} that it could match` };
  if (!allows) {
    const fits = subjects.some(test);
    return { fits, why: fits ? `it matches a ${kind} of the call` : `it matches no ${kind} of the call` };
  }
  if (others) return { fits: false, why: `the call touches more than what a ${kind} rule covers` };
  const fits = subjects.every(test);
  return { fits, why: fits ? `it covers every ${kind} of the call` : `it does not cover every ${kind} of the call` };
}
