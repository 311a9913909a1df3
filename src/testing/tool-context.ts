import {
  type Clock,
  type NewId,
  type Outputs,
  type ProgressStream,
  type ReadState,
  type Root,
  randomId,
  type Sandbox,
  systemClock,
  type TaskPower,
  type ToolContext,
} from '../core/index.ts';
import { createReadState } from '../executor/index.ts';
import { createPassthroughSandbox, createRoots } from '../sandbox/index.ts';
import { createMemoryOutputs } from './memory-outputs.ts';

export interface ToolContextOptions {
  /** The working folder, writable. */
  readonly root: string;
  /** Further roots. */
  readonly roots?: readonly Root[];
  /** Default: passthrough, over the roots. */
  readonly sandbox?: Sandbox;
  readonly outputs?: Outputs;
  readonly files?: ReadState;
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
  readonly newId?: NewId;
  readonly env?: Readonly<Record<string, string>>;
  readonly ripgrep?: string;
  readonly fetch?: typeof globalThis.fetch;
  readonly tasks?: TaskPower;
}

export interface TestToolContext extends ToolContext {
  /** What was told by `progress`. */
  readonly told: readonly { readonly text: string; readonly stream: ProgressStream }[];
  /** The same session, as another call of it sees it. */
  forCall(id: string, signal?: AbortSignal): TestToolContext;
  dispose(): Promise<void>;
}

/** A context to run one tool in, without a runtime. */
export function createToolContext(options: ToolContextOptions): TestToolContext {
  const { root, clock = systemClock, newId = randomId } = options;
  const list: readonly Root[] = [{ path: root, access: 'write', label: 'workspace' }, ...(options.roots ?? [])];
  const sandbox =
    options.sandbox ??
    createPassthroughSandbox({
      roots: list,
      cwd: root,
      clock,
      newId,
      ...(options.env === undefined ? {} : { env: options.env }),
      ...(options.ripgrep === undefined ? {} : { ripgrep: options.ripgrep }),
    });
  const told: { text: string; stream: ProgressStream }[] = [];
  const shared = {
    session: { id: 'session-1', agentName: 'main', interactive: false, thinking: false },
    sandbox,
    roots: createRoots({ cwd: root, roots: list, realPath: (path) => sandbox.realPath(path) }),
    files: options.files ?? createReadState(),
    outputs: options.outputs ?? createMemoryOutputs(),
    fetch:
      options.fetch ??
      (async () => {
        throw new Error('this context has no network');
      }),
    progress: (text: string, stream: ProgressStream = 'stdout') => void told.push({ text, stream }),
    log: () => {},
    clock,
    ...(options.tasks === undefined ? {} : { tasks: options.tasks }),
    told,
    dispose: () => sandbox.dispose(),
  };
  const forCall = (id: string, signal = options.signal ?? new AbortController().signal): TestToolContext => ({
    ...shared,
    call: { id, name: 'test' },
    signal,
    forCall,
  });
  return forCall('call-1');
}
