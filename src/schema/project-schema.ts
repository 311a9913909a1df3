import type { JsonSchema } from '../core/index.ts';
import { modernSchema } from './modern-schema.ts';
import type { LostKeyword, Schema } from './modernize.ts';
import { badSchema, copyJson } from './plain-schema.ts';
import { inlineSchema } from './project/inline-schema.ts';
import { rootObject } from './project/root-object.ts';
import { toGemini } from './project/to-gemini.ts';
import { toOpenAiStrict } from './project/to-openai-strict.ts';
import { toAnthropic, toOpenAi } from './project/to-plain.ts';
import { createWork, type Node, type Work } from './project/work.ts';

export type SchemaProvider = 'openai' | 'openai-strict' | 'anthropic' | 'gemini';

export interface Projection {
  /** Plain JSON that shares nothing with the schema that was given. */
  readonly schema: JsonSchema;
  /** All that the projected schema no longer says; most of it stands in descriptions. */
  readonly lost: readonly LostKeyword[];
  /** Set when the tool takes something other than an object: what it takes stands under this key. */
  readonly wrap?: { readonly key: string };
  /** The provider may be asked to hold the model to it. */
  readonly strict: boolean;
}

/**
 * A tool's schema as one provider's published rules accept it: a root object without combinators, no
 * references, nothing that the provider refuses. What cannot be said is listed, and told in descriptions
 * where it helps. A schema that means nothing is refused with its JSON pointer (`invalid_request`).
 */
export function projectSchema(schema: Schema, provider: SchemaProvider): Projection {
  const modern = modernSchema(schema);
  const attempt = (
    as: (node: Node, work: Work) => Node | undefined,
    strict: boolean,
    more: readonly LostKeyword[] = [],
  ) => {
    const work = createWork(modern.origin, [...modern.lost, ...more]);
    const tree = inlineSchema(modern, work);
    if (tree === false) throw badSchema('', 'false stands, which no input can fit');
    const { node, wrap } = rootObject(tree, work);
    const projected = as(node, work);
    if (projected === undefined) return undefined;
    const plain = copyJson(projected) as JsonSchema;
    return { schema: plain, lost: work.lost, ...(wrap === undefined ? {} : { wrap }), strict };
  };
  if (provider === 'gemini') return attempt(toGemini, false) as Projection;
  if (provider === 'anthropic') return attempt(toAnthropic, false) as Projection;
  if (provider === 'openai') return attempt(toOpenAi, false) as Projection;
  let reason: LostKeyword | undefined;
  const strict = attempt((node, work) => {
    const result = toOpenAiStrict(node, work);
    if ('node' in result) return result.node;
    reason = { pointer: work.pointerOf(result.unfit.node), keyword: 'strict', why: result.unfit.why };
    return undefined;
  }, true);
  return strict ?? (attempt(toOpenAi, false, reason === undefined ? [] : [reason]) as Projection);
}
