import type { Requirements } from '../requirements.ts';

/** Id -> behaviour. Ids in capitals are those of the reported failure families. */
export const requirements: Requirements = {
  'EXEC-01': 'An abort in the middle of parallel calls leaves exactly one result for each, in call order.',
  'EXEC-03': 'Equal, empty, null, blank and number ids are made unique, and results carry the id of their own call.',
  'EXEC-05': 'A call is turned away as a repeat only when the last rounds gave the same, keys in any order.',
  'EXEC-06': 'Calls on one thing run in call order; a bounded number runs at once.',
  'executor/one-result': 'Refused, unknown, broken, crashed or too slow: each call gets exactly one result.',
  'executor/cancel-deaf': 'A tool that ignores its signal is settled within 250 ms of the cancel.',
  'executor/force': 'A second cancel settles block calls as uncertain.',
  'executor/stuck': 'A call does not wait for ever behind one that was given up.',
  'executor/claims': 'A call waits for the earlier calls that it conflicts with, and for no others.',
  'executor/siblings': 'Only a tool that says so ends other calls, and only those that build on it.',
  'executor/serial':
    'Any set of calls ends in the state that running them one by one in call order would give, and nothing waits that need not.',
  'PROG-03': 'Progress is merged by window and size, loses nothing, and is closed once, last.',
  'executor/emit-progress': 'emitToolProgress and generators reach the screen of their own call.',
  'executor/mask': 'Secrets are masked in whole texts and in streams; ordinary text is left alone.',
  'executor/output': 'A value that breaks the output schema is a failed result with the JSON pointer.',
  'executor/bound': 'A long output is stored whole and shown as a short stub.',
  'executor/lost':
    'A call that changes something and was lost sight of is uncertain; one that only reads is unavailable.',
  'executor/facts': 'The policy judges facts that were gathered once, and its deny is the result.',
};
