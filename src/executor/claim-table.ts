import type { Claim, Clock } from '../core/index.ts';

/** A call's place in the order of a workspace. */
export interface Ticket {
  readonly label: string;
  /** No earlier conflicting call is unfinished. */
  readonly isReady: boolean;
  /** Called once, when the last earlier conflicting call has finished. Not called when it is ready already. */
  onReady: (() => void) | undefined;
  /** Called when an earlier conflicting call settled a while ago and still has not finished. */
  onStuck: ((label: string) => void) | undefined;
  /** The call's result is fixed, its work may go on. */
  settle(): void;
  /** The call's work has ended (or never began): who waits for it may start. */
  release(): void;
}

/**
 * Who reads and writes what, in call order. One table for a workspace, spanning runs, sessions and
 * subagents. A call waits for the earlier calls that it conflicts with and for no others.
 */
export interface ClaimTable {
  enter(claims: readonly Claim[], label: string): Ticket;
  /** Tickets not yet released. */
  readonly size: number;
}

/** A claim key's segment in the tree of all keys; counts say whether a branch needs to be looked at. */
interface Branch {
  readonly children: Map<string, Branch>;
  readonly readers: Set<Entry>;
  readonly writers: Set<Entry>;
  below: { reads: number; writes: number };
}

const newBranch = (): Branch => ({
  children: new Map(),
  readers: new Set(),
  writers: new Set(),
  below: { reads: 0, writes: 0 },
});

/** `''` has no segments, `file:/a/b` is `file:`, `a`, `b`. */
const segmentsOf = (key: string) => key.split('/').filter((segment) => segment !== '');

class Entry implements Ticket {
  readonly label: string;
  readonly waitsFor = new Set<Entry>();
  readonly waiters = new Set<Entry>();
  onReady: (() => void) | undefined;
  onStuck: ((label: string) => void) | undefined;
  settledAt: number | undefined;
  released = false;
  readonly #table: Table;
  readonly #claims: readonly Claim[];

  constructor(table: Table, claims: readonly Claim[], label: string) {
    this.#table = table;
    this.#claims = claims;
    this.label = label;
  }

  get isReady(): boolean {
    return this.waitsFor.size === 0;
  }

  settle(): void {
    if (this.released || this.settledAt !== undefined) return;
    this.settledAt = this.#table.clock.now();
    for (const waiter of this.waiters) this.#table.watch(waiter, this);
  }

  release(): void {
    if (this.released) return;
    this.released = true;
    this.#table.remove(this, this.#claims);
    for (const earlier of this.waitsFor) earlier.waiters.delete(this);
    for (const waiter of this.waiters) {
      waiter.waitsFor.delete(this);
      if (waiter.isReady) waiter.onReady?.();
    }
    this.waiters.clear();
  }
}

class Table implements ClaimTable {
  readonly clock: Clock;
  size = 0;
  readonly #stuckMs: number;
  readonly #root = newBranch();

  constructor(clock: Clock, stuckMs: number) {
    this.clock = clock;
    this.#stuckMs = stuckMs;
  }

  enter(claims: readonly Claim[], label: string): Ticket {
    const entry = new Entry(this, claims, label);
    for (const claim of claims) this.#collect(claim, entry);
    for (const claim of claims) this.#add(claim, entry);
    this.size++;
    for (const earlier of entry.waitsFor) {
      earlier.waiters.add(entry);
      if (earlier.settledAt !== undefined) this.watch(entry, earlier);
    }
    return entry;
  }

  /** Tells the waiter when the settled call still has not finished some time after it settled. */
  watch(waiter: Entry, settled: Entry): void {
    const left = this.#stuckMs - (this.clock.now() - (settled.settledAt ?? 0));
    const timer = this.clock.after(Math.max(0, left), () => {
      if (!settled.released && !waiter.released) waiter.onStuck?.(settled.label);
    });
    timer.unref?.();
  }

  remove(entry: Entry, claims: readonly Claim[]): void {
    this.size--;
    for (const claim of claims) {
      const path = [this.#root];
      const segments = segmentsOf(claim.key);
      for (const segment of segments) {
        const next = path.at(-1)?.children.get(segment);
        if (!next) break;
        path.push(next);
      }
      const last = path.at(-1) as Branch;
      const held = claim.mode === 'write' ? last.writers : last.readers;
      if (path.length !== segments.length + 1 || !held.delete(entry)) continue;
      for (const branch of path) branch.below[claim.mode === 'write' ? 'writes' : 'reads']--;
      for (let i = path.length - 1; i > 0; i--) {
        const branch = path[i] as Branch;
        if (branch.below.reads + branch.below.writes > 0) break;
        path[i - 1]?.children.delete(segments[i - 1] as string);
      }
    }
  }

  #add(claim: Claim, entry: Entry): void {
    const path = [this.#root];
    for (const segment of segmentsOf(claim.key)) {
      const parent = path.at(-1) as Branch;
      const next = parent.children.get(segment) ?? newBranch();
      parent.children.set(segment, next);
      path.push(next);
    }
    const last = path.at(-1) as Branch;
    const held = claim.mode === 'write' ? last.writers : last.readers;
    if (held.has(entry)) return;
    held.add(entry);
    for (const branch of path) branch.below[claim.mode === 'write' ? 'writes' : 'reads']++;
  }

  #collect(claim: Claim, entry: Entry): void {
    const take = (branch: Branch) => {
      for (const writer of branch.writers) entry.waitsFor.add(writer);
      if (claim.mode === 'write') for (const reader of branch.readers) entry.waitsFor.add(reader);
    };
    let branch: Branch | undefined = this.#root;
    for (const segment of segmentsOf(claim.key)) {
      take(branch);
      branch = branch.children.get(segment);
      if (!branch) return;
    }
    const stack = [branch];
    for (let next = stack.pop(); next; next = stack.pop()) {
      take(next);
      for (const child of next.children.values()) {
        if (child.below.writes > 0 || claim.mode === 'write') stack.push(child);
      }
    }
  }
}

export function createClaimTable(clock: Clock, stuckMs = 5_000): ClaimTable {
  return new Table(clock, stuckMs);
}
