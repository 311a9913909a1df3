import { messageOf, type Tool, type ToolDefinition } from '../core/index.ts';
import { requireUsable, toJsonSchema } from '../schema/index.ts';

/** A tool that could not be described to a model, and why; it is left out of the definitions. */
export interface ToolFault {
  readonly name: string;
  readonly message: string;
}

/**
 * Describes tools when they are first asked for and keeps each definition as long as the tool stays the
 * same object. One that cannot be described costs itself and no other.
 */
export interface Describer {
  describe(tool: Tool): ToolDefinition | undefined;
  /** Why `describe` gave nothing. */
  faultOf(tool: Tool): ToolFault | undefined;
}

export function createDescriber(view: { names(): readonly string[] }): Describer {
  const known = new WeakMap<Tool, ToolDefinition | ToolFault>();
  const read = (tool: Tool) => {
    let found = known.get(tool);
    if (found === undefined) {
      found = describe(tool, view);
      known.set(tool, found);
    }
    return found;
  };
  return {
    describe(tool) {
      const found = read(tool);
      return 'inputSchema' in found ? found : undefined;
    },
    faultOf(tool) {
      const found = read(tool);
      return 'inputSchema' in found ? undefined : found;
    },
  };
}

function describe(tool: Tool, view: { names(): readonly string[] }): ToolDefinition | ToolFault {
  const { name, description } = tool;
  try {
    const text = typeof description === 'function' ? description(view) : description;
    if (typeof text !== 'string') return { name, message: 'its description function gave no text' };
    const inputSchema = toJsonSchema(tool.input);
    requireUsable(inputSchema);
    return { name, description: text, inputSchema };
  } catch (error) {
    return { name, message: messageOf(error) };
  }
}
