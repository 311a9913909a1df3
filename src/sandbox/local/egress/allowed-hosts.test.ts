import { expect } from 'vitest';
import { verifies } from '../../../../test/verifies.ts';
import { allowedHosts } from './allowed-hosts.ts';

const NAMES: Readonly<Record<string, readonly string[]>> = {
  'example.org': ['93.184.215.14'],
  'a.example.org': ['93.184.215.14'],
  'evil.example.org': ['93.184.215.14', '127.0.0.1'],
  'inner.example.org': ['10.0.0.5'],
  localhost: ['127.0.0.1'],
};
const resolve = async (host: string) => NAMES[host] ?? [];

verifies('local/network', 'a name is judged by the list and by every address that it has', async () => {
  const find = allowedHosts(['example.org', '*.example.org:443', 'inner.example.org', '10.0.0.6', '[::1]:80'], resolve);
  expect(await find('example.org', 8080)).toEqual({ address: '93.184.215.14', port: 8080 });
  expect(await find('EXAMPLE.org.', 80)).toEqual({ address: '93.184.215.14', port: 80 });
  expect(await find('a.example.org', 443)).toEqual({ address: '93.184.215.14', port: 443 });
  expect(await find('10.0.0.6', 80)).toEqual({ address: '10.0.0.6', port: 80 });
  expect(await find('[::1]', 80)).toEqual({ address: '::1', port: 80 });
  for (const [host, port] of [
    ['a.example.org', 80],
    ['evil.example.org', 443],
    ['inner.example.org', 443],
    ['notexample.org', 443],
    ['example.org.evil.net', 443],
    ['::1', 81],
    ['localhost', 80],
    ['::ffff:127.0.0.1', 80],
  ] as const) {
    await expect(find(host, port), host).rejects.toMatchObject({ code: 'denied' });
  }
  expect(await allowedHosts(['localhost'], resolve)('localhost', 3000)).toEqual({ address: '127.0.0.1', port: 3000 });
});
