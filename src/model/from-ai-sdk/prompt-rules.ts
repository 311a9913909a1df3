import type { LanguageModelV2, LanguageModelV3 } from '@ai-sdk/provider';
import type { SchemaProvider } from '../../schema/index.ts';
import { ANTHROPIC_CALL_ID, fitCallId, OPENAI_CALL_ID } from '../call-id.ts';

/** How one model's provider takes a history. */
export interface PromptRules {
  readonly adapter: string;
  readonly callId: (id: string) => string;
  /** The part type of a picture in a result; undefined when results take text only. */
  readonly resultPicture: 'image-data' | 'media' | undefined;
  readonly schemaProvider: SchemaProvider;
  /** Its adapter may drop arguments that it cannot place, so the events are asked for as they came. */
  readonly watchArguments: boolean;
}

export function createPromptRules(model: LanguageModelV2 | LanguageModelV3, adapter: string): PromptRules {
  const { provider } = model;
  const anthropic = /anthropic|bedrock/.test(provider);
  const google = /google|vertex/.test(provider) && !anthropic;
  const takesPictures = anthropic || google || provider === 'openai.responses';
  const rule = anthropic ? ANTHROPIC_CALL_ID : OPENAI_CALL_ID;
  return {
    adapter,
    callId: (id) => fitCallId(id, rule),
    resultPicture: takesPictures ? (model.specificationVersion === 'v2' ? 'media' : 'image-data') : undefined,
    watchArguments: !anthropic && !google,
    schemaProvider: anthropic ? 'anthropic' : google ? 'gemini' : 'openai',
  };
}
