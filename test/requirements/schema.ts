import type { Requirements } from '../requirements.ts';

/** Id -> behaviour. Ids in capitals are those of the reported failure families. */
export const requirements: Requirements = {
  'ARGS-01': 'Empty arguments of every kind mean an empty object; a required field that is then missing is named.',
  'ARGS-02': 'JSON inside strings is decoded only where the schema takes no string, at any depth.',
  'ARGS-03':
    'Nearly valid JSON is read as the obvious value with a note, or refused with its position; nothing is invented.',
  'REG-03':
    'Every usable foreign schema becomes a plain object schema; only a hopeless one is refused, with its place.',
  'schema/project': 'A schema is projected to what each provider accepts, and all that is lost is listed.',
  'schema/to-json-schema': 'Any schema is printed as JSON Schema once; plain JSON Schema is given back as it is.',
  'schema/compile':
    'Schemas of any draft are judged; references are never fetched; what cannot be judged is refused with its pointer.',
  'schema/parse-input': 'Input is judged without being changed, and what is wrong is told with what is allowed.',
  'schema/describe-issues':
    'The text about wrong input names the field, what was got and what is allowed, within bounds.',
  'schema/check-output': 'Output that breaks its schema is told with its JSON pointer; nothing in it is mended.',
  'schema/pattern': 'A pattern of a foreign schema cannot hold up the process.',
};
