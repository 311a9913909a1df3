import { ToolwrightError } from '../core/index.ts';

/** A fetch that reaches the named hosts (`host` or `host:port`) and no other; redirects are judged as well. */
export function createGatedFetch(allow: readonly string[], fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  const allowed = new Set(allow.map((host) => host.toLowerCase()));
  const judge = (url: URL): void => {
    const named = allowed.has(url.hostname.toLowerCase()) || allowed.has(hostAndPort(url));
    if (named && (url.protocol === 'http:' || url.protocol === 'https:')) return;
    throw new ToolwrightError('denied', `the host ${url.host || url.href} is not in the network allow-list`, {
      hint: 'Name the host in network.allow of toolwright.json or in TOOLWRIGHT_NETWORK_ALLOW.',
    });
  };
  return async (input, init) => {
    let request = new Request(input, { ...init, redirect: 'manual' });
    for (let hops = 0; hops <= 10; hops++) {
      judge(new URL(request.url));
      const response = await fetch(request);
      const location = response.headers.get('location');
      const follows = request.method === 'GET' || request.method === 'HEAD';
      if (response.status < 300 || response.status > 399 || location === null || !follows) return response;
      await response.body?.cancel();
      const { method, signal } = request;
      request = new Request(new URL(location, request.url), { method, signal, redirect: 'manual' });
    }
    throw new ToolwrightError('failed', 'the address led through more than 10 redirects');
  };
}

function hostAndPort(url: URL): string {
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return `${url.hostname.toLowerCase()}:${port}`;
}
