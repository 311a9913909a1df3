import type { Requirements } from '../requirements.ts';

/** Id -> behaviour. Ids in capitals are those of the reported failure families. */
export const requirements: Requirements = {
  'store/contract': 'Every driver keeps sessions, messages, events, journal, leases and sequence numbers alike.',
  'store/open':
    'A database that cannot be used is refused with its reason and what to do, and its file is left as it was.',
  'store/migrations':
    'The schema is made once, whoever opens first, an older one is brought up with all its rows, and the file and its folder are only their owner’s.',
  'store/share': 'A message or result that stands in its own row is not written again with its event.',
  'store/full':
    'On a full disk a write fails once, whole; what was there stays, and later writes work when there is room.',
  'store/statements': 'Small writes take far less than a millisecond.',
  'store/outputs': 'An output is written as it comes, masked, and is complete or not there.',
  'STORE-01': 'Several processes on one database wait for each other; no acknowledged row is lost and readers go on.',
  'STORE-02': 'After a kill or a torn log the store opens with every complete record.',
  'STORE-03':
    'An output of the same call and content is stored once; other content of the same call is kept beside it.',
  'PATH-11': 'Any id becomes the name of a file inside its folder, and different ids become different names.',
  'EXEC-03': 'Calls whose ids were odd or used before have their own rows and files.',
  'store/audit':
    'Any changed, dropped, inserted, swapped or cut row of the audit log is found, at the right row, and stays found.',
  'store/audit-processes': 'The chain is one whatever processes write, and a killed process is told from a change.',
  'store/group': 'Writes of many sessions share a transaction and nothing else.',
};
