export { collectTools } from './collect-tools.ts';
export type { ToolFault } from './describe-tool.ts';
export { exposedMcpName, mcpServerPrefix } from './exposed-mcp-name.ts';
export { type ImportFile, type LoadDiagnostic, type LoadedTools, loadTools } from './load-tools.ts';
export { type AgentMode, FURTHER_TOOLS, presets } from './presets.ts';
export {
  type AddOptions,
  createRegistry,
  type Registry,
  type RegistryChange,
} from './registry.ts';
export { createSelection, type Selected, type Selection, type SelectionOptions } from './selection.ts';
export type { ShadowedTool, View, ViewOptions, ViewSource } from './view.ts';
