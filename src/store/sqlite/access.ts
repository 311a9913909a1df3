/** How the parts of the store reach the database. */
export interface Access {
  /** Beside the writes. */
  read<T>(work: () => T): Promise<T>;
  /** With what else is written in this round of the event loop, in one transaction; all of the work or nothing. */
  write<T>(work: () => T): Promise<T>;
  /** After the writes so far, outside of their transaction. */
  locked<T>(work: () => T): Promise<T>;
}
