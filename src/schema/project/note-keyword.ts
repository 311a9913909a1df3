import { isObject } from '../../core/index.ts';
import { describeShape } from '../describe-shape.ts';
import { listText, shown } from '../say.ts';
import { addNote, type Node, type Work } from './work.ts';

const SENTENCES: Readonly<Record<string, (value: unknown) => string>> = {
  default: (value) => `Default: ${shown(value)}.`,
  examples: (value) => (Array.isArray(value) ? `Examples: ${listText(value.map(shown), 5)}.` : ''),
  minimum: (value) => `At least ${value}.`,
  maximum: (value) => `At most ${value}.`,
  exclusiveMinimum: (value) => `More than ${value}.`,
  exclusiveMaximum: (value) => `Less than ${value}.`,
  multipleOf: (value) => `A multiple of ${value}.`,
  minLength: (value) => `At least ${value} characters.`,
  maxLength: (value) => `At most ${value} characters.`,
  pattern: (value) => `Must match the pattern ${value}.`,
  format: (value) => `Format: ${value}.`,
  minItems: (value) => `At least ${value} items.`,
  maxItems: (value) => `At most ${value} items.`,
  uniqueItems: (value) => (value === true ? 'No item twice.' : ''),
  contains: (value) => `At least one item must be ${describeShape(value)}.`,
  prefixItems: (value) =>
    Array.isArray(value) ? `Items in order: ${value.map((item) => describeShape(item)).join(', ')}.` : '',
  minProperties: (value) => `At least ${value} fields.`,
  maxProperties: (value) => `At most ${value} fields.`,
  enum: (value) => (Array.isArray(value) ? `One of: ${listText(value.map(shown), 20)}.` : ''),
  const: (value) => `Always ${shown(value)}.`,
  deprecated: (value) => (value === true ? 'Deprecated.' : ''),
  additionalProperties: (value) => (isObject(value) ? `Further fields may be given: ${describeShape(value)}.` : ''),
  patternProperties: (value) =>
    isObject(value)
      ? Object.entries(value)
          .map(([pattern, inner]) => `Fields that match ${pattern}: ${describeShape(inner)}.`)
          .join(' ')
      : '',
  dependentRequired: (value) =>
    isObject(value)
      ? Object.entries(value)
          .map(([name, needs]) => `With ${name} also give ${(needs as string[]).join(', ')}.`)
          .join(' ')
      : '',
  propertyNames: (value) => `Names of fields: ${shown(value)}.`,
  not: (value) => `Must not be: ${shown(value)}.`,
  if: (value) => `A further rule applies when it is ${shown(value)}.`,
  dependentSchemas: (value) => `Further rules: ${shown(value)}.`,
};

/** Keywords without which the same values are valid. */
const SILENT = new Set([
  'title',
  'then',
  'else',
  'readOnly',
  'writeOnly',
  'contentEncoding',
  'contentMediaType',
  'contentSchema',
]);

/** Takes a keyword off a node: what it said goes into the description, and the loss is told. */
export function noteKeyword(node: Node, keyword: string, why: string, work: Work): void {
  const value = node[keyword];
  if (value === undefined) return;
  delete node[keyword];
  work.lose(node, keyword, why);
  const sentence = SILENT.has(keyword) ? '' : (SENTENCES[keyword]?.(value) ?? '');
  if (sentence !== '') addNote(node, sentence);
}

/** Takes off every keyword that is not among the accepted ones. */
export function keepOnly(node: Node, accepted: ReadonlySet<string>, why: string, work: Work): void {
  for (const keyword of Object.keys(node)) if (!accepted.has(keyword)) noteKeyword(node, keyword, why, work);
}
