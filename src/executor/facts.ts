import type { CallFacts, Claim, FactsContext, ResolvedPath, Subject, Tool, ToolTraits } from '../core/index.ts';

/** What is known of a call that never came as far as its facts. */
export const NO_FACTS: CallFacts = {
  readOnly: false,
  claims: [],
  declared: false,
  paths: [],
  hosts: [],
  commands: [],
  texts: [],
  permissions: [],
};

/**
 * Finds out, once, all that the judges of a call look at. What the tool does not declare has the careful
 * value: reads the workspace when it is safe beside others, else writes all of it.
 */
export async function gatherFacts(
  tool: Tool,
  input: unknown,
  traits: ToolTraits,
  context: FactsContext,
): Promise<CallFacts> {
  const subjects = tool.subjects?.(input) ?? [];
  const paths: (ResolvedPath & { access: 'read' | 'write' })[] = [];
  for (const subject of subjects) {
    if (subject.kind !== 'path') continue;
    paths.push({ ...(await context.roots.resolve(subject.value, subject.access)), access: subject.access });
  }
  const claims = tool.claims ? await tool.claims(input, context) : undefined;
  return {
    readOnly: traits.readOnly,
    claims: traits.waits ? [] : (claims ?? defaultClaims(traits)),
    declared: claims !== undefined,
    paths,
    hosts: valuesOf(subjects, 'url').map(hostOf),
    commands: valuesOf(subjects, 'command'),
    texts: valuesOf(subjects, 'text'),
    permissions: tool.permissions ? await tool.permissions(input, context) : [],
  };
}

function defaultClaims(traits: ToolTraits): readonly Claim[] {
  return [{ key: '', mode: traits.readOnly || traits.concurrencySafe ? 'read' : 'write' }];
}

const valuesOf = (subjects: readonly Subject[], kind: Subject['kind']) =>
  subjects.filter((subject) => subject.kind === kind).map((subject) => subject.value);

/** The host of a URL, lower case; the whole text when it is not a URL, so that no domain rule fits it. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname.toLowerCase() : url;
}
