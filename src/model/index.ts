export { type FromAiSdkOptions, fromAiSdk } from './from-ai-sdk/from-ai-sdk.ts';
export { type LoadedScript, loadScript } from './load-script.ts';
export { createManualModel } from './manual.ts';
export { createOpenAiCompatible, type OpenAiCompatibleOptions } from './openai-compatible/create-openai-compatible.ts';
export type { Vendor } from './openai-compatible/vendor.ts';
export { createReplayModel } from './replay.ts';
export { type ModelSettings, resolveModel } from './resolve-model.ts';
export {
  createScriptedModel,
  type ScriptedCall,
  type ScriptedExpectation,
  type ScriptedModel,
  type ScriptedOptions,
  type ScriptedStep,
} from './scripted.ts';
