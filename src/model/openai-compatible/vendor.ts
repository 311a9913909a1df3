import type { ModelOptions } from '../../core/index.ts';

/** Who serves the protocol, where its requests differ from the common form. */
export type Vendor =
  | 'openai'
  | 'dashscope'
  | 'deepseek'
  | 'gemini'
  | 'moonshot'
  | 'ollama'
  | 'openrouter'
  | 'vllm'
  | 'generic';

const HOSTS: readonly (readonly [RegExp, Vendor])[] = [
  [/(^|\.)openai\.com$/, 'openai'],
  [/dashscope.*\.aliyuncs\.com$/, 'dashscope'],
  [/(^|\.)deepseek\.com$/, 'deepseek'],
  [/^generativelanguage\.googleapis\.com$/, 'gemini'],
  [/(^|\.)moonshot\.(cn|ai)$/, 'moonshot'],
  [/(^|\.)openrouter\.ai$/, 'openrouter'],
];

/** The vendor that an address belongs to; for unknown addresses a Qwen model takes DashScope's fields. */
export function vendorOf(baseUrl: URL, model: string): Vendor {
  for (const [pattern, vendor] of HOSTS) if (pattern.test(baseUrl.hostname)) return vendor;
  return /(^|\/)(qwen|qwq)/i.test(model) ? 'dashscope' : 'generic';
}

/** The request's fields for `thinking`, as the vendor names them; none where it has no such field. */
function thinkingFields(vendor: Vendor, thinking: boolean | undefined): Record<string, unknown> {
  if (thinking === undefined) return {};
  switch (vendor) {
    case 'dashscope':
      return { enable_thinking: thinking };
    case 'deepseek':
      return { thinking: { type: thinking ? 'enabled' : 'disabled' } };
    case 'vllm':
      return { chat_template_kwargs: { enable_thinking: thinking } };
    case 'openrouter':
      return thinking ? { reasoning: { enabled: true } } : {};
    case 'moonshot':
      return {};
    default:
      return thinking ? { reasoning_effort: 'medium' } : {};
  }
}

/** The request's fields for everything else that can be set. */
export function optionFields(vendor: Vendor, options: ModelOptions = {}): Record<string, unknown> {
  const { maxOutputTokens, temperature, thinking } = options;
  return {
    ...(maxOutputTokens === undefined
      ? {}
      : { [vendor === 'openai' ? 'max_completion_tokens' : 'max_tokens']: maxOutputTokens }),
    ...(temperature === undefined ? {} : { temperature }),
    ...thinkingFields(vendor, thinking),
  };
}

/**
 * Which replies must carry their thinking when they are sent back: DeepSeek refuses a call without it
 * and ignores it elsewhere, Moonshot reads it everywhere, the others do not know the field.
 */
export function returnsThinking(vendor: Vendor, hasCalls: boolean): boolean {
  return vendor === 'moonshot' || (vendor === 'deepseek' && hasCalls);
}
