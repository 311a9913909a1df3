import { isAlias, isMap, isScalar, type Node, parseDocument, visit } from 'yaml';
import { messageOf } from '../core/index.ts';

export interface Field {
  readonly value: unknown;
  /** Counted from 1 in the file. */
  readonly line: number;
  /** It is no YAML: the value is the text that stands there. */
  readonly isGuess?: true;
}

export interface Fields {
  readonly get: (name: string) => Field | undefined;
  readonly names: readonly string[];
  readonly problems: readonly FieldProblem[];
  /** False: nothing could be made of the text. */
  readonly isReadable: boolean;
}

export interface FieldProblem {
  readonly rule: string;
  readonly message: string;
  readonly line: number;
}

/** Characters of YAML that are read at the most. */
const MOST_YAML = 65_536;
/** An anchor used often can stand for a text without end. */
const MOST_ALIASES = 50;
/** Brackets in brackets: the parser calls itself for each. */
const DEEPEST = 100;

/**
 * Reads the fields of a front matter with a YAML parser. Where that fails, each top-level field is read by
 * itself, and one that is no YAML is taken as the text that stands there: a colon or a quote too many costs no
 * skill its description. Never throws.
 */
export function readFields(yaml: string, firstLine: number): Fields {
  if (yaml.length > MOST_YAML) {
    return unreadable('yaml-too-big', `the front matter has more than ${MOST_YAML} characters`, firstLine);
  }
  if (isDeep(yaml)) {
    return unreadable('yaml-too-deep', `the front matter is nested more than ${DEEPEST} deep`, firstLine);
  }
  const whole = parseYaml(yaml, firstLine);
  if (whole.fields !== undefined) return toFields(whole.fields, []);
  if (whole.problem.rule !== 'yaml-invalid') return { ...toFields(new Map(), [whole.problem]), isReadable: false };
  const pieces = readPieces(yaml, firstLine);
  return { ...toFields(pieces, [whole.problem]), isReadable: pieces.size > 0 };
}

type Parsed = { readonly fields: Map<string, Field> } | { readonly fields?: undefined; readonly problem: FieldProblem };

function parseYaml(text: string, firstLine: number): Parsed {
  const fault = (rule: string, message: string, line = firstLine): Parsed => ({ problem: { rule, message, line } });
  const lineAt = (offset: number) => firstLine + (text.slice(0, offset).match(/\n/g)?.length ?? 0);
  try {
    const doc = parseDocument(text, { prettyErrors: false, logLevel: 'silent' });
    const error = doc.errors[0] ?? doc.warnings[0];
    if (error) {
      return fault('yaml-invalid', `the front matter is not valid YAML: ${error.message}`, lineAt(error.pos[0]));
    }
    if (doc.contents === null) return { fields: new Map() };
    if (!isMap(doc.contents)) return fault('yaml-invalid', 'the front matter is no list of "name: value" lines');
    let aliases = 0;
    visit(doc.contents, { Alias: () => void aliases++ });
    if (aliases > MOST_ALIASES) return fault('yaml-aliases', `the front matter has more than ${MOST_ALIASES} aliases`);
    const value = doc.toJS({ maxAliasCount: MOST_ALIASES }) as Record<string, unknown>;
    const fields = new Map<string, Field>();
    for (const { key } of doc.contents.items) {
      const name = String(isScalar(key) ? key.value : key);
      const offset = (key as Node | null)?.range?.[0] ?? 0;
      if (!isAlias(key)) fields.set(name, { value: value[name], line: lineAt(offset) });
    }
    return { fields };
  } catch (error) {
    const message = messageOf(error);
    const rule = /alias/i.test(message) ? 'yaml-aliases' : 'yaml-invalid';
    return fault(rule, `the front matter is not valid YAML: ${message}`);
  }
}

const FIELD_LINE = /^([A-Za-z_][\w.-]*)[ \t]*:(?:[ \t]+(.*)|)$/;

/** Each top-level field by itself. */
function readPieces(yaml: string, firstLine: number): Map<string, Field> {
  const fields = new Map<string, Field>();
  const lines = yaml.split('\n');
  for (let index = 0; index < lines.length; ) {
    const match = FIELD_LINE.exec(lines[index] ?? '');
    let end = index + 1;
    while (end < lines.length && !FIELD_LINE.test(lines[end] ?? '')) end++;
    if (match?.[1] !== undefined && !fields.has(match[1])) {
      const line = firstLine + index;
      const alone = parseYaml(lines.slice(index, end).join('\n'), line).fields?.get(match[1]);
      const text = [match[2] ?? '', ...lines.slice(index + 1, end)].map((each) => each.trim()).filter(Boolean);
      fields.set(match[1], alone ?? { value: withoutBlockSign(text).join(' '), line, isGuess: true });
    }
    index = end;
  }
  return fields;
}

const withoutBlockSign = (lines: string[]) => (/^[|>][+-]?\d?$/.test(lines[0] ?? '') ? lines.slice(1) : lines);

function isDeep(text: string): boolean {
  let depth = 0;
  for (const sign of text) {
    if (sign === '[' || sign === '{') depth++;
    else if (sign === ']' || sign === '}') depth--;
    if (depth > DEEPEST) return true;
  }
  return /^(?:[ \t]*[-?][ \t]+){100}|^ {400}/m.test(text);
}

function toFields(fields: Map<string, Field>, problems: readonly FieldProblem[]): Fields {
  return { get: (name) => fields.get(name), names: [...fields.keys()], problems, isReadable: true };
}

function unreadable(rule: string, message: string, line: number): Fields {
  return { ...toFields(new Map(), [{ rule, message, line }]), isReadable: false };
}
