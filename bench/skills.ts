import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Bench } from './harness.ts';

const KINDS = {
  time: { unit: 'ms', goal: 2_000, title: 'reading all of them for the first time' },
  again: { unit: 'ms', goal: 500, title: 'looking for changes before a turn, when there are none' },
  memory: { unit: 'MB', goal: 200, title: 'peak memory of a process that has read all of them' },
} as const;

/** Many skills of 8 KB, each in a process of its own. */
export function skills(count: number, kind: keyof typeof KINDS): Bench {
  const { unit, goal, title } = KINDS[kind];
  return {
    name: `skills-${kind}`,
    title: `${count} skills: ${title}`,
    unit,
    goal: { value: goal },
    async open() {
      const home = await mkdtemp(join(tmpdir(), 'bench-skills-'));
      for (let index = 0; index < count; index++) {
        const name = `skill-${index}`;
        const folder = join(home, 'skills', name);
        await mkdir(folder, { recursive: true });
        const description = `Does the work of kind ${index}: what it is for, and when to use it. `.repeat(5);
        const front = `---\nname: ${name}\ndescription: "${description}"\nlicense: MIT\nallowed-tools: Read Bash(git:*)\n---\n`;
        await writeFile(
          join(folder, 'SKILL.md'),
          `${front}${'One line of instructions, sixty signs long or nearly so.\n'.repeat(140)}`,
        );
      }
      const child = fileURLToPath(new URL('./skills-child.ts', import.meta.url));
      const contender = (name: string, who: string) => ({
        name,
        async run() {
          const args = ['--import', 'tsx', child, who, home, kind];
          const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 60_000 });
          const { found, value } = JSON.parse(stdout) as { found: number; value: number };
          if (found !== count) throw new Error(`${name} found ${found} skills`);
          return { value };
        },
      });
      return {
        contenders: [contender('floor: readFile and yaml by hand', 'floor'), contender('toolwright', 'ours')],
        close: () => rm(home, { recursive: true, force: true }),
      };
    },
  };
}
