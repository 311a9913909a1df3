import path from 'node:path';
import { type Clock, type Model, ToolwrightError } from '../core/index.ts';
import { nearNames } from '../schema/index.ts';
import type { Vendor } from './openai-compatible/vendor.ts';

export interface ModelSettings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Models of the user's own, by name: `{baseUrl, apiKey?|apiKeyEnv?, model?, headers?, contextWindow?, vendor?}`. */
  readonly models?: Readonly<Record<string, unknown>>;
  readonly clock: Clock;
  /** What the path of a script is relative to. */
  readonly cwd: string;
}

interface Service {
  readonly baseUrl: string;
  readonly baseUrlEnv: string;
  /** None: no key is needed. */
  readonly keyEnv?: string;
  readonly vendor?: Vendor;
}

const OPENAI_STYLE: Readonly<Record<string, Service>> = {
  openai: { baseUrl: 'https://api.openai.com/v1', baseUrlEnv: 'OPENAI_BASE_URL', keyEnv: 'OPENAI_API_KEY' },
  dashscope: {
    baseUrl: 'https://dashscope.aliyuncs.com/compatible-mode/v1',
    baseUrlEnv: 'DASHSCOPE_BASE_URL',
    keyEnv: 'DASHSCOPE_API_KEY',
    vendor: 'dashscope',
  },
  deepseek: {
    baseUrl: 'https://api.deepseek.com/v1',
    baseUrlEnv: 'DEEPSEEK_BASE_URL',
    keyEnv: 'DEEPSEEK_API_KEY',
    vendor: 'deepseek',
  },
  ollama: { baseUrl: 'http://127.0.0.1:11434/v1', baseUrlEnv: 'OLLAMA_BASE_URL', vendor: 'ollama' },
};

const PROVIDERS = [...Object.keys(OPENAI_STYLE), 'anthropic', 'google'];

/** The model that a spec names: `manual`, `script:FILE`, `provider/name`, or a name of the settings. */
export async function resolveModel(spec: string, settings: ModelSettings): Promise<Model> {
  const { env, clock } = settings;
  if (spec === 'manual') return (await import('./manual.ts')).createManualModel();
  if (spec.startsWith('script:')) return scriptModel(spec.slice('script:'.length), settings);
  const slash = spec.indexOf('/');
  const provider = slash < 0 ? spec : spec.slice(0, slash);
  const name = slash < 0 ? undefined : spec.slice(slash + 1);
  const own = settings.models ?? {};
  if (Object.hasOwn(own, spec)) return ownModel(spec, own[spec], undefined, settings);
  if (Object.hasOwn(own, provider) && name) return ownModel(provider, own[provider], name, settings);
  if (!PROVIDERS.includes(provider)) throw unknownModel(spec, Object.keys(own));
  if (!name) {
    throw invalid(`the model ${spec} has no name`, `write ${provider}/ and the name that the provider knows`);
  }
  if (provider === 'anthropic' || provider === 'google') {
    const { resolveAiSdkModel } = await import('./resolve-ai-sdk-model.ts');
    return resolveAiSdkModel(provider, name, env, clock);
  }
  const service = OPENAI_STYLE[provider] as Service;
  const given = env[service.baseUrlEnv];
  const apiKey = service.keyEnv ? env[service.keyEnv] : undefined;
  if (service.keyEnv && !apiKey && !given) {
    throw invalid(
      `the model ${spec} needs a key`,
      `set ${service.keyEnv}, or ${service.baseUrlEnv} for a server that needs none`,
    );
  }
  const { createOpenAiCompatible } = await import('./openai-compatible/create-openai-compatible.ts');
  return createOpenAiCompatible({
    id: spec,
    model: name,
    baseUrl: given || service.baseUrl,
    clock,
    ...(apiKey ? { apiKey } : {}),
    ...(service.vendor ? { vendor: service.vendor } : {}),
  });
}

async function scriptModel(file: string, settings: ModelSettings): Promise<Model> {
  const { loadScript } = await import('./load-script.ts');
  const { createScriptedModel } = await import('./scripted.ts');
  const script = await loadScript(path.resolve(settings.cwd, file));
  return createScriptedModel(script.steps, { id: `script:${file}`, strict: script.strict, clock: settings.clock });
}

/** A model of the settings; `name` when the spec was `settings-name/model`. */
async function ownModel(
  key: string,
  entry: unknown,
  name: string | undefined,
  settings: ModelSettings,
): Promise<Model> {
  const { ownModelSchema } = await import('./own-model.ts');
  const parsed = ownModelSchema.safeParse(entry);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const place = ['models', key, ...(issue?.path ?? [])].join('.');
    throw invalid(
      `${place}: ${issue?.message}`,
      'a model is {baseUrl, apiKey or apiKeyEnv, model, headers, contextWindow, vendor}',
    );
  }
  const { apiKeyEnv, model, apiKey: ownKey, vendor, ...rest } = parsed.data;
  const apiKey = ownKey ?? (apiKeyEnv === undefined ? undefined : settings.env[apiKeyEnv]);
  if (apiKeyEnv !== undefined && !apiKey) throw invalid(`the model ${key} needs a key`, `set ${apiKeyEnv}`);
  const { createOpenAiCompatible } = await import('./openai-compatible/create-openai-compatible.ts');
  return createOpenAiCompatible({
    id: name === undefined ? key : `${key}/${name}`,
    model: name ?? model ?? key,
    clock: settings.clock,
    baseUrl: rest.baseUrl,
    ...(rest.headers ? { headers: rest.headers } : {}),
    ...(rest.contextWindow ? { contextWindow: rest.contextWindow } : {}),
    ...(apiKey ? { apiKey } : {}),
    ...(vendor ? { vendor } : {}),
  });
}

function unknownModel(spec: string, own: readonly string[]): ToolwrightError {
  const known = ['manual', 'script:FILE', ...PROVIDERS.map((provider) => `${provider}/NAME`), ...own];
  const near = nearNames(spec.split('/')[0] ?? spec, [...PROVIDERS, ...own, 'manual']);
  const meant = near.length > 0 ? `did you mean ${near.join(' or ')}? ` : '';
  const how =
    'any other OpenAI-compatible server: openai/NAME with OPENAI_BASE_URL, or an entry under "models" in toolwright.json';
  return invalid(`there is no model ${spec}`, `${meant}known: ${known.join(', ')}; ${how}`);
}

function invalid(message: string, hint: string): ToolwrightError {
  return new ToolwrightError('invalid_request', message, { hint });
}
