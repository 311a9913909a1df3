import type { ShellCommand } from '../core/index.ts';
import { programName, specOf } from './shell/programs.ts';

/** Programs whose first operands say what they do. */
const DEEP: Readonly<Record<string, number>> = {
  git: 2,
  npm: 2,
  pnpm: 2,
  yarn: 2,
  bun: 2,
  cargo: 2,
  go: 2,
  pip: 2,
  pip3: 2,
  uv: 2,
  poetry: 2,
  brew: 2,
  gem: 2,
  bundle: 2,
  docker: 2,
  podman: 2,
  kubectl: 2,
  helm: 2,
  terraform: 2,
  gh: 2,
  glab: 2,
  aws: 3,
  gcloud: 3,
  az: 3,
  dotnet: 2,
  mvn: 2,
  gradle: 2,
  make: 2,
  just: 2,
  rustup: 2,
  conda: 2,
  apt: 2,
  'apt-get': 2,
  dnf: 2,
  systemctl: 2,
  flutter: 2,
  dart: 2,
};
/** `npm run build` says more than `npm run`. */
const RUNNERS = new Set([
  'npm run',
  'pnpm run',
  'yarn run',
  'bun run',
  'npm run-script',
  'docker compose',
  'git remote',
  'git stash',
]);
/** Too much stands behind these for a rule of their first words. */
const DANGEROUS = new Set(
  'rm rmdir unlink shred dd mkfs fdisk parted chmod chown chgrp chattr kill killall pkill reboot shutdown halt poweroff init mount umount useradd userdel usermod passwd visudo systemctl service iptables nft mv cp ln install truncate tee curl wget nc ncat telnet eval source . exec export set unset declare typeset local readonly trap alias cd pushd docker podman kubectl terraform aws gcloud az gh chroot'.split(
    ' ',
  ),
);
const DANGEROUS_PAIRS = new Set([
  'git reset',
  'git clean',
  'git config',
  'git filter-branch',
  'git rm',
  'git bisect',
  'git submodule',
  'npm publish',
  'npm exec',
  'npm x',
  'pnpm dlx',
  'pnpm exec',
  'yarn dlx',
  'cargo publish',
]);

/**
 * The first words of each command of a line, for rules that would allow it and its like. `complete`: together
 * they would allow the whole line, and none of them would allow much more than that.
 */
export function commandPrefixes(commands: readonly ShellCommand[]): {
  readonly prefixes: readonly string[];
  readonly complete: boolean;
} {
  const active = commands.filter((command) => command.passive === undefined);
  const prefixes = new Set<string>();
  for (const command of active.length > 0 ? active : commands) {
    const prefix = prefixOf(command);
    if (prefix === undefined) return { prefixes: [], complete: false };
    prefixes.add(prefix);
  }
  return { prefixes: [...prefixes], complete: prefixes.size > 0 };
}

function prefixOf({ words, beside, hides, within }: ShellCommand): string | undefined {
  const [first] = words;
  if (first == null || beside !== undefined || hides !== undefined) return undefined;
  const name = programName(first);
  if (within !== undefined && within.word === undefined) return undefined;
  if (DANGEROUS.has(name) || name.includes('/') || !/^[\w.+-]+$/.test(name)) return undefined;
  const spec = specOf(name);
  if (
    spec !== undefined &&
    (spec.runs ?? spec.input ?? spec.opaque ?? spec.shell ?? spec.text ?? spec.code) !== undefined
  ) {
    return undefined;
  }
  const most = DEEP[name] ?? 1;
  if (most === 1) return name;
  const depth = RUNNERS.has(pair(name, words)) ? 3 : most;
  const start = [name, ...words.slice(1, depth)];
  const isPlain = start.every((word) => word !== null && /^[\w@./:+-]+$/.test(word) && !word.startsWith('-'));
  return start.length < 2 || !isPlain || DANGEROUS_PAIRS.has(pair(name, words)) ? undefined : start.join(' ');
}

const pair = (name: string, words: ShellCommand['words']) => `${name} ${words[1]}`;
