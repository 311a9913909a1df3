import type { Requirements } from '../requirements.ts';

/** Id -> behaviour. Ids in capitals are those of the reported failure families. */
export const requirements: Requirements = {
  'cli/run': 'run prints the events of a run, one JSON object a line with --json, and exits by how it ended.',
  'cli/session': 'run --session goes on with a session in a new process; an unknown one is told.',
  'cli/usage': 'A wrong command line exits 2, says what was wrong and what to do; no stack without --debug.',
  'cli/json': '--json prints machine-readable output on stdout and nothing else.',
  'cli/tools': 'tools list, show and search tell what there is; show takes aliases and gives near names.',
  'cli/tools-call': 'tools call runs one tool through the whole executor and exits 1 when its result is an error.',
  'cli/tools-dir': '--tools-dir loads plain objects as tools.',
  'cli/policy':
    'policy explain tells what would become of a call and why; policy replay tries other rules on kept calls.',
  'cli/rules': 'Rules and the permission mode on the command line decide what runs.',
  'cli/interrupt':
    'One interrupt cancels: every result and the end of the run still come, exit 130; a second does not wait.',
  'cli/broken-pipe': 'A reader that goes away ends the command without a trace.',
  'cli/demo': 'The demo runs real tools offline, renders calls from events only, and fails without tools.',
  'cli/doctor': 'doctor says what is there and what is missing.',
  'cli/harmless': 'Foreign text cannot steer the terminal.',
  'cli/view': 'For people a run is shown from its events: calls, live output by stream, results collapsed.',
  'cli/lazy': '--version and --help load no room but core.',
  'cli/live':
    'On a terminal a running tool shows its last lines in a region that nothing it prints can leave, and collapses to one line.',
  'cli/tasks': 'tasks list, show and stop tell of the background tasks of all sessions and end them.',
  'cli/sessions': 'Kept sessions can be exported, shown again, mended and gone on with.',
  'cli/replay': 'A session can be run again with its own replies.',
  'cli/ask': 'A person at the terminal is asked for permission, and no answer is never taken for one.',
  'cli/chat': 'Prompt after prompt in one session, with interrupts.',
};
