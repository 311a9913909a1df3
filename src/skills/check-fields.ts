import { isObject } from '../core/index.ts';
import type { Field, Fields } from './read-fields.ts';

/** Tells one breach: rule, message, line. */
export type Report = (rule: string, message: string, line?: number) => void;

export const LONGEST_NAME = 64;
export const LONGEST_DESCRIPTION = 1_024;
const LONGEST_COMPATIBILITY = 500;

const STANDARD = ['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools'];
/** Fields beside the standard that mean something here or to agents that are common. */
const KNOWN = new Set([
  ...STANDARD,
  ...['id', 'activation', 'when_to_use', 'always', 'tool', 'restrict-tools', 'argument-hint'],
  ...['context', 'agent', 'model', 'hooks', 'user-invocable', 'disable-model-invocation'],
  ...['version', 'author', 'tags', 'homepage', 'keywords'],
]);

export interface CheckedFields {
  readonly fields: Fields;
  /** Name of the folder that the skill lies in. */
  readonly folderName: string;
  /** Where a field that is missing would stand. */
  readonly line: number;
  readonly error: Report;
  readonly warning: Report;
}

/** Holds front matter against the standard, rule by rule. */
export function checkFields({ fields, folderName, line, error, warning }: CheckedFields): void {
  checkName(fields.get('name'), folderName, line, error);
  checkDescription(fields.get('description'), line, error);
  const license = fields.get('license');
  if (license && typeof license.value !== 'string') error('license-not-text', 'license is no text', license.line);
  checkCompatibility(fields.get('compatibility'), error);
  checkMetadata(fields.get('metadata'), error);
  checkTools(fields.get('allowed-tools'), error, warning);
  for (const name of fields.names) {
    if (KNOWN.has(name)) continue;
    warning(
      'field-unknown',
      `the field ${JSON.stringify(name)} is not in the standard; put it under metadata`,
      fields.get(name)?.line,
    );
  }
}

function checkName(field: Field | undefined, folderName: string, line: number, error: Report): void {
  if (field === undefined || field.value === null) return error('name-missing', 'name is missing', field?.line ?? line);
  const { value } = field;
  if (typeof value !== 'string') return error('name-not-text', 'name is no text; quote it', field.line);
  if (value.trim() === '') return error('name-empty', 'name is empty', field.line);
  const name = value.trim();
  if ([...name].length > LONGEST_NAME) {
    error('name-too-long', `name has ${[...name].length} characters; ${LONGEST_NAME} are allowed`, field.line);
  }
  if (!/^[a-z0-9-]+$/.test(name)) {
    error('name-characters', `name ${JSON.stringify(name)} has other characters than a-z, 0-9 and -`, field.line);
  }
  if (/^-|-$/.test(name)) error('name-edge-hyphen', 'name begins or ends with a hyphen', field.line);
  if (name.includes('--')) error('name-double-hyphen', 'name has two hyphens in a row', field.line);
  if (name !== folderName) {
    error(
      'name-folder',
      `name ${JSON.stringify(name)} is not that of its folder, ${JSON.stringify(folderName)}`,
      field.line,
    );
  }
}

function checkDescription(field: Field | undefined, line: number, error: Report): void {
  if (field === undefined || field.value === null) {
    return error('description-missing', 'description is missing', field?.line ?? line);
  }
  const { value } = field;
  if (typeof value !== 'string') return error('description-not-text', 'description is no text; quote it', field.line);
  if (value.trim() === '') return error('description-empty', 'description is empty', field.line);
  const length = [...value.trim()].length;
  if (length > LONGEST_DESCRIPTION) {
    error(
      'description-too-long',
      `description has ${length} characters; ${LONGEST_DESCRIPTION} are allowed`,
      field.line,
    );
  }
}

function checkCompatibility(field: Field | undefined, error: Report): void {
  if (field === undefined) return;
  const { value, line } = field;
  if (typeof value !== 'string') return error('compatibility-not-text', 'compatibility is no text', line);
  const length = [...value.trim()].length;
  if (length === 0) error('compatibility-empty', 'compatibility is empty; leave it out', line);
  if (length > LONGEST_COMPATIBILITY) {
    error(
      'compatibility-too-long',
      `compatibility has ${length} characters; ${LONGEST_COMPATIBILITY} are allowed`,
      line,
    );
  }
}

function checkMetadata(field: Field | undefined, error: Report): void {
  if (field === undefined) return;
  if (!isObject(field.value)) return error('metadata-not-a-map', 'metadata is no map of names to texts', field.line);
  for (const [key, value] of Object.entries(field.value)) {
    if (typeof value !== 'string') error('metadata-value', `metadata.${key} is no text; quote it`, field.line);
  }
}

function checkTools(field: Field | undefined, error: Report, warning: Report): void {
  if (field === undefined) return;
  const { value, line } = field;
  if (typeof value !== 'string') {
    return error('allowed-tools-not-text', 'allowed-tools is no text with blanks between the tools', line);
  }
  if (/,(?![^(]*\))/.test(value)) {
    warning('allowed-tools-commas', 'the tools of allowed-tools are parted by blanks, not by commas', line);
  }
  if ((value.match(/\(/g)?.length ?? 0) !== (value.match(/\)/g)?.length ?? 0)) {
    error('allowed-tools-parentheses', 'a parenthesis in allowed-tools has no partner', line);
  }
}
