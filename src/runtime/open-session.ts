import { join, resolve } from 'node:path';
import type { LoopEnd, LoopOptions } from '../agent/index.ts';
import {
  type Clock,
  type Executor,
  type Hook,
  type Log,
  type Message,
  type Model,
  type NewId,
  type ReadShell,
  type Root,
  type Roots,
  type Sandbox,
  type SessionInfo,
  ToolwrightError,
} from '../core/index.ts';
import { createCallHistory, createReadState, DEFAULT_LIMITS } from '../executor/index.ts';
import { createHookRunner, type RunCommand } from '../hooks/index.ts';
import type { Mcp } from '../mcp/index.ts';
import { createSelection, type Registry } from '../registry/index.ts';
import { createFileOutputs, type HouseStore, type SessionRecord, safeFileName } from '../store/index.ts';
import { createAskDesk } from './ask-desk.ts';
import type { Asks } from './asks.ts';
import type { AuditLog } from './audit-log.ts';
import { createBackgroundTasks } from './background-tasks.ts';
import { callTool } from './call-tool.ts';
import { explainCall } from './explain-call.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { createGatedFetch } from './network.ts';
import { joinObservers, measuredHooks, type Observe } from './observer.ts';
import { openSkills } from './open-skills.ts';
import { createReconcile } from './reconcile.ts';
import { conversationOf } from './recover.ts';
import { type LoopParts, runTurns } from './run-turns.ts';
import { createSession, type Session } from './session.ts';
import { type SessionEnvironment, withVariables } from './session-environment.ts';
import { createSessionHooks } from './session-hooks.ts';
import type { SessionOptions } from './session-options.ts';
import { sessionPolicy } from './session-policy.ts';
import type { Settings } from './settings.ts';
import type { RuntimeSkills } from './skills.ts';
import { systemPrompt } from './system-prompt.ts';
import { createTaskKeeper } from './task-keeper.ts';
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
  readonly skills: RuntimeSkills;
  readonly store: HouseStore;
  readonly servers: Pick<Mcp, 'pending' | 'ready'>;
  readonly executor: Executor;
  readonly readShell: ReadShell;
  /** The variables of a session's commands, by its own entries, and who masks its secrets. */
  readonly environment: (entries?: readonly string[]) => SessionEnvironment;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly owner: string;
  readonly log: Log;
  readonly hooks: readonly Hook[];
  readonly audit: AuditLog;
  readonly asks: Asks;
  /** Runs hooks' commands in that folder. */
  readonly runCommand: (cwd: string) => RunCommand;
  readonly sandbox: SandboxFactory;
  /** Runs search programs over a folder of this machine. */
  readonly searcher: (folder: string) => Promise<Pick<Sandbox, 'start' | 'capabilities'>>;
  readonly fetch: typeof globalThis.fetch;
  /** The runtime's own model unless a session says otherwise. */
  readonly model: (spec: string | Model | undefined) => Promise<Model>;
  readonly fallbackModel: (spec: string | Model | undefined) => Promise<Model | undefined>;
  /** Who watches each session. */
  readonly observe: readonly Observe[];
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
  const { variables, masker } = host.environment(options.env);
  const id = sessionId(options.id ?? newId());
  const known = await store.sessions.get(id);
  const cwd = await workingFolder(options.cwd ?? recordedFolder(known) ?? host.cwd, host.cwd);
  const folders = (options.addDirs ?? []).map((folder) => resolve(cwd, folder));
  const workspace: Root[] = [
    { path: cwd, access: 'write', label: 'workspace' },
    ...folders.map((path): Root => ({ path, access: 'write', label: 'added' })),
  ];

  const viewOptions = {
    ...(options.tools === undefined ? {} : { allow: options.tools }),
    ...(options.deny === undefined ? {} : { deny: options.deny }),
    ...(options.agentMode === undefined ? {} : { agentMode: options.agentMode }),
  };
  const canonical = (name: string) => host.registry.canonical(name) ?? name;
  const judge = (folder: string) => sessionPolicy({ settings, options, canonical, cwd: folder });
  const localPolicy = judge(cwd);
  const opened = await openSkills(host.registry.view(viewOptions), {
    skills: host.skills,
    home: settings.home,
    sessionId: id,
    ...(options.skills === undefined ? {} : { allow: options.skills }),
    canonical,
    deny: [...settings.permissions.deny, ...(options.denyRules ?? [])],
    log: host.log,
  });
  const view = (opened?.tools ?? host.registry).view({
    ...viewOptions,
    ...(opened ? { from: [opened.tools, host.registry] } : {}),
    get pendingServers() {
      return host.servers.pending();
    },
  });
  const selection = createSelection(view);
  const interactive = options.interactive ?? options.onAsk !== undefined;
  const outputs = join(settings.home, 'outputs', safeFileName(id));
  const info: SessionInfo = {
    id,
    agentName: AGENT_NAME,
    interactive,
    thinking: options.thinking ?? false,
  };
  const made = await host.sandbox({ cwd, roots: opened ? [...workspace, opened.root] : workspace, clock, newId });
  const place = { ...made, sandbox: withVariables(made.sandbox, variables) };
  let messages: () => readonly Message[] = () => [];
  const skills = opened?.start(place, () => messages());
  const { sandbox, roots } = skills?.place ?? place;
  // Where a sandbox has folders of its own, rules name those.
  const policy = roots.cwd === cwd ? localPolicy : judge(roots.cwd);
  const observer = joinObservers(host.observe.map((observe) => observe(info, masker)));
  const keeper = createTaskKeeper({ store: store.tasks, session: info, masker, clock, log: host.log });
  const tasks = createBackgroundTasks({ newId, mask: masker.mask, keeper, messages: () => messages() });
  const tell = (message: string) => ledger?.writer.emit({ type: 'error', code: 'failed', message, retryable: true });
  const commands =
    settings.hooks.length === 0
      ? undefined
      : createSessionHooks(settings.hooks, info, known === undefined, {
          run: host.runCommand(cwd),
          cwd,
          permissionMode: policy.mode,
          namesOf: (name) => [name, ...(host.registry.get(name)?.aliases ?? []).map((alias) => alias.name)],
          tell,
          // The hook's own block is heard first.
          stop: (reason) => {
            tell(`a hook ended the run: ${reason}`);
            setImmediate(() => session.cancel());
          },
        });
  const hooks = [...host.hooks, ...(options.hooks ?? []), ...(commands?.calls ?? [])];
  const hookLog: Log = (level, message, data) => {
    host.log(level, message, data);
    if (level === 'warn') tell(message);
  };
  let ledger: Ledger | undefined;
  const desk = createAskDesk({
    sessionId: id,
    cwd,
    store: store.asks,
    asks: host.asks,
    policy,
    onAsk: options.onAsk,
    emit: (event) => ledger?.writer.emit(event),
    masker,
    clock,
    newId,
    log: host.log,
  });
  for (const rule of known === undefined ? [] : await sessionGrants(store.asks, id)) policy.grant(rule);
  const execution = {
    info,
    tools: selection,
    policy: skills ? skills.policy(policy) : policy,
    ...(hooks.length === 0 ? {} : { hooks: measuredHooks(createHookRunner(hooks, { clock, log: hookLog }), observer) }),
    masker,
    ...(interactive ? { ask: desk.permission, question: desk.question } : {}),
    audit: host.audit.of(info, masker),
    context: {
      roots,
      sandbox,
      files: createReadState(),
      outputs: createFileOutputs({ folder: outputs, masker, newId, searcher: await host.searcher(outputs) }),
      fetch: createGatedFetch(settings.networkAllow, host.fetch),
      log: host.log,
      clock,
      ...(skills ? { skills: skills.power } : {}),
      ...(options.background === false ? {} : { tasks }),
      select: { expand: (names: readonly string[]) => selection.expand(names) },
    },
    history: createCallHistory(),
  };
  const base = await systemPrompt(cwd, roots.cwd);
  const loop: LoopParts = {
    runLoop: host.runLoop,
    model: once(async () => {
      const fallback = await host.fallbackModel(options.fallbackModel);
      return { model: await host.model(options.model), ...(fallback === undefined ? {} : { fallback }) };
    }),
    ...(options.thinking ? { modelOptions: { thinking: true } } : {}),
    system: skills ? async () => [base, await skills.prompt()].filter((part) => part !== '').join('\n\n') : base,
    executor: host.executor,
    session: execution,
    tools: () => selection.block().filter(({ name }) => !policy.hides(name)),
    desk,
    ...(commands && { hooks: commands }),
    maxSteps: options.maxSteps ?? MAX_STEPS,
    observer,
    clock,
    newId,
    announce: tasks.announce,
    opening: () => [
      {
        type: 'tools_selected',
        offered: selection.names().filter((name) => selection.offers(name) && !policy.hides(name)),
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
    tools: view,
    unknownTools: view.unknown,
    unknownSkills: opened?.unknown ?? [],
    ledger: (deliver, onBroken) => {
      const made = createLedger({
        record,
        store,
        owner: `${host.owner}/${newId()}`,
        clock,
        newId,
        deliver,
        onBroken,
        alongside: host.audit.flush,
        reconcile: createReconcile({
          tools: host.registry,
          context: { session: info, roots },
          masker,
          clock,
        }),
      });
      ledger = made;
      messages = () => made.transcript.messages;
      return made;
    },
    kept: (after, limit) => store.sessions.events(id, { after, limit }),
    storedMessages: async () => conversationOf(await store.sessions.messages(id)).map((entry) => entry.message),
    async runTurns(ledger, runId, input, work) {
      await host.servers.ready();
      const started = skills ? await skills.startedBy(input) : { content: input };
      return runTurns(loop, ledger, runId, started, work);
    },
    async callTool(ledger, call) {
      if (call.name.startsWith('mcp__') && view.get(call.name) === undefined) await host.servers.ready();
      return callTool(host.executor, execution, ledger, desk, newId(), call, observer);
    },
    explain: (name, input) =>
      explainCall(name, input, execution, { clock, limits: DEFAULT_LIMITS, readShell: host.readShell }),
    dispose: async () => {
      onClosed(session);
      await skills?.close().catch(() => {});
      await tasks.close();
      await sandbox.dispose();
    },
  });
  return session;
}

/** What a person allowed for the whole session, in an earlier process. */
async function sessionGrants(asks: HouseStore['asks'], sessionId: string): Promise<string[]> {
  const kept = await asks.list({ sessionId });
  return kept.flatMap(({ resolution }) =>
    resolution?.outcome === 'approved' && resolution.scope === 'session' ? (resolution.rule ?? []) : [],
  );
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
