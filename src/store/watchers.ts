/** Who wants to be told of a change. */
export interface Watchers {
  readonly size: number;
  add(onChange: () => void): () => void;
  tell(): void;
}

export function createWatchers(): Watchers {
  const all = new Set<{ readonly onChange: () => void }>();
  return {
    get size() {
      return all.size;
    },
    add(onChange) {
      const entry = { onChange };
      all.add(entry);
      return () => void all.delete(entry);
    },
    tell() {
      for (const { onChange } of [...all]) onChange();
    },
  };
}
