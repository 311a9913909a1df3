/**
 * What one call reads or writes. Keys are path-like (`file:/a/b.ts`, `todo:<session>`, `paper:<id>`,
 * `mcp:<server>`); the empty key is the ancestor of all. Two claims conflict when one key is the other
 * or its ancestor, segment by segment, and one of them writes.
 */
export interface Claim {
  readonly key: string;
  readonly mode: 'read' | 'write';
}
