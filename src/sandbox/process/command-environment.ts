/** Names of the host's environment that a command may see. */
const PASSED = new Set(['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LANGUAGE', 'TZ', 'TMPDIR', 'TMP', 'TEMP']);

/** A command has no terminal and nobody who could answer. */
const NOT_INTERACTIVE = {
  TERM: 'dumb',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_EDITOR: 'true',
  GIT_TERMINAL_PROMPT: '0',
  DEBIAN_FRONTEND: 'noninteractive',
} as const;

const DEFAULT_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/**
 * The environment of commands: a short list of the host's names, defaults that keep programs from asking,
 * and what the session adds, which wins. No other name of the host's is passed on, so no secret is.
 */
export function commandEnvironment(
  hostEnv: Readonly<Record<string, string | undefined>>,
  extra: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const [name, value] of Object.entries(hostEnv)) {
    if (value !== undefined && (PASSED.has(name) || name.startsWith('LC_'))) passed[name] = value;
  }
  if (!passed['PATH']) passed['PATH'] = DEFAULT_PATH;
  if (!passed['LANG'] && !passed['LC_ALL'] && !passed['LC_CTYPE']) passed['LANG'] = 'C.UTF-8';
  return { ...passed, ...NOT_INTERACTIVE, ...extra };
}
