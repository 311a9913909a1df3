import { createGlob } from './match-glob.ts';
import { possibleCommands, readCommand } from './read-command.ts';

/**
 * Makes a test of a command specifier: `git status:*` and `npm run *` (these words and any behind them),
 * `git * main` (`*` for any text), or a whole command. A rule that permits (`allows`) covers one plain command
 * only; one that forbids matches when any command that the line may run does.
 */
export function createCommandTest(
  specifier: string,
  { allows }: { readonly allows: boolean },
): (command: string) => boolean {
  const fits = createWordTest(specifier);
  if (!allows) return (command) => possibleCommands(command).some(fits);
  return (command) => {
    const { words, isPlain } = readCommand(command);
    return isPlain && fits(words);
  };
}

function createWordTest(specifier: string): (words: readonly string[]) => boolean {
  const prefix = /^(.*?)(?::\*| \*)$/s.exec(specifier)?.[1];
  if (prefix !== undefined && !prefix.includes('*')) {
    const start = readCommand(prefix).words;
    return (words) => start.every((word, index) => words[index] === word);
  }
  if (specifier.includes('*')) {
    const glob = createGlob(specifier.replace(/:\*$/, '*'), { single: false });
    return (words) => glob(words.join(' '));
  }
  const whole = readCommand(specifier).words;
  return (words) => words.length === whole.length && whole.every((word, index) => words[index] === word);
}
