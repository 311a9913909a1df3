import {
  type CallFacts,
  type Claim,
  type FactsContext,
  type ReadShell,
  type ResolvedPath,
  type Subject,
  type Tool,
  type ToolPermission,
  type ToolTraits,
  ToolwrightError,
} from '../core/index.ts';

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
  readShell?: ReadShell,
): Promise<CallFacts> {
  const subjects = listOf<Subject>(tool, 'subjects', tool.subjects?.(input), isSubject);
  const paths: (ResolvedPath & { access: 'read' | 'write' })[] = [];
  for (const subject of subjects) {
    if (subject.kind !== 'path') continue;
    const access = subject.access === 'read' ? 'read' : 'write';
    paths.push({ ...(await context.roots.resolve(subject.value, access)), access });
  }
  const declared = tool.claims ? ((await tool.claims(input, context)) ?? undefined) : undefined;
  const claims =
    declared && listOf<Claim>(tool, 'claims', declared, isClaim).map(({ key, mode }): Claim => ({ key, mode }));
  return {
    readOnly: traits.readOnly,
    claims: traits.waits ? [] : (claims ?? defaultClaims(traits)),
    declared: claims !== undefined,
    paths,
    hosts: valuesOf(subjects, 'url').map(hostOf),
    commands: valuesOf(subjects, 'command'),
    ...(readShell === undefined ? {} : { shell: await readLines(subjects, readShell) }),
    texts: valuesOf(subjects, 'text'),
    permissions: listOf<ToolPermission>(tool, 'permissions', await tool.permissions?.(input, context), isPermission),
  };
}

function readLines(subjects: readonly Subject[], readShell: ReadShell) {
  const lines = subjects.flatMap((subject) => (subject.kind === 'command' ? [subject] : []));
  return Promise.all(lines.map(({ value, env }) => readShell(value, env)));
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

/** What a tool says of its call; nothing is a list of none. What is not of the form is never read as a yes. */
function listOf<Item>(
  tool: Tool,
  field: 'subjects' | 'claims' | 'permissions',
  value: unknown,
  isItem: (item: { readonly [key: string]: unknown }) => boolean,
): readonly Item[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value) && value.every((item) => typeof item === 'object' && item !== null && isItem(item))) {
    return value as readonly Item[];
  }
  throw new ToolwrightError('internal', `${field} of ${tool.name} gave something that is no list of ${field}`, {
    hint: 'This is a fault of the tool, not of your input; go on without it.',
  });
}

type Unknown<Item> = { readonly [Key in keyof Item]?: unknown };

const isClaim = ({ key, mode }: Unknown<Claim>) => typeof key === 'string' && (mode === 'read' || mode === 'write');

const isPermission = ({ effect }: Unknown<ToolPermission>) =>
  effect === 'allow' || effect === 'ask' || effect === 'deny';

/** A path that is no text is refused where paths are read, with its own words. */
const isSubject = ({ kind, value }: Unknown<Subject>) =>
  kind === 'path' || ((kind === 'url' || kind === 'command' || kind === 'text') && typeof value === 'string');
