import { isObject, type Json, type JsonSchema, type StandardIssue } from '../core/index.ts';
import { describeShape } from './describe-shape.ts';
import { type Issue, missing, notAllowed, unknownField } from './issue.ts';
import { pointerStep, TYPES, type TypeName } from './keywords.ts';
import { modernSchema } from './modern-schema.ts';
import { kindAndValue, typesText } from './say.ts';
import { createShapeReader, type Shapes } from './shapes.ts';

/** What zod tells beyond the standard; other vendors leave it out. */
interface VendorIssue extends StandardIssue {
  readonly code?: unknown;
  readonly keys?: unknown;
  readonly errors?: unknown;
  readonly expected?: unknown;
}

/** A Standard Schema's issues as ours, told with what its JSON Schema allows at that place. */
export function standardIssues(
  issues: readonly StandardIssue[],
  value: unknown,
  schema: JsonSchema | undefined,
): Issue[] {
  return issues.flatMap((issue) => convert(issue, value, schema));
}

function convert(issue: VendorIssue, root: unknown, schema: JsonSchema | undefined): Issue[] {
  const keys = (issue.path ?? []).map((part) => (isObject(part) ? (part as { key: PropertyKey }).key : part));
  const path = keys.map((key) => pointerStep(String(key))).join('');
  const place = follow(root, schema, keys);
  if (issue.code === 'unrecognized_keys' && Array.isArray(issue.keys)) {
    return issue.keys.map((key) => unknownField(path + pointerStep(String(key)), String(key), place.fields));
  }
  const nested = issue.code === 'invalid_union' ? nearest(issue.errors) : undefined;
  if (nested !== undefined) {
    return nested.flatMap((inner) =>
      convert({ ...inner, path: [...(issue.path ?? []), ...(inner.path ?? [])] }, root, schema),
    );
  }
  const last = keys.at(-1);
  if (place.value === undefined && last !== undefined && isObject(place.parent)) {
    const written = Object.keys(place.parent).filter((key) => !place.siblings.includes(key));
    return [missing(path, String(last), place.what, written)];
  }
  if (place.allowed !== undefined && !place.allowed.includes(place.value as Json)) {
    return [notAllowed(path, place.value, place.allowed)];
  }
  const got = kindAndValue(place.value);
  if (issue.code === 'invalid_type' && TYPES.includes(issue.expected as TypeName)) {
    return [{ path, message: `must be ${typesText([issue.expected])}; got ${got}` }];
  }
  if (issue.code === 'invalid_union' && place.what !== '')
    return [{ path, message: `must be ${place.what}; got ${got}` }];
  return [{ path, message: `${issue.message}; got ${got}` }];
}

/** The issues of the union's branch that the value comes nearest to: one whose own type it has. */
function nearest(branches: unknown): readonly VendorIssue[] | undefined {
  if (!Array.isArray(branches)) return undefined;
  const near = (branches as readonly (readonly VendorIssue[])[]).filter(
    (branch) => branch.length > 0 && branch.every((issue) => (issue.path ?? []).length > 0),
  );
  return near.sort((a, b) => a.length - b.length)[0];
}

interface Place {
  readonly value: unknown;
  readonly parent: unknown;
  /** Names that the object around knows. */
  readonly siblings: readonly string[];
  /** Names that the object at the place itself knows. */
  readonly fields: readonly string[];
  readonly allowed: readonly Json[] | undefined;
  readonly what: string;
}

function follow(root: unknown, schema: JsonSchema | undefined, keys: readonly PropertyKey[]): Place {
  const modern = schema === undefined ? undefined : modernSchema(schema);
  const reader = modern === undefined ? undefined : createShapeReader(modern);
  let shapes: Shapes = modern === undefined ? undefined : reader?.of(modern.root);
  let value = root;
  let parent: unknown;
  let siblings: readonly string[] = [];
  for (const key of keys) {
    parent = value;
    siblings = fieldsOf(shapes);
    value = isObject(value) || Array.isArray(value) ? ownValue(value, key) : undefined;
    shapes = shapes === undefined ? undefined : reader?.inside(shapes, typeof key === 'number' ? key : String(key));
  }
  const schemas = shapes?.length === 1 ? shapes[0] : undefined;
  const list = schemas?.map((one) => one['enum']).find(Array.isArray) as Json[] | undefined;
  const what = [...new Set(shapes?.map((shape) => describeShape(shape.at(-1))))].join(' or ');
  return { value, parent, siblings, fields: fieldsOf(shapes), allowed: list, what };
}

const ownValue = (value: object, key: PropertyKey): unknown =>
  Object.hasOwn(value, key) ? (value as Record<PropertyKey, unknown>)[key] : undefined;

function fieldsOf(shapes: Shapes): string[] {
  const names = new Set<string>();
  for (const schema of shapes?.flat() ?? []) {
    if (isObject(schema['properties'])) for (const name of Object.keys(schema['properties'])) names.add(name);
  }
  return [...names];
}
