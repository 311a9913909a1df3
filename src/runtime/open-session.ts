import { join, resolve } from 'node:path';
import type { LoopEnd, LoopOptions } from '../agent/index.ts';
import {
  type Clock,
  type Executor,
  type Hook,
  type Log,
  type Masker,
  type Model,
  type NewId,
  type Root,
  type Roots,
  type Sandbox,
  type SessionInfo,
  type SessionRecord,
  type Store,
  ToolwrightError,
} from '../core/index.ts';
import { createCallHistory, createReadState } from '../executor/index.ts';
import { createHookRunner } from '../hooks/index.ts';
import { createSelection, type Registry } from '../registry/index.ts';
import { createFileOutputs, safeFileName } from '../store/index.ts';
import { callTool } from './call-tool.ts';
import { createLedger } from './ledger.ts';
import { createGatedFetch } from './network.ts';
import { createReconcile } from './reconcile.ts';
import { conversationOf } from './recover.ts';
import { type LoopParts, runTurns } from './run-turns.ts';
import { createSession, type Session } from './session.ts';
import type { SessionOptions } from './session-options.ts';
import { sessionPolicy } from './session-policy.ts';
import type { Settings } from './settings.ts';
import { systemPrompt } from './system-prompt.ts';
import { workingFolder } from './working-folder.ts';

/** Makes a session's sandbox and the judge of its paths. */
export type SandboxFactory = (options: {
  readonly cwd: string;
  readonly roots: readonly Root[];
  readonly clock: Clock;
  readonly newId: NewId;
}) => Promise<{ sandbox: Sandbox; roots: Roots }>;

/** What all sessions of a runtime share. */
export interface SessionHost {
  readonly cwd: string;
  readonly settings: Settings;
  readonly registry: Registry;
  /** Names of MCP servers that are still connecting. */
  readonly pendingServers: () => readonly string[];
  readonly store: Store;
  readonly executor: Executor;
  readonly masker: Masker;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly owner: string;
  readonly log: Log;
  readonly hooks: readonly Hook[];
  readonly sandbox: SandboxFactory;
  readonly fetch: typeof globalThis.fetch;
  /** The runtime's own model unless a session says otherwise. */
  readonly model: (spec: string | Model | undefined) => Promise<Model>;
  readonly fallbackModel: (spec: string | Model | undefined) => Promise<Model | undefined>;
  readonly runLoop: (options: LoopOptions) => Promise<LoopEnd>;
}

const AGENT_NAME = 'main';
const SESSION_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;
const MAX_STEPS = 50;

export async function openSession(
  host: SessionHost,
  options: SessionOptions,
  onClosed: (session: Session) => void,
): Promise<Session> {
  const { clock, newId, store, settings } = host;
  const id = sessionId(options.id ?? newId());
  const known = await store.sessions.get(id);
  const cwd = await workingFolder(options.cwd ?? recordedFolder(known) ?? host.cwd, host.cwd);
  const folders = (options.addDirs ?? []).map((folder) => resolve(cwd, folder));
  const workspace: Root[] = [
    { path: cwd, access: 'write', label: 'workspace' },
    ...folders.map((path): Root => ({ path, access: 'write', label: 'added' })),
  ];

  const view = host.registry.view({
    ...(options.tools === undefined ? {} : { allow: options.tools }),
    ...(options.deny === undefined ? {} : { deny: options.deny }),
    ...(options.agentMode === undefined ? {} : { agentMode: options.agentMode }),
    get pendingServers() {
      return host.pendingServers();
    },
  });
  const selection = createSelection(view);
  const canonical = (name: string) => host.registry.canonical(name) ?? name;
  const judge = (folder: string) => sessionPolicy({ settings, options, canonical, cwd: folder });
  const localPolicy = judge(cwd);
  const info: SessionInfo = {
    id,
    agentName: AGENT_NAME,
    interactive: options.onAsk !== undefined,
    thinking: options.thinking ?? false,
  };
  const { sandbox, roots } = await host.sandbox({ cwd, roots: workspace, clock, newId });
  // Where a sandbox has folders of its own, rules name those.
  const policy = roots.cwd === cwd ? localPolicy : judge(roots.cwd);
  const hooks = [...host.hooks, ...(options.hooks ?? [])];
  const execution = {
    info,
    tools: selection,
    policy,
    ...(hooks.length === 0 ? {} : { hooks: createHookRunner(hooks, { clock, log: host.log }) }),
    masker: host.masker,
    ...(options.onAsk === undefined ? {} : { ask: options.onAsk }),
    context: {
      roots,
      sandbox,
      files: createReadState(),
      outputs: createFileOutputs({
        folder: join(settings.home, 'outputs', safeFileName(id)),
        masker: host.masker,
        newId,
      }),
      fetch: createGatedFetch(settings.networkAllow, host.fetch),
      log: host.log,
      clock,
      select: { expand: (names: readonly string[]) => selection.expand(names) },
    },
    history: createCallHistory(),
  };
  const loop: LoopParts = {
    runLoop: host.runLoop,
    model: once(async () => {
      const fallback = await host.fallbackModel(options.fallbackModel);
      return { model: await host.model(options.model), ...(fallback === undefined ? {} : { fallback }) };
    }),
    ...(options.thinking ? { modelOptions: { thinking: true } } : {}),
    system: await systemPrompt(cwd, roots.cwd),
    executor: host.executor,
    session: execution,
    tools: () => selection.block(),
    maxSteps: options.maxSteps ?? MAX_STEPS,
    clock,
    newId,
    opening: () => [
      {
        type: 'tools_selected',
        offered: selection.names().filter((name) => selection.offers(name)),
        strategy: options.tools === undefined ? 'all' : 'allow_list',
        expanded: [],
        unknown: view.unknown,
      },
    ],
  };
  const now = clock.now();
  const record: SessionRecord = known ?? {
    id,
    createdAt: now,
    updatedAt: now,
    agentName: AGENT_NAME,
    model: '',
    status: 'idle',
    summary: '',
    usage: {},
    metadata: { cwd },
  };
  const session = createSession({
    id,
    clock,
    newId,
    unknownTools: view.unknown,
    ledger: (deliver, onBroken) =>
      createLedger({
        record,
        store,
        owner: `${host.owner}/${newId()}`,
        clock,
        newId,
        deliver,
        onBroken,
        reconcile: createReconcile({
          tools: host.registry,
          context: { session: info, roots },
          masker: host.masker,
          clock,
        }),
      }),
    kept: (after, limit) => store.sessions.events(id, { after, limit }),
    storedMessages: async () => conversationOf(await store.sessions.messages(id)).map((entry) => entry.message),
    runTurns: (ledger, runId, input, work) => runTurns(loop, ledger, runId, input, work),
    callTool: (ledger, call) => callTool(host.executor, execution, ledger, newId(), call),
    dispose: async () => {
      onClosed(session);
      await sandbox.dispose();
    },
  });
  return session;
}

/** The first success stands; a failure is tried again. */
function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make().catch((error) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

function sessionId(id: string): string {
  if (SESSION_ID.test(id)) return id;
  throw new ToolwrightError('invalid_request', `"${id}" cannot be a session's id`, {
    hint: 'Use letters, digits, dots, dashes and underscores, at most 128.',
  });
}

function recordedFolder(record: SessionRecord | undefined): string | undefined {
  const cwd = record?.metadata.cwd;
  return typeof cwd === 'string' ? cwd : undefined;
}
