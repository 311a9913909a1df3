/** Variables whose value is run, or decides what is run. */
const DANGEROUS =
  /^(?:PATH|ENV|BASH_.*|BASHOPTS|SHELLOPTS|SHELL|IFS|PS[0-4]|PROMPT_COMMAND|CDPATH|HOME|LD_.*|DYLD_.*|GIT_.*|.*PAGER|.*EDITOR|VISUAL|BROWSER|.*_?ASKPASS|.*_COMMAND|LESS.*|MAN.*|NODE_.*|npm_.*|PYTHON.*|PERL.*|RUBY.*|JAVA_.*|_JAVA_.*|JDK_.*|MAKE.*|CC|CXX|CFLAGS|AR|RUSTC.*|CARGO.*|GOFLAGS|TAR_OPTIONS|.*_OPTS|.*_RSH|RSYNC_.*|XDG_.*|TERMINFO.*)$/i;

/** Text that is a command once something evaluates it. */
const EVALUABLE = /`|\$\(/;

export const holdsCommand = (text: string | null) => text !== null && EVALUABLE.test(text);

/** That a variable is set, as a command of its own. */
export function setting(name: string, value: string | null): { words: readonly []; beside: string; hides?: string } {
  const set = { words: [], beside: `sets ${name}` } as const;
  if (DANGEROUS.test(name)) return { ...set, hides: `${name} may decide what is run` };
  return holdsCommand(value) ? { ...set, hides: `${name} holds a command` } : set;
}
