import type { LanguageModelV3Message, SharedV3ProviderMetadata } from '@ai-sdk/provider';
import { type AssistantMessage, isObject, type ToolCall } from '../../core/index.ts';
import type { KeptBlock, KeptBlocks } from './kept-blocks.ts';
import type { PromptRules } from './prompt-rules.ts';

type AssistantContent = Extract<LanguageModelV3Message, { role: 'assistant' }>['content'];
type CallBlock = Extract<KeptBlock, { type: 'call' }>;

/** A reply as it goes back: its parts in the order in which they came, with what the provider wanted back. */
export function assistantContent(message: AssistantMessage, rules: PromptRules): AssistantContent {
  const own = message.provider?.adapter === rules.adapter;
  const blocks = own ? ((message.provider?.value as KeptBlocks | undefined)?.blocks ?? []) : [];
  const content: AssistantContent = [];
  const unsent = new Set(message.toolCalls ?? []);
  const addText = (text: string, options?: SharedV3ProviderMetadata) => {
    if (text.trim() !== '') content.push({ type: 'text', text, ...withOptions(options) });
  };
  const addCall = (call: ToolCall, options?: SharedV3ProviderMetadata) => {
    unsent.delete(call);
    const part = { toolCallId: rules.callId(call.id), toolName: call.name, input: inputOf(call.arguments) };
    content.push({ type: 'tool-call', ...part, ...withOptions(options) });
  };

  // Text that is not as it was goes out as one part, where the first text or call stood.
  let text = message.content;
  const asItWas = text.length === blocks.reduce((sum, block) => sum + (block.type === 'text' ? block.length : 0), 0);
  const addRest = () => {
    addText(text);
    text = '';
  };
  for (const block of blocks) {
    if (block.type === 'reasoning') {
      content.push({ type: 'reasoning', text: block.text, ...withOptions(block.options) });
    } else if (block.type === 'text' && asItWas) {
      addText(text.slice(0, block.length), block.options);
      text = text.slice(block.length);
    } else {
      if (!asItWas) addRest();
      const call = block.type === 'call' ? callOf(block, blocks, message.toolCalls ?? []) : undefined;
      if (call && unsent.has(call)) addCall(call, block.type === 'call' ? block.options : undefined);
    }
  }
  addRest();
  for (const call of unsent) addCall(call);
  return content;
}

/** The kept call that a block tells of: by its id, or by its place when the id was repaired. */
function callOf(block: CallBlock, blocks: readonly KeptBlock[], calls: readonly ToolCall[]): ToolCall | undefined {
  const byId = calls.find((call) => call.id === block.id);
  if (byId) return byId;
  const inPlace = calls[block.key];
  return blocks.some((other) => other.type === 'call' && other.id === inPlace?.id) ? undefined : inPlace;
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
