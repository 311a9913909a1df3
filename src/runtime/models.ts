import { type Clock, type Model, ToolwrightError } from '../core/index.ts';
import type { SessionStore } from '../store/index.ts';
import type { Env } from './env.ts';
import { conversationOf } from './recover.ts';
import type { Settings } from './settings.ts';

/** `replay:SESSION`: the model answers what was answered in that session. */
const REPLAY = 'replay:';

type Spec = string | Model | undefined;

/** Which models there are for a session that names none, one, or is given one. */
export interface Models {
  model(spec: Spec): Promise<Model>;
  fallbackModel(spec: Spec): Promise<Model | undefined>;
}

export interface ModelsOptions {
  readonly settings: Settings;
  /** They come before those of the settings. */
  readonly chosen: { readonly model?: string | Model; readonly fallbackModel?: string | Model };
  readonly env: Env;
  readonly cwd: string;
  readonly clock: Clock;
  readonly sessions: () => Promise<SessionStore>;
}

export function createModels({ settings, chosen, env, cwd, clock, sessions }: ModelsOptions): Models {
  const replayed = async (id: string): Promise<Model> => {
    const kept = await sessions();
    if ((await kept.get(id)) === undefined) {
      throw new ToolwrightError('not_found', `there is no session ${id} to replay`, {
        hint: '`toolwright sessions list` shows those that there are.',
      });
    }
    const { createReplayModel } = await import('../model/index.ts');
    return createReplayModel({
      id: `${REPLAY}${id}`,
      messages: conversationOf(await kept.messages(id)).map((entry) => entry.message),
      events: await kept.events(id),
    });
  };
  const resolve = async (spec: string | Model): Promise<Model> => {
    if (typeof spec !== 'string') return spec;
    if (spec.startsWith(REPLAY)) return replayed(spec.slice(REPLAY.length));
    const { resolveModel } = await import('../model/index.ts');
    const model = await resolveModel(spec, { env, models: settings.models, clock, cwd });
    return settings.contextWindow === undefined ? model : { ...model, contextWindow: settings.contextWindow };
  };
  return {
    model: (spec) => resolve(spec ?? chosen.model ?? settings.model),
    async fallbackModel(spec) {
      const fallback = spec ?? chosen.fallbackModel ?? settings.fallbackModel;
      return fallback === undefined ? undefined : resolve(fallback);
    },
  };
}
