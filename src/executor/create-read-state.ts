import type { ReadState, SeenFile, ShownText } from '../core/index.ts';

/** Nothing known yet. */
export function createReadState(): ReadState {
  const seen = new Map<string, SeenFile>();
  const shown = new Map<string, ShownText[]>();
  return {
    seen: (path) => seen.get(path),
    shown: (path, offset, limit) => shown.get(path)?.find((text) => text.offset === offset && text.limit === limit),
    see: (path, file) => void seen.set(path, file),
    show(path, text) {
      const others = (shown.get(path) ?? []).filter(
        (other) => other.offset !== text.offset || other.limit !== text.limit,
      );
      shown.set(path, [...others, text]);
    },
    hide(callIds) {
      const hidden = new Set(callIds);
      for (const [path, texts] of shown) {
        shown.set(
          path,
          texts.filter((text) => !hidden.has(text.callId)),
        );
      }
    },
    renew(path, file) {
      seen.set(path, file);
      shown.delete(path);
    },
    forget(path) {
      seen.delete(path);
      shown.delete(path);
    },
  };
}
