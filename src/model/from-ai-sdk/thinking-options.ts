import type { SharedV3ProviderOptions } from '@ai-sdk/provider';

/** Claude models that are asked to think with a budget of tokens; later ones decide on their own. */
const WITH_BUDGET = /claude-(3|(opus|sonnet|haiku)-(4-[0-5]\b|4\b(?!-\d)|4-2\d{3}))/;
const BUDGET_TOKENS = 8_192;

/** How each provider is asked to think first; undefined where it has no such option. */
export function thinkingOptions(provider: string, modelId: string): SharedV3ProviderOptions | undefined {
  const name = provider.split('.')[0] ?? provider;
  if (provider.includes('anthropic')) {
    const thinking = WITH_BUDGET.test(modelId)
      ? { type: 'enabled', budgetTokens: BUDGET_TOKENS }
      : { type: 'adaptive', display: 'summarized' };
    return { anthropic: { thinking } };
  }
  if (provider.includes('google')) return { google: { thinkingConfig: { includeThoughts: true } } };
  if (/dashscope|alibaba|qwen/i.test(provider) || /^(qwen|qwq)/i.test(modelId)) {
    return { [name]: { enable_thinking: true } };
  }
  return { [name]: { reasoningEffort: 'medium' } };
}
