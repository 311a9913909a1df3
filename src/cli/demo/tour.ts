/** What a stop may use of those before it. */
export interface TourState {
  /** A folder of its own, added to the session. */
  readonly scratch: string;
  /** Files of the checkout that can be read. */
  readonly files: readonly string[];
  /** A folder of the checkout with source text. */
  readonly sources: string;
  /** Where the last long output was stored. */
  stored: string | undefined;
}

export interface TourStop {
  readonly title: string;
  readonly about: string;
  /** Nobody has granted anything in this stop's session. */
  readonly withoutGrants?: boolean;
  prompt(state: TourState): string;
  /** The results that the stop is about, in call order: the tool, and the code of its error. */
  readonly expects: readonly { readonly tool: string; readonly error?: string }[];
}

const line = (tool: string, input: Record<string, unknown>) => `${tool} ${JSON.stringify(input)}`;
const NEXT_TURN = '\n---\n';

/** Everything that may change something is granted by these rules, as a person would with --allow. */
export const TOUR_GRANTS = ['file_write', 'file_edit', 'run_bash'];

export const TOUR: readonly TourStop[] = [
  {
    title: 'Calls that share nothing run side by side',
    about: 'One reply of the model asks for several reads; each gets exactly one result, in call order.',
    prompt: ({ files }) =>
      [
        ...files.slice(0, 2).map((path) => line('read_file', { path, limit: 6 })),
        line('glob_files', { pattern: '*.json' }),
      ].join('\n'),
    expects: [{ tool: 'read_file' }, { tool: 'read_file' }, { tool: 'glob_files' }],
  },
  {
    title: 'A search',
    about: 'ripgrep looks through the folder, honours .gitignore and answers in a stable order.',
    prompt: ({ sources }) => line('grep_files', { pattern: 'defineTool', path: sources, limit: 5 }),
    expects: [{ tool: 'grep_files' }],
  },
  {
    title: 'An edit, in a scratch folder',
    about: 'Four turns: write a file, read it, change one word, read it again. Writes to one file wait for each other.',
    prompt: ({ scratch }) =>
      [
        line('file_write', { path: `${scratch}/note.txt`, content: 'A tool is a plain object.\nIt has one run.\n' }),
        line('read_file', { path: `${scratch}/note.txt` }),
        line('file_edit', { path: `${scratch}/note.txt`, old_string: 'plain', new_string: 'small, plain' }),
        line('read_file', { path: `${scratch}/note.txt` }),
      ].join(NEXT_TURN),
    expects: [{ tool: 'file_write' }, { tool: 'read_file' }, { tool: 'file_edit' }, { tool: 'read_file' }],
  },
  {
    title: 'A command, with its output as it comes',
    about: 'Lines marked | and ! are stdout and stderr, shown live and never kept; the result follows.',
    prompt: () =>
      line('run_bash', { command: 'for i in 1 2 3; do echo "step $i"; sleep 0.1; done; echo "a warning" >&2' }),
    expects: [{ tool: 'run_bash' }],
  },
  {
    title: 'A long output is stored, not lost',
    about: 'The model is shown its two ends and a path; the next stop reads the last lines at that path.',
    prompt: () => line('run_bash', { command: 'seq 1 20000' }),
    expects: [{ tool: 'run_bash' }],
  },
  {
    title: 'Reading on in the stored output',
    about: 'read_file and grep_files know the path of a stored output.',
    prompt: ({ stored }) => line('read_file', { path: stored ?? 'outputs/none.txt', offset: 19_998 }),
    expects: [{ tool: 'read_file' }],
  },
  {
    title: 'The policy refuses',
    about:
      'Here nobody granted anything and nobody can be asked, so a command does not run. The call still gets its result.',
    withoutGrants: true,
    prompt: () => line('run_bash', { command: 'rm -rf build' }),
    expects: [{ tool: 'run_bash', error: 'denied' }],
  },
];
