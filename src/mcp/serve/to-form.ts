import type { ElicitRequestFormParams, ElicitResult } from '@modelcontextprotocol/server';
import type { AskQuestion, Json, QuestionAnswer } from '../../core/index.ts';
import type { ServedQuestion } from './served-house.ts';

type Form = ElicitRequestFormParams['requestedSchema'];
type Field = Form['properties'][string];

/** A question in MCP's elicitation form: a flat object, a field for each thing that is asked. */
export function toForm({
  message,
  questions,
}: ServedQuestion): Pick<ElicitRequestFormParams, 'message' | 'requestedSchema'> {
  const required = questions.filter((question) => question.required !== false).map(({ id }) => id);
  return {
    message,
    requestedSchema: {
      type: 'object',
      properties: Object.fromEntries(questions.map((question) => [question.id, toField(question)])),
      ...(required.length === 0 ? {} : { required }),
    },
  };
}

function toField({ type, title, options = [], placeholder, default: preset }: AskQuestion): Field {
  const about = { title, ...(placeholder === undefined ? {} : { description: placeholder }) };
  const choices = options.map(({ value, label }) => ({ const: value, title: label ?? value }));
  const values = options.map(({ value }) => value);
  const hasLabels = options.some(({ label }) => label !== undefined);
  switch (type) {
    case 'single_choice':
      return {
        type: 'string',
        ...about,
        ...(hasLabels ? { oneOf: choices } : { enum: values }),
        ...(typeof preset === 'string' ? { default: preset } : {}),
      };
    case 'multiple_choice':
      return hasLabels
        ? { type: 'array', ...about, items: { anyOf: choices } }
        : { type: 'array', ...about, items: { type: 'string', enum: values } };
    case 'number':
    case 'integer':
      return { type, ...about, ...(typeof preset === 'number' ? { default: preset } : {}) };
    case 'boolean':
      return { type: 'boolean', ...about, ...(typeof preset === 'boolean' ? { default: preset } : {}) };
    case 'text':
      return { type: 'string', ...about, ...(typeof preset === 'string' ? { default: preset } : {}) };
  }
}

/** What the client's person said. A client's word is not trusted: what fits no question is no answer. */
export function toAnswer(response: unknown, { questions }: ServedQuestion): QuestionAnswer {
  const { action, content } = (response ?? {}) as Partial<ElicitResult>;
  if (action === 'decline') return { outcome: 'declined' };
  if (action !== 'accept' || typeof content !== 'object' || content === null) return { outcome: 'unanswered' };
  const answers: Record<string, Json> = {};
  for (const question of questions) {
    const value = (content as Record<string, unknown>)[question.id];
    if (value === undefined && question.required === false) continue;
    if (!fits(question, value)) return { outcome: 'unanswered' };
    answers[question.id] = value as Json;
  }
  return { outcome: 'answered', answers };
}

function fits({ type, options = [] }: AskQuestion, value: unknown): boolean {
  const isOption = (text: unknown) => options.some((option) => option.value === text);
  switch (type) {
    case 'single_choice':
      return isOption(value);
    case 'multiple_choice':
      return Array.isArray(value) && value.every(isOption);
    case 'number':
      return typeof value === 'number';
    case 'integer':
      return Number.isInteger(value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'text':
      return typeof value === 'string';
  }
}
