const WAITING =
  /(?:pass(?:word|phrase|code)|username|login)\b[^\n]{0,200}[:?]\s*$|[[(]y(?:es)?\/n(?:o)?[^\n]{0,20}[\])]\s*[:?]?\s*$/i;
const NO_TERMINAL =
  /\/dev\/tty: No such device|a terminal is required|no tty present|could not read (?:Username|Password)|Host key verification failed|terminal prompts disabled|not a (?:tty|terminal)|EOF when reading a line|a password is required/i;

/** Says that a command wanted to ask a person, and what to do instead; undefined when nothing looks like it. */
export function promptNote(output: string, command: string): string | undefined {
  const end = output.slice(-2_000);
  if (!WAITING.test(end) && !NO_TERMINAL.test(end)) return undefined;
  return `[it wanted to ask on a terminal, and there is none and no input: ${adviceFor(command)}]`;
}

function adviceFor(command: string): string {
  if (/\bsudo\b|\bsu\b/.test(command)) return 'run it without sudo, or ask the person to run it';
  if (/\b(?:ssh|scp|rsync|sftp)\b/.test(command)) {
    return 'use a key and ssh -o BatchMode=yes; a new host needs its key in known_hosts first';
  }
  if (/\bgit\b/.test(command)) return 'git needs credentials that are set up already, or another address';
  return 'give the answer by a flag such as --yes, by an argument, or by a pipe: echo y | command';
}
