import { defineTool, type Tool } from 'toolwright';
import { createRegistry, createSelection } from 'toolwright/registry';
import { type Bench, timed } from './harness.ts';

/** W4: the set-up of many tools, up to the session's view of them. */
export function manyTools(count: number): Bench {
  return {
    name: `tools-${count}`,
    title: `${count} tools added, seen and selected`,
    unit: 'ms',
    goal: { value: (count / 1_000) * 50 },
    async open() {
      const make = (n: number): Tool =>
        defineTool({
          name: `tool_${n}`,
          description: `Does thing ${n}.`,
          input: {
            type: 'object',
            properties: { path: { type: 'string' }, n: { type: 'integer' } },
            required: ['path'],
          },
          traits: { readOnly: true },
          run: () => n,
        }) as Tool;
      const tools = Array.from({ length: count }, (_, n) => make(n));
      const byHand = () =>
        timed(1, async () => {
          const map = new Map(tools.map((tool) => [tool.name, tool]));
          if ([...map.keys()].sort().length !== count) throw new Error('tools are missing');
        });
      const ours = () =>
        timed(1, async () => {
          const registry = createRegistry();
          for (const tool of tools) registry.add(tool, { source: 'bench' });
          const selection = createSelection(registry.view());
          if (selection.names().length !== count) throw new Error('tools are missing');
        });
      return {
        contenders: [
          { name: 'floor: a sorted Map', run: byHand },
          { name: 'toolwright', run: ours },
        ],
        close: async () => {},
      };
    },
  };
}
