import type { ErrorObject } from 'ajv/dist/2020.js';
import { isObject, type Json } from '../core/index.ts';
import { describeShape } from './describe-shape.ts';
import { type Issue, missing, notAllowed, unknownField } from './issue.ts';
import { pointerStep } from './keywords.ts';
import { kindAndValue, typesText } from './say.ts';

const MOST_ERRORS = 500;

/** A validator's errors as issues: of a choice between several shapes only what the nearest one lacks. */
export function jsonSchemaIssues(errors: readonly ErrorObject[], value: unknown): Issue[] {
  const kept = nearestBranches(errors.slice(0, MOST_ERRORS));
  const seen = new Set<string>();
  return kept
    .map((error) => toIssue(error, value))
    .filter((issue) => {
      const key = `${issue.path}\n${issue.message}`;
      return !seen.has(key) && seen.add(key);
    });
}

function toIssue(error: ErrorObject, root: unknown): Issue {
  const path = error.instancePath;
  const data = error.data;
  const schema = isObject(error.parentSchema) ? error.parentSchema : {};
  const fields = isObject(schema['properties']) ? Object.keys(schema['properties']) : [];
  const params = error.params as Record<string, unknown>;
  switch (error.keyword) {
    case 'required': {
      const name = String(params['missingProperty']);
      const properties = isObject(schema['properties']) ? schema['properties'] : {};
      const what = Object.hasOwn(properties, name) ? describeShape(properties[name]) : '';
      const written = isObject(data) ? Object.keys(data).filter((key) => !fields.includes(key)) : [];
      return missing(path + pointerStep(name), name, what, written);
    }
    case 'additionalProperties':
    case 'unevaluatedProperties': {
      const name = String(params['additionalProperty'] ?? params['unevaluatedProperty']);
      return unknownField(path + pointerStep(name), name, fields);
    }
    case 'enum':
      return notAllowed(path, data, params['allowedValues'] as Json[]);
    case 'const':
      return notAllowed(path, data, [params['allowedValue'] as Json]);
    case 'type': {
      const types = Array.isArray(params['type']) ? params['type'] : String(params['type']).split(',');
      return { path, message: `must be ${typesText(types)}; got ${kindAndValue(data)}` };
    }
    case 'anyOf':
    case 'oneOf':
      return { path, message: unionMessage(error) };
    case 'not':
      return { path, message: `has a form that is excluded; got ${kindAndValue(data)}` };
    case 'false schema':
      return { path, message: `may not be given; got ${kindAndValue(data)}` };
    default: {
      const got = data === root && isObject(root) ? '' : `; got ${kindAndValue(data)}`;
      return { path, message: `${error.message ?? `breaks ${error.keyword}`}${got}` };
    }
  }
}

function unionMessage(error: ErrorObject): string {
  const passing = (error.params as { passingSchemas?: unknown }).passingSchemas;
  if (Array.isArray(passing)) return `fits ${passing.length} of the accepted shapes, and must fit exactly one`;
  const branches = Array.isArray(error.schema) ? error.schema.map(describeShape) : [];
  return `must be ${[...new Set(branches)].join(' or ')}; got ${kindAndValue(error.data)}`;
}

/**
 * Each failed `anyOf` or `oneOf` leaves the errors of all its branches. Kept are those of the branch that the
 * value comes nearest to, when it comes near one at all; else only that none fits.
 */
function nearestBranches(errors: readonly ErrorObject[]): ErrorObject[] {
  const unions = errors.filter((error) => error.keyword === 'anyOf' || error.keyword === 'oneOf');
  const dropped = new Set<ErrorObject>();
  for (const union of unions) {
    if (dropped.has(union) || (union.params as { passingSchemas?: unknown }).passingSchemas) continue;
    const branches = branchErrors(union, errors);
    const scored = [...branches.values()].map((list) => ({ list, score: score(list, union.instancePath) }));
    const best = scored.sort((a, b) => a.score - b.score)[0];
    for (const { list } of scored) for (const error of list) dropped.add(error);
    if (best === undefined || best.score >= FAR) continue;
    dropped.add(union);
    for (const error of best.list) dropped.delete(error);
  }
  const kept = errors.filter((error) => !dropped.has(error));
  return kept.length > 0 ? kept : errors.slice(0, 1);
}

const FAR = 1_000;

/** A wrong type is far away; a wrong constant says that another branch is meant; the rest are small faults. */
function score(errors: readonly ErrorObject[], at: string): number {
  let sum = 0;
  for (const error of errors) {
    if (error.instancePath === at && ['type', 'enum', 'const', 'false schema'].includes(error.keyword)) sum += FAR;
    else if (error.keyword === 'const') sum += 100;
    else sum += 1;
  }
  return sum;
}

/** The errors of each branch, told by their place in the schema, through references too. */
function branchErrors(union: ErrorObject, errors: readonly ErrorObject[]): Map<number, ErrorObject[]> {
  const branches = new Map<number, ErrorObject[]>();
  const schemas: readonly unknown[] = Array.isArray(union.schema) ? union.schema : [];
  const names = schemas.map((schema) => referencesOf(schema));
  for (const error of errors) {
    if (error === union || !error.instancePath.startsWith(union.instancePath)) continue;
    const prefix = `${union.schemaPath}/`;
    const index = error.schemaPath.startsWith(prefix)
      ? Number.parseInt(error.schemaPath.slice(prefix.length), 10)
      : names.findIndex((set) => [...set].some((name) => error.schemaPath.startsWith(`${name}/`)));
    if (index < 0) continue;
    const list = branches.get(index) ?? [];
    list.push(error);
    branches.set(index, list);
  }
  return branches;
}

function referencesOf(schema: unknown, into = new Set<string>()): Set<string> {
  if (typeof schema !== 'object' || schema === null) return into;
  for (const [key, value] of Object.entries(schema)) {
    if (key === '$ref' && typeof value === 'string' && value !== '#') into.add(value);
    else referencesOf(value, into);
  }
  return into;
}
