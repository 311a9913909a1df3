import type { LanguageModelV2, LanguageModelV3 } from '@ai-sdk/provider';
import { type Clock, type Model, type ModelRequest, systemClock } from '../../core/index.ts';
import { createCallOptions } from './call-options.ts';
import { type AiSdkModel, streamParts } from './stream-parts.ts';

export interface FromAiSdkOptions {
  /** `provider/name`; told from the model when absent. */
  readonly id?: string;
  readonly contextWindow?: number;
  /** Longest silence of the model; default 5 min. */
  readonly idleTimeoutMs?: number;
  readonly clock?: Clock;
}

/** Any language model of the AI SDK's provider interface, version 2 or 3, as a model of the house. */
export function fromAiSdk(languageModel: LanguageModelV2 | LanguageModelV3, options: FromAiSdkOptions = {}): Model {
  const model = languageModel as unknown as AiSdkModel;
  const adapter = `ai-sdk:${model.provider}`;
  const toCallOptions = createCallOptions(languageModel, adapter);
  return {
    id: options.id ?? `${model.provider.split('.')[0]}/${model.modelId}`,
    ...(options.contextWindow === undefined ? {} : { contextWindow: options.contextWindow }),
    stream(request: ModelRequest, { signal }) {
      return streamParts({
        model,
        callOptions: toCallOptions(request),
        adapter,
        signal,
        clock: options.clock ?? systemClock,
        idleTimeoutMs: options.idleTimeoutMs ?? 300_000,
      });
    },
  };
}
