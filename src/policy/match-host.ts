/** Makes a test of a `domain:` specifier: the host itself and all below it; `*.` before it: only those below. */
export function createHostTest(domain: string): (host: string) => boolean {
  const text = domain.trim();
  if (text === '*') return () => true;
  const onlyBelow = text.startsWith('*.');
  const name = hostName(onlyBelow ? text.slice(2) : text);
  return (host) => {
    const given = host.replace(/\.$/, '');
    return (given === name && !onlyBelow) || given.endsWith(`.${name}`);
  };
}

/** As a URL has it: lower case, in ASCII, without a dot at its end. */
function hostName(text: string): string {
  const url = `http://${text}`;
  const host = URL.canParse(url) ? new URL(url).hostname : text.toLowerCase();
  return host.replace(/\.$/, '');
}
