import type { JudgedCall } from '../core/index.ts';
import { coversCommand, touchesCommand } from './match-command.ts';
import { matchPath, matchSegment, type PathBase } from './match-path.ts';
import type { Rule } from './parse-rule.ts';

/**
 * How a rule is held against a call. A refusing rule (`deny`, `ask`) fits when anything of the call fits; an
 * allowing one only when everything does: each path as written and as it really leads, each host, each
 * whole command.
 */
export type Side = 'refusing' | 'allowing';

export function matchRule(rule: Rule, call: JudgedCall, side: Side, base: PathBase): boolean {
  const { specifier } = rule;
  if (specifier === undefined) return true;
  const { paths, hosts, commands, texts } = call.facts;
  const fits: boolean[] = [];
  for (const path of paths) {
    const written = matchPath(specifier, path.path, base);
    const real = matchPath(specifier, path.real, base);
    fits.push(side === 'allowing' ? written && real : written || real);
  }
  if (specifier.startsWith('domain:')) {
    const domain = specifier.slice('domain:'.length).trim().toLowerCase();
    for (const host of hosts) fits.push(host === domain || host.endsWith(`.${domain}`));
  } else {
    for (const host of hosts) fits.push(matchSegment(specifier, host));
  }
  for (const command of commands) {
    fits.push(side === 'allowing' ? coversCommand(specifier, command) : touchesCommand(specifier, command));
  }
  for (const text of texts) fits.push(matchSegment(specifier, text));
  if (fits.length === 0) return false;
  return side === 'allowing' ? fits.every((fit) => fit) : fits.some((fit) => fit);
}
