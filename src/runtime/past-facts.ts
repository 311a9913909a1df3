import { resolve } from 'node:path';
import { type CallFacts, type ReadShell, type Tool, traitsFor } from '../core/index.ts';

/**
 * The facts of a call that was made, as far as its input tells them: no file is looked at, so a path's real place
 * is taken to be the written one, and what the tool itself would say is left out.
 */
export async function pastFacts(
  tool: Tool | undefined,
  input: unknown,
  cwd: string,
  readShell: ReadShell,
): Promise<CallFacts> {
  const subjects = subjectsOf(tool, input);
  const paths: CallFacts['paths'][number][] = [];
  const hosts: string[] = [];
  const texts: string[] = [];
  const lines: { value: string; env?: Readonly<Record<string, string>> }[] = [];
  for (const subject of subjects) {
    if (subject.kind === 'command') lines.push(subject);
    else if (subject.kind === 'text') texts.push(subject.value);
    else if (subject.kind === 'url') {
      hosts.push(URL.canParse(subject.value) ? new URL(subject.value).hostname.toLowerCase() : subject.value);
    } else {
      const path = resolve(cwd, subject.value);
      const root = { path: cwd, access: 'write', label: 'workspace' } as const;
      paths.push({ written: subject.value, path, real: path, root, exists: true, access: subject.access });
    }
  }
  return {
    readOnly: tool !== undefined && isReadOnly(tool, input),
    claims: [],
    declared: false,
    paths,
    hosts,
    commands: lines.map(({ value }) => value),
    shell: await Promise.all(lines.map(({ value, env }) => readShell(value, env))),
    texts,
    permissions: [],
  };
}

/** A tool may have changed since; what it cannot make out of an old input is nothing. */
function subjectsOf(tool: Tool | undefined, input: unknown): ReturnType<NonNullable<Tool['subjects']>> {
  try {
    const subjects = tool?.subjects?.(input) ?? [];
    return subjects.filter(({ value }) => typeof value === 'string');
  } catch {
    return [];
  }
}

function isReadOnly(tool: Tool, input: unknown): boolean {
  try {
    return traitsFor(tool, input).readOnly;
  } catch {
    return false;
  }
}
