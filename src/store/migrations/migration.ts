/** One step of the schema. Steps are numbered from 1 without gaps, and never changed once they were released. */
export interface Migration {
  readonly version: number;
  readonly sql: string;
}
