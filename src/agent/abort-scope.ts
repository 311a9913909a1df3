/**
 * Children of one signal: a controller for each, all in one set behind a single listener.
 * AbortSignal.any would cost four times as much and keep memory for as long as the parent lives.
 */
export interface AbortScope {
  /** A new controller that is aborted with the parent's reason when the parent is. */
  child(): AbortController;
  /** Forgets a child that has done its work. */
  release(child: AbortController): void;
  /** Takes the listener off the parent; children are not aborted. */
  dispose(): void;
}

export function createAbortScope(parent: AbortSignal): AbortScope {
  const children = new Set<AbortController>();
  const onAbort = () => {
    for (const child of children) child.abort(parent.reason);
    children.clear();
  };
  parent.addEventListener('abort', onAbort, { once: true });
  return {
    child() {
      const controller = new AbortController();
      if (parent.aborted) controller.abort(parent.reason);
      else children.add(controller);
      return controller;
    },
    release: (child) => void children.delete(child),
    dispose: () => parent.removeEventListener('abort', onAbort),
  };
}
