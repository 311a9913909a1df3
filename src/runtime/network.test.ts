import { expect } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { createGatedFetch } from './network.ts';

const answer = (answers: Record<string, Response>) => {
  const asked: string[] = [];
  const fetch = (async (input: Request) => {
    asked.push(input.url);
    return answers[input.url] ?? new Response('ok');
  }) as typeof globalThis.fetch;
  return { asked, fetch };
};

verifies('runtime/network', 'a host that nobody named is refused before anything is sent', async () => {
  const { asked, fetch } = answer({});
  const gated = createGatedFetch(['good.example', 'other.example:8080'], fetch);
  await expect(gated('https://bad.example/')).rejects.toMatchObject({ code: 'denied' });
  await expect(gated('https://other.example/')).rejects.toMatchObject({ code: 'denied' });
  await expect(gated('file:///etc/passwd')).rejects.toThrow();
  expect(asked).toEqual([]);
  expect(await (await gated('https://GOOD.example/a')).text()).toBe('ok');
  expect(await (await gated('http://other.example:8080/')).text()).toBe('ok');
});

verifies('runtime/network', 'a redirect to another host is judged like a first request', async () => {
  const away = new Response(null, { status: 302, headers: { location: 'http://169.254.169.254/secret' } });
  const { asked, fetch } = answer({ 'https://good.example/': away });
  await expect(createGatedFetch(['good.example'], fetch)('https://good.example/')).rejects.toMatchObject({
    code: 'denied',
  });
  expect(asked).toEqual(['https://good.example/']);
});
