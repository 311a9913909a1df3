import type { Claim, FactsContext, Subject } from '../../core/index.ts';

/** The claim of a call on one file: its real path, so that every way of writing the path is one claim. */
export async function claimFile(path: string, mode: 'read' | 'write', { roots }: FactsContext): Promise<Claim[]> {
  return [{ key: `file:${(await roots.resolve(path, mode)).real}`, mode }];
}

export const pathSubject = (path: string, access: 'read' | 'write'): Subject[] => [
  { kind: 'path', value: path, access },
];
