import type { SkillDiagnostic } from '../../runtime/index.ts';
import { harmless } from './style.ts';

/** `file:line: error [rule] message`, as editors understand it. */
export function diagnosticLine({ file, line, severity, rule, message }: SkillDiagnostic): string {
  return harmless(`${file}${line === undefined ? '' : `:${line}`}: ${severity} [${rule}] ${message}`);
}
