import type {
  LanguageModelV2,
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3FunctionTool,
  LanguageModelV3Message,
  LanguageModelV3Prompt,
} from '@ai-sdk/provider';
import type { Message, ModelRequest, ToolDefinition } from '../../core/index.ts';
import { toolSchema } from '../tool-schema.ts';
import { toPromptMessage } from './prompt-message.ts';
import { createPromptRules } from './prompt-rules.ts';
import { thinkingOptions } from './thinking-options.ts';

/** Turns requests into the interface's options; each message and each tool list once, however often they are sent. */
export function createCallOptions(
  model: LanguageModelV2 | LanguageModelV3,
  adapter: string,
): (request: ModelRequest) => LanguageModelV3CallOptions {
  const rules = createPromptRules(model, adapter);
  const messages = new WeakMap<Message, ReturnType<typeof toPromptMessage>>();
  const toolLists = new WeakMap<readonly ToolDefinition[], LanguageModelV3FunctionTool[]>();

  const promptOf = (request: ModelRequest): LanguageModelV3Prompt => {
    const prompt: LanguageModelV3Message[] = [];
    let pictures: Extract<LanguageModelV3Message, { role: 'user' }>['content'] = [];
    const addPictures = () => {
      if (pictures.length > 0) prompt.push({ role: 'user', content: pictures });
      pictures = [];
    };
    if (request.system) prompt.push({ role: 'system', content: request.system });
    for (const message of request.messages) {
      if (message.role !== 'tool') addPictures();
      const converted = messages.get(message) ?? toPromptMessage(message, rules);
      messages.set(message, converted);
      prompt.push(converted.message);
      if (converted.pictures) pictures = [...pictures, ...converted.pictures];
    }
    addPictures();
    return prompt;
  };
  const toolsOf = (tools: readonly ToolDefinition[]): LanguageModelV3FunctionTool[] => {
    const known = toolLists.get(tools);
    if (known) return known;
    const converted = tools.map((tool): LanguageModelV3FunctionTool => {
      return {
        type: 'function',
        name: tool.name,
        description: tool.description,
        inputSchema: toolSchema(tool, rules.schemaProvider) as LanguageModelV3FunctionTool['inputSchema'],
      };
    });
    toolLists.set(tools, converted);
    return converted;
  };

  return (request) => {
    const { maxOutputTokens, temperature, thinking } = request.options ?? {};
    const providerOptions = thinking ? thinkingOptions(model.provider, model.modelId) : undefined;
    return {
      prompt: promptOf(request),
      ...(request.tools.length > 0 ? { tools: toolsOf(request.tools), toolChoice: { type: 'auto' } } : {}),
      ...(rules.watchArguments ? { includeRawChunks: true } : {}),
      ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
      ...(temperature === undefined ? {} : { temperature }),
      ...(providerOptions === undefined ? {} : { providerOptions }),
    };
  };
}
