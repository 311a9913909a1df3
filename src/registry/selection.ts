import type { OfferedTools, SelectPower, Tool, ToolDefinition } from '../core/index.ts';
import { BUNDLES } from './presets.ts';
import type { View } from './view.ts';

export interface SelectionOptions {
  /** Tools to begin with; absent: all of the view, and those that appear in it later. */
  readonly names?: readonly string[];
}

export interface Selected {
  readonly selected: readonly string[];
  readonly invalid: readonly string[];
}

/** The tools of a session's requests. It never exceeds its view. */
export interface Selection extends OfferedTools, SelectPower {
  /** Chooses what to offer. Definitions that were sent stay until `rebuild`; the others go at once. */
  select(names: readonly string[]): Selected;
  /**
   * The tools of the next request. The list only grows, so that what a provider has cached of it stays good:
   * sorted at first, later batches sorted among themselves behind it. The same array while nothing changed.
   */
  block(): readonly ToolDefinition[];
  /** After a compaction: the next block is made anew, sorted, without what is gone. */
  rebuild(): void;
  isGone(name: string): boolean;
}

interface Sent {
  readonly tool: Tool;
  readonly definition: ToolDefinition;
}

export function createSelection(view: View, options: SelectionOptions = {}): Selection {
  let chosen: Set<string> | undefined;
  let sent = new Map<string, Sent>();
  let block: readonly ToolDefinition[] = [];
  let seenNames: readonly string[] | undefined;

  const isVisible = (name: string) => view.canonical(name) === name;
  const isChosen = (name: string) => chosen === undefined || chosen.has(name);
  const isOffered = (name: string) => isVisible(name) && (sent.has(name) || isChosen(name));

  function sentUnder(written: string): string | undefined {
    if (sent.has(written)) return written;
    for (const [name, { tool }] of sent) if (tool.aliases?.some((alias) => alias.name === written)) return name;
    return undefined;
  }

  /** Appends what is chosen, is there and was not sent yet. */
  function grow(): void {
    if (seenNames === view.names()) return;
    seenNames = view.names();
    const fresh: ToolDefinition[] = [];
    for (const name of seenNames) {
      const tool = sent.has(name) || !isChosen(name) ? undefined : view.get(name);
      const definition = tool && view.definition(name);
      if (!tool || !definition) continue;
      sent.set(name, { tool, definition });
      fresh.push(definition);
    }
    if (fresh.length > 0) block = [...block, ...fresh];
  }

  function select(names: readonly string[]): Selected {
    const { valid, invalid } = readNames(names, view);
    chosen = new Set(valid);
    seenNames = undefined;
    return { selected: valid, invalid };
  }
  if (options.names) select(options.names);

  const current = () => {
    grow();
    return block;
  };

  return {
    get: (written) => view.get(written) ?? sent.get(sentUnder(written) ?? '')?.tool,
    canonical: (written) => view.canonical(written) ?? sentUnder(written),
    names: () => view.names(),
    definitions: current,
    offers: (written) => isOffered(view.canonical(written) ?? ''),
    isGone(written) {
      if (view.canonical(written) !== undefined) return false;
      return sentUnder(written) !== undefined;
    },
    select,
    expand(names) {
      const { valid, invalid } = readNames(names, view);
      const alreadySelected = valid.filter(isOffered);
      const expanded = valid.filter((name) => !isOffered(name));
      if (chosen) for (const name of expanded) chosen.add(name);
      if (expanded.length > 0) seenNames = undefined;
      return { expanded, alreadySelected, invalid, expandable: view.names().filter((name) => !isOffered(name)) };
    },
    block: current,
    rebuild() {
      sent = new Map();
      block = [];
      seenNames = undefined;
    },
  };
}

/** Written names as the view has them, each once; a member of a bundle brings the others. */
function readNames(names: readonly string[], view: View): { valid: string[]; invalid: string[] } {
  const valid = new Set<string>();
  const invalid = new Set<string>();
  for (const written of names.map((name) => String(name).trim())) {
    const name = view.canonical(written);
    if (name === undefined) {
      invalid.add(written);
      continue;
    }
    valid.add(name);
    const bundle = BUNDLES.find((each) => each.includes(name)) ?? [];
    for (const other of bundle) if (view.canonical(other) === other) valid.add(other);
  }
  return { valid: [...valid], invalid: [...invalid] };
}
