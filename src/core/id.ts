declare const crypto: { randomUUID(): string };

/** Where new ids come from; given, so that a run can be replayed. */
export type NewId = () => string;

export const randomId: NewId = () => crypto.randomUUID();
