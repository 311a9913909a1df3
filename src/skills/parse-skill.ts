import { basename } from 'node:path';
import { cutEnd, isObject } from '../core/index.ts';
import { type Breach, checkFields } from './check-fields.ts';
import { type SkillText, splitFrontMatter } from './front-matter.ts';
import { type Field, type FieldProblem, type Fields, readFields } from './read-fields.ts';
import type { Skill, SkillDiagnostic } from './skill.ts';
import { toolRules } from './tool-rules.ts';

export interface SkillFiles {
  /** SKILL.md, or as much of it as was read. */
  readonly text: string;
  readonly file: string;
  /** Real path of the folder. */
  readonly folder: string;
  /** The folder's name as it was reached; a link may have another one than what it leads to. */
  readonly folderName?: string;
  /** The older form's skill.yaml. */
  readonly extra?: { readonly text: string; readonly file: string };
}

export interface ParsedSkill {
  /** Absent: it cannot be used, and `skipped` says why. */
  readonly skill?: Skill;
  readonly skipped?: string;
  /** The name, or what stands for it, of a skill that cannot be used. */
  readonly name: string;
  readonly diagnostics: readonly SkillDiagnostic[];
}

/** Characters of a description that are kept. */
const MOST_DESCRIPTION = 4_096;
const ADVISED_LINES = 500;

/**
 * Reads a skill of the Agent Skills standard, or of the older form without front matter. What the standard
 * forbids is told and, where there is any sense in it, loaded all the same. Never throws.
 */
export function parseSkill(files: SkillFiles): ParsedSkill {
  const diagnostics: SkillDiagnostic[] = [];
  const tell = (breaches: readonly Breach[], file = files.file) => {
    for (const breach of breaches) diagnostics.push({ ...breach, file });
  };
  const folderName = files.folderName ?? basename(files.folder);
  const text = splitFrontMatter(files.text);
  const isOlder = text.yaml === undefined;
  const front = readFields(text.isClosed ? (text.yaml ?? '') : '', text.yamlLine);
  const extra = files.extra && readFields(yamlOf(files.extra.text), 1);
  tell(front.problems.map(asError));
  tell((extra?.problems ?? []).map(asError), files.extra?.file);
  const title = headingOf(text.body);
  if (isOlder) tell([NO_FRONT_MATTER]);
  else if (!text.isClosed) tell([{ ...OPEN_FRONT_MATTER, line: text.yamlLine - 1 }]);
  else if (front.isReadable) tell(checkFields(front, folderName, text.yamlLine - 1));
  tell(checkBody(text));

  const field = (name: string) => front.get(name) ?? extra?.get(name);
  const plainFolder = folderName.replace(/\p{Cc}/gu, '-');
  const name = nameOf(front, extra) ?? plainFolder;
  const skip = (why: string): ParsedSkill => ({ skipped: why, name, diagnostics });
  if (!text.isClosed) return skip('its front matter has no end');
  if (!front.isReadable) return skip('its front matter cannot be read');
  if (isOlder && !title?.isSkill && extra === undefined) return skip('it has no front matter');
  const description = textOf(field('description')) || (isOlder ? firstParagraph(text.body) : '');
  if (description === '') return skip('it has no description');

  const aliases = [
    plainFolder,
    textOf(extra?.get('id')),
    textOf(extra?.get('name')),
    isOlder ? title?.text : undefined,
  ];
  const activation = textOf(field('activation') ?? field('when_to_use'));
  const restrict = field('restrict-tools');
  const skill: Skill = {
    name,
    aliases: [...new Set(aliases)].filter((alias): alias is string => !!alias && alias !== name),
    description: oneLine(cutEnd(description, MOST_DESCRIPTION)),
    ...(activation === '' ? {} : { activation: oneLine(cutEnd(activation, MOST_DESCRIPTION)) }),
    folder: files.folder,
    file: files.file,
    allowedTools: toolRules(field('allowed-tools')?.value),
    ...(restrict === undefined ? {} : { restrictTools: toolRules(restrict.value) }),
    always: isTrue(field('always')),
    isTool: isTrue(field('tool')),
    forModel: !isTrue(field('disable-model-invocation')),
    forPerson: !isFalse(field('user-invocable')),
  };
  return { skill, name, diagnostics };
}

const asError = (problem: FieldProblem): Breach => ({ ...problem, severity: 'error' });

const NO_FRONT_MATTER: Breach = {
  rule: 'front-matter-missing',
  severity: 'error',
  message: 'there is no front matter with name and description',
  line: 1,
};

const OPEN_FRONT_MATTER: Breach = {
  rule: 'front-matter-open',
  severity: 'error',
  message: 'the front matter has no closing line of dashes',
};

function checkBody({ body, bodyLine }: SkillText): Breach[] {
  const warning = (rule: string, message: string, line: number): Breach[] => [
    { rule, severity: 'warning', message, line },
  ];
  if (body.trim() === '') return warning('body-empty', 'there are no instructions below the front matter', bodyLine);
  const lines = body.trimEnd().split('\n').length;
  if (lines <= ADVISED_LINES) return [];
  const message = `the instructions have ${lines} lines; at most ${ADVISED_LINES} are advised`;
  return warning('body-long', message, bodyLine + ADVISED_LINES);
}

/** The front matter's name, then the older form's id; nothing where neither can be one. */
function nameOf(front: Fields, extra: Fields | undefined): string | undefined {
  return [front.get('name'), extra?.get('id')].map(textOf).find((name) => name !== '' && isSafe(name));
}

const isSafe = (name: string) => !/[/\\\p{Cc}]/u.test(name) && !/^\.+$/.test(name) && name.length <= 4 * 64;

function headingOf(body: string): { text: string; isSkill: boolean } | undefined {
  const match = /^#[ \t]+(.+)$/m.exec(body);
  const heading = match?.[1]?.trim();
  if (heading === undefined) return undefined;
  const named = /^skill[ \t]*[:：][ \t]*(.+)$/i.exec(heading)?.[1];
  return { text: named ?? heading, isSkill: named !== undefined };
}

function firstParagraph(body: string): string {
  const blocks = body.split(/\n[ \t]*\n|\n(?=#)/);
  for (const block of blocks) {
    const lines = block.split('\n').filter((line) => line.trim() !== '' && !/^#+[ \t]/.test(line));
    if (lines.length > 0) return lines.map((line) => line.trim().replace(/^(?:[-*]|\d+\.)[ \t]+/, '')).join(' ');
  }
  return '';
}

/** A value as text: lists and maps by their texts. */
function textOf(field: Field | undefined): string {
  return flat(field?.value, 3).join('; ').trim();
}

function flat(value: unknown, depth: number): string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value.trim()];
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return [String(value)];
  if (depth === 0) return [];
  if (Array.isArray(value)) return value.slice(0, 50).flatMap((item) => flat(item, depth - 1));
  return isObject(value) ? flat(Object.values(value), depth) : [];
}

/** A skill.yaml may stand between dashes, too. */
function yamlOf(text: string): string {
  const { yaml, body } = splitFrontMatter(text);
  return yaml ?? body;
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();
const isTrue = (field: Field | undefined) => field?.value === true || /^(true|yes|on)$/i.test(String(field?.value));
const isFalse = (field: Field | undefined) => field?.value === false || /^(false|no|off)$/i.test(String(field?.value));
