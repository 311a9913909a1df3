/** A folder with skills in it. */
export interface SkillRoot {
  readonly path: string;
  /** For people: `project`, `home`, a pack's name. */
  readonly source: string;
  /** Of two skills with one name that of the higher root stands. */
  readonly priority: number;
  /** False: its skills are listed and not used. */
  readonly isTrusted: boolean;
  /** Links may lead only below this folder. Absent: anywhere, for the folders that are a person's own. */
  readonly boundary?: string;
}
