/** Variables whose value is run, or decides what is run. */
const DANGEROUS =
  /^(?:PATH|ENV|BASH_.*|BASHOPTS|SHELLOPTS|SHELL|IFS|PS[0-4]|PROMPT_COMMAND|CDPATH|HOME|LD_.*|DYLD_.*|GIT_.*|.*PAGER|.*EDITOR|VISUAL|BROWSER|.*_?ASKPASS|.*_COMMAND|LESS.*|MAN.*|NODE_.*|npm_.*|PYTHON.*|PERL.*|RUBY.*|JAVA_.*|_JAVA_.*|JDK_.*|MAKE.*|CC|CXX|CFLAGS|AR|RUSTC.*|CARGO.*|GOFLAGS|TAR_OPTIONS|.*_OPTS|.*_RSH|RSYNC_.*|XDG_.*|TERMINFO.*)$/i;

/** That a variable is set, as a command of its own. */
export function setting(name: string): { words: readonly []; beside: string; hides?: string } {
  const set = { words: [], beside: `sets ${name}` } as const;
  return DANGEROUS.test(name) ? { ...set, hides: `${name} may decide what is run` } : set;
}
