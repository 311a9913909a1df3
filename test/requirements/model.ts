import type { Requirements } from '../requirements.ts';

/** Id -> behaviour. Ids in capitals are those of the reported failure families. */
export const requirements: Requirements = {
  'model/stream': 'However odd a stream is, it is read as it was meant, ends with one model_end, and never throws.',
  'model/no-false-end':
    'A call is told as whole only when the provider ended it; a broken, cut or shortened stream ends none.',
  'model/body': 'A request is joined from bytes encoded once, and says what JSON.stringify of the same request says.',
  'model/history': 'What is sent back is a history that the provider accepts, with what it wanted back.',
  'model/faults':
    'Statuses, error bodies and broken connections become faults that say whether to try again, and hold no secret.',
  'model/bounds': 'Connecting, silence, lines and error bodies have limits, and every connection is closed in the end.',
  'model/back-pressure': 'A slow reader stops the socket instead of filling memory.',
  'model/linear': 'The cost of a long argument grows with its length only.',
  'model/thinking': "The wish to think is sent as each vendor's own field.",
  'model/manual':
    'The manual model runs the calls that were written, turn by turn, says what came back, and explains itself otherwise.',
  'model/scripted': 'The scripted model follows its script and fails on what is unexpected or unused.',
  'model/script-file': 'A script file is read from YAML or JSON, and what is wrong in it is told with file and line.',
  'model/resolve': 'A spec names a model, or the error says what to set.',
  'model/replay':
    'The replayed model answers as it did to the same history, and fails at the first that differs, showing where.',
  'model/server': 'The local model server speaks both protocols and finds histories that the providers would refuse.',
};
