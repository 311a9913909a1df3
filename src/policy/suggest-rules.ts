import type { CallFacts, JudgedCall, SuggestedRule } from '../core/index.ts';
import { isObject } from '../core/index.ts';
import { commandPrefixes } from './command-prefixes.ts';

/** A rule longer than that is no good to read; such a call is allowed once. */
const MOST_CHARS = 400;
/** Rules of one kind at the most. */
const MOST_RULES = 5;

const ONCE: SuggestedRule = { scope: 'once', allows: '' };

/**
 * What a person may say yes to, from narrow to wide: this once, this very call, its kind, the tool. Wide rules
 * are left out for commands that can do anything.
 */
export function suggestRules({ name, input, facts }: JudgedCall): readonly SuggestedRule[] {
  if (facts.commands.length > 0) return [ONCE, ...forCommands(name, facts)];
  const narrow = [...forPaths(name, facts), ...forHosts(name, facts), ...forTexts(name, facts)];
  return [ONCE, ...narrow, ...forTool(name, narrow.length > 0, input)];
}

function forCommands(name: string, facts: CallFacts): SuggestedRule[] {
  const [line = ''] = facts.commands;
  const text = line.trim();
  const commands = facts.shell?.[0] ?? [];
  const rules: SuggestedRule[] = [];
  const exact = `${name}(${escaped(text)})`;
  if (facts.commands.length === 1 && exact.length <= MOST_CHARS) {
    rules.push({ scope: 'session', rule: exact, allows: '' });
  }
  const { prefixes, complete } = commandPrefixes(commands);
  if (!complete) return rules;
  for (const prefix of prefixes.slice(0, MOST_RULES)) {
    rules.push({
      scope: 'always',
      rule: `${name}(${escaped(prefix)}:*)`,
      allows: `every command that begins with "${prefix}", whatever stands behind it`,
    });
  }
  return rules;
}

function forPaths(name: string, { paths }: CallFacts): SuggestedRule[] {
  const [path, ...more] = paths;
  if (path === undefined || more.length > 0) return [];
  const { spelled, folder } = spellings(path);
  const exact = `${name}(${spelled})`;
  if (exact.length > MOST_CHARS) return [];
  const rules: SuggestedRule[] = [
    { scope: 'always', rule: exact, allows: `${name} with any input on ${path.written}, again and again` },
  ];
  if (folder !== undefined) {
    rules.push({
      scope: 'session',
      rule: `${name}(${folder}/**)`,
      allows: `${name} on every file in ${folder} and below`,
    });
  }
  return rules;
}

/** A path as a rule names it, from the working folder when it lies in it. */
function spellings({ path, root }: CallFacts['paths'][number]): { spelled: string; folder: string | undefined } {
  const inside = root.label === 'workspace' && path.startsWith(`${root.path}/`);
  const rest = inside ? path.slice(root.path.length + 1) : path.slice(1);
  const start = inside ? './' : '//';
  const parts = rest.split('/').map(escapedPart);
  const above = parts.slice(0, -1);
  return {
    spelled: `${start}${parts.join('/')}`,
    folder: above.length > 0 ? `${start}${above.join('/')}` : undefined,
  };
}

function forHosts(name: string, { hosts }: CallFacts): SuggestedRule[] {
  return [...new Set(hosts)].slice(0, MOST_RULES).flatMap((host): SuggestedRule[] => {
    if (!/^[a-z0-9.-]+$/.test(host)) return [];
    return [
      { scope: 'always', rule: `${name}(domain:${host})`, allows: `every address at ${host} and the hosts below it` },
    ];
  });
}

function forTexts(name: string, { texts }: CallFacts): SuggestedRule[] {
  const [text, ...more] = texts;
  if (text === undefined || more.length > 0 || text.trim() === '' || text.length > MOST_CHARS) return [];
  return [{ scope: 'always', rule: `${name}(${escaped(text)})`, allows: `${name} on the same again and again` }];
}

function forTool(name: string, hasNarrow: boolean, input: unknown): SuggestedRule[] {
  const hasInput = isObject(input) && Object.keys(input).length > 0;
  const rules: SuggestedRule[] = [
    {
      scope: hasNarrow ? 'session' : 'always',
      rule: name,
      allows: hasNarrow || hasInput ? `every call of ${name}, whatever its input` : '',
    },
  ];
  const server = /^(mcp__.+?)__./.exec(name)?.[1];
  if (server !== undefined) {
    rules.push({ scope: 'session', rule: server, allows: `every tool of the server ${server.slice('mcp__'.length)}` });
  }
  return rules;
}

/** Signs that a rule would read as more than themselves. */
const escaped = (text: string) => text.replace(/\\(?=[\\*]|$)/g, '\\\\').replace(/\*/g, '\\*');
const escapedPart = (part: string) => part.replace(/[\\*?]/g, '\\$&');
