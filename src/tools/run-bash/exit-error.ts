import { type CallError, callError, type ProcessExit } from '../../core/index.ts';

/** Programs whose exit code 1 means no, or nothing found. */
const ANSWERING = /^(?:e|f|z)?grep$|^(?:rg|ag|diff|cmp|test|\[|\[\[|expr|pgrep|which|type|command|false)$/;

/** The last command of a line answers with its exit code; a look at its first word, nothing more. */
function answersByCode(command: string): boolean {
  const last =
    command
      .trim()
      .split(/[;&|\n]+/)
      .filter((part) => part.trim() !== '')
      .at(-1) ?? '';
  return ANSWERING.test(last.trim().split(/\s+/)[0] ?? '') || /^\s*git\s+(?:diff|grep)\b/.test(last);
}

/** Every code but 0 is an error, save the 1 of a program that only answers no. */
export function exitError({ code, signal }: ProcessExit, command: string): CallError | undefined {
  if (signal !== null) {
    return callError('failed', `ended by the signal ${signal}, exit code ${128 + (SIGNALS[signal] ?? 0)}`, {
      hint: 'It did not end by itself; what it was doing may be incomplete.',
    });
  }
  if (code === null || code === 0 || (code === 1 && answersByCode(command))) return undefined;
  if (code === 127)
    return callError('failed', 'exit code 127: a command was not found', { hint: 'Check its name, or install it.' });
  if (code === 126)
    return callError('failed', 'exit code 126: a file could not be executed', { hint: 'Check its mode.' });
  const by = Object.keys(SIGNALS).find((name) => SIGNALS[name] === code - 128);
  const why = by === undefined ? '' : `: the last command was ended by ${by}`;
  return callError('failed', `exit code ${code}${why}`, { hint: 'Read what it printed.' });
}

const SIGNALS: Readonly<Record<string, number>> = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGQUIT: 3,
  SIGILL: 4,
  SIGTRAP: 5,
  SIGABRT: 6,
  SIGBUS: 7,
  SIGFPE: 8,
  SIGKILL: 9,
  SIGUSR1: 10,
  SIGSEGV: 11,
  SIGUSR2: 12,
  SIGPIPE: 13,
  SIGALRM: 14,
  SIGTERM: 15,
  SIGXCPU: 24,
  SIGXFSZ: 25,
  SIGSYS: 31,
};
