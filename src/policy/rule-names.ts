/**
 * Tools as other agents' settings name them. There a rule for `Edit` is for every tool that edits files and one
 * for `Read` for every tool that reads them.
 */
const FOREIGN: Readonly<Record<string, readonly string[]>> = {
  Agent: ['subagent'],
  Bash: ['run_bash'],
  Edit: ['file_edit', 'file_write'],
  Glob: ['glob_files'],
  Grep: ['grep_files'],
  LS: ['glob_files'],
  MultiEdit: ['file_edit'],
  NotebookEdit: ['file_edit'],
  Read: ['read_file', 'grep_files', 'glob_files'],
  Skill: ['load_skill'],
  Task: ['subagent'],
  TodoWrite: ['todo_write'],
  WebFetch: ['fetch_webpages'],
  Write: ['file_write'],
};

/** The tools that a rule's name stands for. */
export function toolsNamed(name: string, canonical: (name: string) => string): readonly string[] {
  return [canonical(name), ...(Object.hasOwn(FOREIGN, name) ? (FOREIGN[name] ?? []) : [])];
}

/** `Agent(researcher)` and `Skill(pdf)` name a value of the input. */
const SUBJECT_KEYS: Readonly<Record<string, string>> = { subagent: 'agent', load_skill: 'name' };

/** The input's key that a specifier without one is about. */
export const subjectKey = (tool: string): string | undefined =>
  Object.hasOwn(SUBJECT_KEYS, tool) ? SUBJECT_KEYS[tool] : undefined;
