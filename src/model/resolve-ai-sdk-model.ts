import { type Clock, type Model, ToolwrightError } from '../core/index.ts';
import { fromAiSdk } from './from-ai-sdk/from-ai-sdk.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** A model of a provider that has an adapter of its own. */
export async function resolveAiSdkModel(
  provider: 'anthropic' | 'google',
  name: string,
  env: Env,
  clock: Clock,
): Promise<Model> {
  const id = `${provider}/${name}`;
  if (provider === 'anthropic') {
    const given = env['ANTHROPIC_BASE_URL'];
    const apiKey = keyOf(env, ['ANTHROPIC_API_KEY'], id, given);
    const { createAnthropic } = await import('@ai-sdk/anthropic');
    return fromAiSdk(createAnthropic({ apiKey, ...prefix(given, '/v1') })(name), { id, clock });
  }
  const given = env['GOOGLE_BASE_URL'];
  const apiKey = keyOf(env, ['GOOGLE_API_KEY', 'GEMINI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'], id, given);
  const { createGoogleGenerativeAI } = await import('@ai-sdk/google');
  return fromAiSdk(createGoogleGenerativeAI({ apiKey, ...prefix(given, '/v1beta') })(name), { id, clock });
}

function keyOf(env: Env, names: readonly string[], id: string, baseUrl: string | undefined): string {
  const key = names.map((name) => env[name]).find((value) => value);
  if (key) return key;
  if (baseUrl) return 'none';
  throw new ToolwrightError('invalid_request', `the model ${id} needs a key`, { hint: `set ${names.join(' or ')}` });
}

/** The address with its version, which people leave out as the provider's own SDK adds it. */
function prefix(given: string | undefined, version: string): { baseURL?: string } {
  if (!given) return {};
  const base = given.replace(/\/+$/, '');
  return { baseURL: /\/v\d\w*$/.test(base) ? base : `${base}${version}` };
}
