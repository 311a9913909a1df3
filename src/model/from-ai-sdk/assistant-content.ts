import type { LanguageModelV3Message, LanguageModelV3ToolCallPart, SharedV3ProviderMetadata } from '@ai-sdk/provider';
import { type AssistantMessage, isObject, type ToolCall } from '../../core/index.ts';
import type { KeptBlock, KeptBlocks } from './kept-blocks.ts';
import type { PromptRules } from './prompt-message.ts';

type AssistantContent = Extract<LanguageModelV3Message, { role: 'assistant' }>['content'];

/** A reply as it goes back: its parts in the order in which they came, with what the provider wanted back. */
export function assistantContent(message: AssistantMessage, rules: PromptRules): AssistantContent {
  const own = message.provider?.adapter === rules.adapter;
  const blocks = own ? ((message.provider?.value as KeptBlocks | undefined)?.blocks ?? []) : [];
  const calls = message.toolCalls ?? [];
  const content: AssistantContent = [];
  const sent = new Set<ToolCall>();
  const textLength = blocks.reduce((sum, block) => sum + (block.type === 'text' ? block.length : 0), 0);
  // Text that is no longer the text of the reply goes out as one part before the calls.
  const textAsKept = textLength === message.content.length;
  let textAt = 0;
  const addText = (text: string, options?: SharedV3ProviderMetadata) => {
    if (text.trim() !== '') content.push({ type: 'text', text, ...withOptions(options) });
  };
  const addCall = (call: ToolCall, options?: SharedV3ProviderMetadata) => {
    sent.add(call);
    content.push(callPart(call, rules, options));
  };

  for (const block of blocks) {
    if (block.type === 'reasoning') content.push({ type: 'reasoning', text: block.text, ...withOptions(block.options) });
    else if (block.type === 'text' && textAsKept) {
      addText(message.content.slice(textAt, textAt + block.length), block.options);
      textAt += block.length;
    }
  }
  if (!textAsKept) addText(message.content);
  for (const call of calls) addCall(call, optionsOf(call, calls, blocks));
  return inOrder(content, blocks, textAsKept);
}

function optionsOf(call: ToolCall, calls: readonly ToolCall[], blocks: readonly KeptBlock[]) {
  const kept = blocks.filter((block) => block.type === 'call');
  const byId = kept.find((block) => block.id === call.id);
  const byPlace = kept.find((block) => block.key === calls.indexOf(call));
  return (byId ?? byPlace)?.options;
}

function callPart(call: ToolCall, rules: PromptRules, options?: SharedV3ProviderMetadata): LanguageModelV3ToolCallPart {
  const input = { toolCallId: rules.callId(call.id), toolName: call.name, input: inputOf(call.arguments) };
  return { type: 'tool-call', ...input, ...withOptions(options) };
}

function withOptions(options: SharedV3ProviderMetadata | undefined) {
  return options === undefined ? {} : { providerOptions: options };
}

function inputOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

