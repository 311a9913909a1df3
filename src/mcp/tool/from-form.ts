import { type AskPower, type AskQuestion, isObject, type Json } from '../../core/index.ts';

/** What a server asks in MCP's elicitation form, put to the session's person; the answer in the protocol's words. */
export async function elicit(
  params: unknown,
  ask: AskPower | undefined,
): Promise<{
  action: 'accept' | 'decline' | 'cancel';
  content?: Record<string, string | number | boolean | string[]>;
}> {
  if (!isObject(params) || ask === undefined || params['mode'] === 'url') return { action: 'decline' };
  const schema = isObject(params['requestedSchema']) ? params['requestedSchema'] : {};
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const fields = isObject(schema['properties']) ? Object.entries(schema['properties']) : [];
  const questions = fields.map(([id, field]) => toQuestion(id, isObject(field) ? field : {}, required.includes(id)));
  const answer = await ask({ kind: 'elicitation', reason: String(params['message'] ?? 'A server asks.'), questions });
  if (answer.outcome === 'declined') return { action: 'decline' };
  if (answer.outcome !== 'answered') return { action: 'cancel' };
  return { action: 'accept', content: answer.answers as Record<string, string | number | boolean | string[]> };
}

function toQuestion(id: string, field: Record<string, unknown>, required: boolean): AskQuestion {
  const text = (key: string) => (typeof field[key] === 'string' ? field[key] : undefined);
  const isList = field['type'] === 'array';
  const options = optionsOf(isList && isObject(field['items']) ? field['items'] : field);
  const placeholder = text('description');
  return {
    id,
    title: text('title') ?? id,
    type: isList ? 'multiple_choice' : options.length > 0 ? 'single_choice' : plainType(field['type']),
    required,
    ...(options.length === 0 ? {} : { options }),
    ...(field['default'] === undefined ? {} : { default: field['default'] as Json }),
    ...(placeholder === undefined ? {} : { placeholder }),
  };
}

function plainType(type: unknown): 'text' | 'number' | 'integer' | 'boolean' {
  return type === 'number' || type === 'integer' || type === 'boolean' ? type : 'text';
}

/** `enum` with or without `enumNames`, `oneOf` or `anyOf` of titled constants. */
function optionsOf(field: Record<string, unknown>): { value: string; label?: string }[] {
  const titled = [field['oneOf'], field['anyOf']].find(Array.isArray) as unknown[] | undefined;
  if (titled !== undefined) {
    return titled
      .filter(isObject)
      .map((entry) => ({ value: String(entry['const']), label: String(entry['title'] ?? entry['const']) }));
  }
  if (!Array.isArray(field['enum'])) return [];
  const names = Array.isArray(field['enumNames']) ? field['enumNames'] : [];
  return field['enum'].map((value, index) => ({
    value: String(value),
    ...(typeof names[index] === 'string' ? { label: names[index] } : {}),
  }));
}
