/** Tools that only make sense together: whoever gets one gets all. */
export const BUNDLES: readonly (readonly string[])[] = [['run_bash', 'await_shell', 'kill_shell']];

const FILES = ['read_file', 'grep_files', 'glob_files', 'file_write', 'file_edit', 'run_bash'] as const;
const ASTRO = [
  'search_papers',
  'get_paper_metadata',
  'download_paper',
  'parse_paper',
  'get_paper_content',
  'rag_search',
  'query_target',
  'save_note',
] as const;
const SELF = ['todo_write', 'compress_context', 'ask_user', 'load_skill', 'subagent'] as const;
const BACKGROUND = ['bg_task_run', 'bg_task_check'] as const;
const TEAM = ['spawn_teammate', 'send_teammate_message', 'team_broadcast', 'check_team_inbox'] as const;

const standard: readonly string[] = [...FILES, ...ASTRO, ...SELF];
const withBackground: readonly string[] = [...standard, ...BACKGROUND];
const withTeam: readonly string[] = [...withBackground, ...TEAM];

/** On top of every preset that is not empty. */
export const FURTHER_TOOLS: readonly string[] = ['await_shell', 'kill_shell', 'questionnaire'];

/** Names of the tools that an agent starts with. */
export const presets = { empty: [] as readonly string[], standard, withBackground, withTeam };

/** How much company an agent has: none, subagents and background work, or a team as well. */
export type AgentMode = 'solo' | 'fibre' | 'team';

/** Tools that a mode leaves out. */
export const LEFT_OUT: Readonly<Record<AgentMode, ReadonlySet<string>>> = {
  solo: new Set(['subagent', ...BACKGROUND, ...TEAM]),
  fibre: new Set(TEAM),
  team: new Set(),
};
