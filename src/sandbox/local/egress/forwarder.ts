/** Where programs inside find the proxy. */
export const FORWARDER_PORT = 3128;

const SCRIPT = `
const net = require('node:net');
net.createServer((inner) => {
  const outer = net.connect(process.argv[1]);
  const end = () => { inner.destroy(); outer.destroy(); };
  for (const line of [inner, outer]) line.on('error', end).on('close', end);
  inner.pipe(outer).pipe(inner);
}).listen(${FORWARDER_PORT}, '127.0.0.1', () => process.stdout.write('\\n'));
`;

/** The command behind a listener on the sandbox's own loopback that leads to the socket; it starts once that listens. */
export function withForwarder(command: readonly string[], node: string, socket: string): string[] {
  const start = 'read -r _ < <(exec "$1" -e "$2" "$3" </dev/null 2>/dev/null); shift 3; exec "$@"';
  return ['bash', '-c', start, 'forward', node, SCRIPT, socket, ...command];
}
