import { cutEnd } from '../../core/index.ts';
import type { LostKeyword } from '../modernize.ts';

/** A subschema under projection: a plain object that belongs to nobody else. */
export type Node = Record<string, unknown>;

const MOST_LOST = 500;
const MOST_NOTE = 300;

/** What one projection keeps beside the schema: where each part came from and what has been lost. */
export interface Work {
  readonly lost: readonly LostKeyword[];
  /** Tells that a keyword of a subschema will no longer be said. */
  lose(node: object, keyword: string, why: string): void;
  /** Gives a new node the place of the one it was made from. */
  from<Made extends object>(source: object, made: Made): Made;
  pointerOf(node: object): string;
}

export function createWork(origin: WeakMap<object, string>, earlier: readonly LostKeyword[]): Work {
  const places = new WeakMap<object, string>();
  const lost: LostKeyword[] = [];
  const told = new Set<string>();
  const pointerOf = (node: object) => places.get(node) ?? origin.get(node) ?? '';
  const add = (entry: LostKeyword) => {
    const key = `${entry.pointer}\n${entry.keyword}`;
    if (told.has(key) || lost.length >= MOST_LOST) return;
    told.add(key);
    lost.push(entry);
  };
  for (const entry of earlier) add(entry);
  return {
    lost,
    pointerOf,
    lose: (node, keyword, why) => add({ pointer: pointerOf(node), keyword, why }),
    from(source, made) {
      places.set(made, pointerOf(source));
      return made;
    },
  };
}

/** Adds a sentence to what the model reads of a subschema. */
export function addNote(node: Node, note: string): void {
  const said = node['description'];
  const short = note.length > MOST_NOTE ? `${cutEnd(note, MOST_NOTE)}…` : note;
  if (typeof said === 'string' && said.includes(short)) return;
  node['description'] = typeof said === 'string' && said !== '' ? `${said}\n${short}` : short;
}
