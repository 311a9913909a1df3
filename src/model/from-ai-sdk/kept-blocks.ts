import type { SharedV3ProviderMetadata } from '@ai-sdk/provider';

/**
 * A reply's parts in their order, with what the provider wants back beside each. Texts are kept by their
 * length, as the message holds them; thinking is kept whole, as its signature covers every character.
 */
export type KeptBlock =
  | { readonly type: 'reasoning'; text: string; options?: SharedV3ProviderMetadata }
  | { readonly type: 'text'; length: number; options?: SharedV3ProviderMetadata }
  | { readonly type: 'call'; readonly key: number; readonly id: string; options?: SharedV3ProviderMetadata };

export interface KeptBlocks {
  readonly blocks: readonly KeptBlock[];
}

/** Gathers the blocks of one reply. */
export interface BlockKeeper {
  begin(id: string, block: KeptBlock): void;
  grow(id: string, type: 'reasoning' | 'text', delta: string): void;
  /** Metadata may come with any part of a block; later ones add to earlier ones. */
  mark(id: string, metadata: SharedV3ProviderMetadata | undefined): void;
  /** What is to be kept; undefined when plain text and calls say it all. */
  kept(endedWell: boolean): KeptBlocks | undefined;
}

export function createBlockKeeper(): BlockKeeper {
  const blocks: KeptBlock[] = [];
  const open = new Map<string, KeptBlock>();
  const begin = (id: string, block: KeptBlock) => {
    blocks.push(block);
    open.set(id, block);
  };
  return {
    begin,
    grow(id, type, delta) {
      let block = open.get(id);
      if (block?.type !== type) {
        block = type === 'text' ? { type, length: 0 } : { type, text: '' };
        begin(id, block);
      }
      if (block.type === 'text') block.length += delta.length;
      else if (block.type === 'reasoning') block.text += delta;
    },
    mark(id, metadata) {
      const block = open.get(id);
      if (block === undefined || metadata === undefined) return;
      const merged: SharedV3ProviderMetadata = { ...block.options };
      for (const [name, values] of Object.entries(metadata)) merged[name] = { ...merged[name], ...values };
      block.options = merged;
    },
    kept(endedWell) {
      // Thinking that was cut off before its signature is worth nothing to anybody.
      const kept = blocks.filter((block) => block.type !== 'reasoning' || endedWell || block.options !== undefined);
      return kept.some((block) => block.type === 'reasoning' || block.options !== undefined)
        ? { blocks: kept }
        : undefined;
    },
  };
}
