import type { Runtime, Session, SkillEntry } from '../runtime/index.ts';
import type { Io } from './io.ts';
import { diagnosticLine } from './render/diagnostic-line.ts';

/** Skills that were passed over, told at the most. */
const MOST_TOLD = 5;

/** What a person should know of a session before it runs: names that mean nothing, skills that are not used. */
export function tellSession(io: Io, session: Session, runtime: Runtime): void {
  const tell = (text: string) => io.err(`toolwright: ${text}\n`);
  if (session.unknownTools.length > 0) tell(`no tool is named ${session.unknownTools.join(', ')}`);
  if (session.unknownSkills.length > 0) tell(`no skill is named ${session.unknownSkills.join(', ')}`);
  const entries = runtime.skills.catalog.entries();
  const untrusted = entries.filter(({ status }) => status === 'untrusted').length;
  if (untrusted > 0) tell(`${untrusted} skill(s) of this project are not used until it is trusted; see skills list`);
  const skipped = entries.filter(({ status, diagnostics }) => status === 'skipped' && diagnostics.some(isError));
  for (const { diagnostics } of skipped.slice(0, MOST_TOLD)) {
    for (const each of diagnostics.filter(isError).slice(0, 1))
      tell(`a skill was passed over: ${diagnosticLine(each)}`);
  }
  if (skipped.length > MOST_TOLD) tell(`${skipped.length - MOST_TOLD} more skills were passed over; see skills list`);
}

const isError = ({ severity }: SkillEntry['diagnostics'][number]) => severity === 'error';
