import type { Command } from 'commander';
import { addRuntimeOptions } from './flags.ts';
import type { Io } from './io.ts';

export type MakeCommand = (parent: Command, spec: string, about: string) => Command;
export type Runs = <Arguments extends unknown[]>(
  load: () => Promise<(io: Io, options: never, ...args: Arguments) => Promise<number>>,
) => (...given: unknown[]) => Promise<void>;

/** `skills list | show | validate | add`. */
export function addSkillCommands(program: Command, command: MakeCommand, runs: Runs): void {
  const skills = program.command('skills').description('the skills: folders that teach how work is done');
  const list = command(skills, 'list', 'all skills that were found, and what is wrong with them');
  addRuntimeOptions(list).action(runs(async () => (await import('./commands/skills-list.ts')).skillsList));
  const show = command(skills, 'show <name>', 'one skill: what it says, what it allows, its files');
  addRuntimeOptions(show).action(runs(async () => (await import('./commands/skills-show.ts')).skillsShow));
  const validate = command(skills, 'validate <dir>', 'hold a skill, or a folder of skills, against the standard');
  addRuntimeOptions(validate).action(runs(async () => (await import('./commands/skills-validate.ts')).skillsValidate));
  const add = command(skills, 'add <dir>', 'copy a skill into the home, so that every session has it');
  addRuntimeOptions(add).option('--project', "into the working folder's .toolwright instead");
  add.action(runs(async () => (await import('./commands/skills-add.ts')).skillsAdd));
}
