import { isObject } from '../core/index.ts';
import type { Field, Fields } from './read-fields.ts';
import type { SkillDiagnostic } from './skill.ts';

/** A rule that is broken. */
export type Breach = Omit<SkillDiagnostic, 'file'>;

const LONGEST_NAME = 64;
export const LONGEST_DESCRIPTION = 1_024;
const LONGEST_COMPATIBILITY = 500;

/** Fields of the standard, and those beside it that mean something here or to other agents. */
const KNOWN = new Set([
  ...['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools'],
  ...['id', 'activation', 'when_to_use', 'always', 'tool', 'restrict-tools', 'argument-hint'],
  ...['context', 'agent', 'model', 'hooks', 'user-invocable', 'disable-model-invocation'],
  ...['version', 'author', 'tags', 'homepage', 'keywords'],
]);

/** Holds front matter against the standard, rule by rule. What is missing would stand at `line`. */
export function checkFields(fields: Fields, folderName: string, line: number): Breach[] {
  const sure = (name: string) => (fields.get(name)?.isGuess ? undefined : fields.get(name));
  return [
    ...checkName(fields.get('name'), folderName, line),
    ...checkDescription(fields.get('description'), line),
    ...checkLicense(sure('license')),
    ...checkCompatibility(sure('compatibility')),
    ...checkMetadata(sure('metadata')),
    ...checkTools(sure('allowed-tools')),
    ...fields.names
      .filter((name) => !KNOWN.has(name))
      .map((name): Breach => {
        const message = `the field ${JSON.stringify(name)} is not in the standard; put it under metadata`;
        return { rule: 'field-unknown', severity: 'warning', message, line: fields.get(name)?.line ?? line };
      }),
  ];
}

const error = (rule: string, message: string, line: number): Breach => ({ rule, severity: 'error', message, line });

function* checkName(field: Field | undefined, folderName: string, missing: number): Generator<Breach> {
  const { value, line } = field ?? { value: null, line: missing };
  if (value === null) return yield error('name-missing', 'name is missing', line);
  if (typeof value !== 'string') return yield error('name-not-text', 'name is no text; quote it', line);
  const name = value.trim();
  if (name === '') return yield error('name-empty', 'name is empty', line);
  const length = [...name].length;
  if (length > LONGEST_NAME) {
    yield error('name-too-long', `name has ${length} characters; ${LONGEST_NAME} are allowed`, line);
  }
  if (!/^[a-z0-9-]+$/.test(name)) {
    yield error('name-characters', `name ${JSON.stringify(name)} has other characters than a-z, 0-9 and -`, line);
  }
  if (/^-|-$/.test(name)) yield error('name-edge-hyphen', 'name begins or ends with a hyphen', line);
  if (name.includes('--')) yield error('name-double-hyphen', 'name has two hyphens in a row', line);
  if (name !== folderName) {
    const names = `name ${JSON.stringify(name)} is not that of its folder, ${JSON.stringify(folderName)}`;
    yield error('name-folder', names, line);
  }
}

function* checkDescription(field: Field | undefined, missing: number): Generator<Breach> {
  const { value, line } = field ?? { value: null, line: missing };
  if (value === null) return yield error('description-missing', 'description is missing', line);
  if (typeof value !== 'string') return yield error('description-not-text', 'description is no text; quote it', line);
  const length = [...value.trim()].length;
  if (length === 0) yield error('description-empty', 'description is empty', line);
  if (length > LONGEST_DESCRIPTION) {
    const message = `description has ${length} characters; ${LONGEST_DESCRIPTION} are allowed`;
    yield error('description-too-long', message, line);
  }
}

function* checkLicense(field: Field | undefined): Generator<Breach> {
  if (field && typeof field.value !== 'string') yield error('license-not-text', 'license is no text', field.line);
}

function* checkCompatibility(field: Field | undefined): Generator<Breach> {
  if (field === undefined) return;
  const { value, line } = field;
  if (typeof value !== 'string') return yield error('compatibility-not-text', 'compatibility is no text', line);
  const length = [...value.trim()].length;
  if (length === 0) yield error('compatibility-empty', 'compatibility is empty; leave it out', line);
  if (length > LONGEST_COMPATIBILITY) {
    const message = `compatibility has ${length} characters; ${LONGEST_COMPATIBILITY} are allowed`;
    yield error('compatibility-too-long', message, line);
  }
}

function* checkMetadata(field: Field | undefined): Generator<Breach> {
  if (field === undefined) return;
  const { value, line } = field;
  if (!isObject(value)) return yield error('metadata-not-a-map', 'metadata is no map of names to texts', line);
  for (const [key, each] of Object.entries(value)) {
    if (typeof each !== 'string') yield error('metadata-value', `metadata.${key} is no text; quote it`, line);
  }
}

function* checkTools(field: Field | undefined): Generator<Breach> {
  if (field === undefined) return;
  const { value, line } = field;
  if (typeof value !== 'string') {
    return yield error('allowed-tools-not-text', 'allowed-tools is no text with blanks between the tools', line);
  }
  if (/,(?![^(]*\))/.test(value)) {
    const message = 'the tools of allowed-tools are parted by blanks, not by commas';
    yield { rule: 'allowed-tools-commas', severity: 'warning', message, line };
  }
  if (value.split('(').length !== value.split(')').length) {
    yield error('allowed-tools-parentheses', 'a parenthesis in allowed-tools has no partner', line);
  }
}
