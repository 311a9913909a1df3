import type { ServerConfig } from './config/server-config.ts';

/** A shorter value is a word of ordinary text. */
const SHORTEST = 6;

/** Takes the values of a config's headers and secret variables out of a text. */
export function createRedactor(
  { target }: ServerConfig,
  secretsOf: (variables: Readonly<Record<string, string>>) => readonly string[],
): (text: string) => string {
  const values =
    target.kind === 'in-process'
      ? []
      : target.kind === 'stdio'
        ? secretsOf(target.env)
        : [
            ...Object.values(target.headers).flatMap((value) => [value, ...value.split(/\s+/)]),
            target.url.password,
            target.oauth.clientSecret ?? '',
            ...target.url.searchParams.values(),
          ];
  const secrets = values.filter((value) => value.length >= SHORTEST).sort((a, b) => b.length - a.length);
  return (text) => secrets.reduce((said, secret) => said.replaceAll(secret, '[secret]'), text);
}
