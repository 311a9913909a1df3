import type { Requirements } from '../requirements.ts';

/** Id -> behaviour. Ids in capitals are those of the reported failure families. */
export const requirements: Requirements = {
  'runtime/writer-order':
    'A session has one writer: events get their numbers in order and leave only after all that is kept before them is on disk.',
  'runtime/writer-failure':
    'A write that fails stops the run with one error and acknowledges nothing that is not on disk.',
  'runtime/journal': 'An effectful call stands in the journal as started before it runs, and as ended with its result.',
  'runtime/seq-blocks': 'Sequence numbers come from reserved blocks: a restart skips numbers and never reuses one.',
  'runtime/lease': 'One run a session: a second one is busy, and who lost the lease writes nothing more.',
  'runtime/bounded-events':
    'A slow reader gets merged events and every kept one, and costs a bounded amount of memory.',
  'runtime/recover':
    'Loading a session answers the calls that a crash left open, runs nothing, and says what it mended.',
  'runtime/config':
    'Settings come from flags, variables, project, home and defaults, in that order; errors name file and place.',
  'runtime/env': 'Every variable that is read is declared with default and description; a senseless value is told.',
  'runtime/secrets': 'Values of variables whose names look secret are masked in results and outputs.',
  'runtime/planted-secrets':
    'Credentials in outputs reach no file, event, model request or screen, and those in arguments no event and no audit row.',
  'runtime/audit':
    'Every decision and every effect is a row that says who decided and why, and no effect comes before its rows.',
  'runtime/metrics': 'Counts, durations, errors, tokens and known cost are kept by tool, model and agent.',
  'runtime/telemetry':
    'Spans of runs, replies and calls are made when a provider is there, without content unless asked for.',
  'runtime/network': 'Tools reach only hosts that the settings name, redirects included.',
  'runtime/session':
    'A session runs a prompt to its end, keeps the conversation and goes on with it in another process.',
  'runtime/call': 'One tool can be called through the whole executor without a model.',
  'runtime/cancel': 'A cancelled run still gives every result and its end; leaving the loop of events cancels.',
  'runtime/close': 'Closing ends what runs within seconds and gives the session back.',
  'runtime/system-prompt': 'The system prompt is the same for the same folder and holds its AGENTS.md, bounded.',
  'runtime/tool-sources':
    'Tools come from presets, options, folders and toolwright.json; a broken file is told by name.',
  'runtime/streams':
    'Whatever a provider streams, the transcript is valid for every provider and each call has one result.',
  'runtime/early-dispatch': 'Calls start while the reply is still open, and effects wait until their call is whole.',
  'runtime/retry': 'A failed request is asked again as long as nothing of the turn has run.',
  'runtime/big-output': 'A huge output costs little memory, is stored whole and shown as a stub.',
  'runtime/recovery':
    'A killed process loses no acknowledged row, doubles no effect, and leaves a transcript that can be mended.',
  'BG-01': 'Every end in the background is told once, before the next request, however many come together.',
  'runtime/tasks-kept':
    'Background tasks are written down: any process of the home sees and ends them, and what a dead process ran is lost, ended and told once.',
  'runtime/tasks': 'Background tasks are bounded, belong to their session and end with it.',
  'runtime/reconcile': 'A tool is asked what became of a call that had started.',
  'runtime/replay': 'A recorded session can be run again, and the first difference is told.',
  'runtime/trust': 'What a project brings along is used when a flag or a person once said so, for that folder alone.',
};
