import { sep } from 'node:path';
import type { SkillDiagnostic } from '../../runtime/index.ts';
import { harmless } from './style.ts';

/** `file:line: error [rule] message`, as editors understand it; the file is relative where it lies below here. */
export function diagnosticLine({ file, line, severity, rule, message }: SkillDiagnostic): string {
  const here = process.cwd() + sep;
  const shown = file.startsWith(here) ? file.slice(here.length) : file;
  return harmless(`${shown}${line === undefined ? '' : `:${line}`}: ${severity} [${rule}] ${message}`);
}
