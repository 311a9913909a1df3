import type { Requirements } from '../requirements.ts';

/** Id -> behaviour. Ids in capitals are those of the reported failure families. */
export const requirements: Requirements = {
  'REG-01': 'Whatever servers call their tools, the exposed names are legal, distinct and always the same.',
  'REG-05': 'Expansion adds what the view has, reports each name once, and never hints at what is outside of it.',
  'registry/add': 'What is no tool is refused with the field that is wrong; nothing is converted when it is added.',
  'registry/conflict': 'A tool never shadows another one silently: it is a conflict, or a priority and an event.',
  'registry/alias': 'An alias leads to its tool, never hides a real name, and belongs to one tool.',
  'registry/definitions': 'Definitions are sorted and made once; a tool that cannot be described costs only itself.',
  'registry/many': 'A thousand tools are set up in less than 50 ms.',
  'registry/view': 'A view shows exactly what its lists and its mode let through, now and later.',
  'registry/view-sources': 'Over several registries the first one wins and the losers are told.',
  'registry/view-unknown': 'Names that match nothing are unknown, or pending while their server connects.',
  'registry/block': 'The tool block of the requests only grows, batch by sorted batch, until it is rebuilt.',
  'registry/gone': 'A tool that has gone keeps its definition and is told apart.',
  'registry/presets': 'The presets hold 0, 19, 21 and 25 tools.',
  'registry/collect': 'Exported tools are found by their shape, alone and in lists.',
  'registry/load': 'A folder of tools is loaded in the order of its files; a bad one is told and stops nothing.',
};
