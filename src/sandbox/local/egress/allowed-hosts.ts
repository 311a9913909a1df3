import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { ToolwrightError } from '../../../core/index.ts';

export interface Destination {
  readonly address: string;
  readonly port: number;
}

/** Where a host may be reached, or ToolwrightError `denied`. The address it gives is the one that was judged. */
export type FindDestination = (host: string, port: number) => Promise<Destination>;

export type Resolve = (host: string) => Promise<readonly string[]>;

const resolveHost: Resolve = async (host) => (await lookup(host, { all: true })).map(({ address }) => address);

/**
 * Judges by name and by address: the name must be in the list, and an address that is not a public one must be
 * named itself (`localhost` names the loopback), so that no allowed name leads into the network of the host.
 */
export function allowedHosts(list: readonly string[], resolve: Resolve = resolveHost): FindDestination {
  const entries = list.map(parseEntry);
  const isNamed = (host: string, port: number, exactly: boolean) =>
    entries.some(
      (entry) =>
        (entry.port === undefined || entry.port === port) &&
        (entry.host === host || (!exactly && entry.host.startsWith('*.') && host.endsWith(entry.host.slice(1)))),
    );
  return async (written, port) => {
    const host = written
      .toLowerCase()
      .replace(/^\[|\]$/g, '')
      .replace(/\.$/, '');
    if (!isNamed(host, port, false)) throw denied(`${host}:${port} is not in the network list of the sandbox`);
    const addresses = isIP(host) ? [host] : await resolve(host);
    const address = addresses[0];
    if (address === undefined) throw denied(`${host} has no address`);
    for (const each of addresses) {
      if (await isPublic(each)) continue;
      if (isNamed(each.toLowerCase(), port, true) || (host === 'localhost' && (await isLoopback(each)))) continue;
      throw denied(`${host} leads to ${each}, which is not a public address and not in the list itself`);
    }
    return { address, port };
  };
}

function parseEntry(text: string): { host: string; port?: number } {
  const [, host = text, port] = /^(.*?)(?::(\d+))?$/.exec(isIP(text) === 6 ? `[${text}]` : text) ?? [];
  return { host: host.toLowerCase().replace(/^\[|\]$/g, ''), ...(port === undefined ? {} : { port: Number(port) }) };
}

const rangeOf = async (address: string) => {
  const { default: ipaddr } = await import('ipaddr.js');
  return ipaddr.process(address).range();
};
const isPublic = async (address: string) => (await rangeOf(address)) === 'unicast';
const isLoopback = async (address: string) => (await rangeOf(address)) === 'loopback';

const denied = (what: string) =>
  new ToolwrightError('denied', `${what}.`, { hint: 'Name the host in sandbox.network of toolwright.json.' });
