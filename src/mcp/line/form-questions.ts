import { type AskQuestion, isObject, type Json } from '../../core/index.ts';

export interface Form {
  readonly questions: readonly AskQuestion[];
  /** A person's answers as the server wants them: numbers as numbers, defaults filled in. */
  content(answers: Readonly<Record<string, Json>>): Record<string, Json>;
}

/** The flat object schema of an elicitation as questions. */
export function formQuestions(schema: unknown): Form {
  const properties = isObject(schema) && isObject(schema['properties']) ? schema['properties'] : {};
  const required = isObject(schema) && Array.isArray(schema['required']) ? schema['required'] : [];
  const fields = Object.entries(properties).filter((entry): entry is [string, Record<string, unknown>] =>
    isObject(entry[1]),
  );
  return {
    questions: fields.map(([id, field]) => question(id, field, required.includes(id))),
    content(answers) {
      const content: Record<string, Json> = {};
      for (const [id, field] of fields) {
        const value = answers[id] ?? (field['default'] as Json | undefined);
        if (value !== undefined && value !== null) content[id] = asTyped(value, field);
      }
      return content;
    },
  };
}

function question(id: string, field: Record<string, unknown>, required: boolean): AskQuestion {
  const text = (key: string) => (typeof field[key] === 'string' ? (field[key] as string) : undefined);
  const options = optionsOf(field);
  const title = text('title') ?? id;
  const about = text('description');
  return {
    id,
    title: about === undefined ? title : `${title}: ${about}`,
    type:
      options !== undefined ? (field['type'] === 'array' ? 'multiple_choice' : 'single_choice') : kindOf(field['type']),
    ...(options === undefined ? {} : { options }),
    ...(field['default'] === undefined ? {} : { default: field['default'] as Json }),
    required,
  };
}

function kindOf(type: unknown): AskQuestion['type'] {
  if (type === 'boolean') return 'boolean';
  return type === 'number' || type === 'integer' ? 'number' : 'text';
}

/** `enum` with `enumNames`, or `oneOf` of constants; for a list those of its items. */
function optionsOf(field: Record<string, unknown>): { value: string; label?: string }[] | undefined {
  const source = field['type'] === 'array' && isObject(field['items']) ? field['items'] : field;
  const titled = source['oneOf'] ?? source['anyOf'];
  if (Array.isArray(titled)) {
    return titled.filter(isObject).map((each) => {
      const label = typeof each['title'] === 'string' ? { label: each['title'] } : {};
      return { value: String(each['const']), ...label };
    });
  }
  if (!Array.isArray(source['enum'])) return undefined;
  const names = Array.isArray(source['enumNames']) ? source['enumNames'] : [];
  return source['enum'].map((value, index) => ({
    value: String(value),
    ...(typeof names[index] === 'string' ? { label: names[index] as string } : {}),
  }));
}

function asTyped(value: Json, field: Record<string, unknown>): Json {
  const { type } = field;
  if ((type === 'number' || type === 'integer') && typeof value === 'string' && value.trim() !== '') {
    const number = Number(value);
    return Number.isFinite(number) ? number : value;
  }
  if (type === 'boolean' && typeof value === 'string') return value === 'true';
  return value;
}
