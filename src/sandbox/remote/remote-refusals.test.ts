import { mkdir, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect } from 'vitest';
import { inRemoteWorld, type RemoteWorld, TOKEN } from '../../../test/remote-world.ts';
import { verifies } from '../../../test/verifies.ts';

interface Told {
  readonly status: number;
  readonly error?: { readonly code: string; readonly message: string; readonly data?: { readonly reason?: string } };
}

/** A world with an open session `s` in its root. */
const inSession = (body: (world: RemoteWorld, ask: Ask) => Promise<void>, limits = {}) =>
  inRemoteWorld(
    async (world) => {
      const ask: Ask = async (method, path, content) => {
        const response = await world.ask(path, { method, ...(content === undefined ? {} : { body: content }) });
        return { status: response.status, ...((await response.json().catch(() => ({}))) as object) };
      };
      expect((await ask('POST', '/v1/sessions', JSON.stringify({ id: 's' }))).status).toBe(200);
      await body(world, ask);
      expect((await ask('GET', '/v1')).status).toBe(200);
    },
    { limits },
  );

type Ask = (method: string, path: string, content?: string | Uint8Array) => Promise<Told>;

verifies('remote/token', 'a wrong token is answered alike wherever it knocks, and nothing is told', () =>
  inSession(async ({ url, root }) => {
    const answers = new Set<string>();
    const headers: Record<string, string>[] = [
      {},
      { authorization: 'Bearer' },
      { authorization: 'Bearer wrong' },
      { authorization: `Bearer ${TOKEN.slice(0, -1)}` },
      { authorization: `Bearer ${TOKEN}x` },
      { authorization: `Basic ${TOKEN}` },
      { authorization: `Bearer ${TOKEN} ${TOKEN}` },
    ];
    for (const path of [
      '/',
      '/v1',
      '/v1/sessions',
      '/v1/sessions/s/list?path=/',
      '/v1/sessions/none/stat',
      '/nothing',
    ]) {
      for (const header of headers) {
        for (const method of ['GET', 'POST', 'DELETE']) {
          const response = await fetch(url + path, { method, headers: header });
          answers.add(`${response.status} ${await response.text()}`);
        }
      }
    }
    expect([...answers]).toHaveLength(1);
    expect([...answers][0]).toMatch(/^401 .*unauthorized/);
    expect([...answers][0]).not.toContain(root);
  }),
);

verifies('remote/paths', 'no way of writing a path leads out of what is served', () =>
  inSession(async ({ base, root, readOnly }, ask) => {
    const secret = join(base, 'secret');
    await mkdir(`${root}-beside`);
    await writeFile(secret, 'hidden');
    await writeFile(join(`${root}-beside`, 'secret'), 'hidden');
    await symlink(secret, join(root, 'link'));
    await symlink(base, join(root, 'up'));
    await symlink(join(base, 'not-there'), join(root, 'dangling'));
    const tricks = [
      secret,
      join(`${root}-beside`, 'secret'),
      `${root}/../secret`,
      `${root}/./../secret`,
      `${root}/link`,
      `${root}/up/secret`,
      `${root}/up/root/../secret`,
      `${root}/nothing/../../secret`,
      `${root}\0/../secret`,
      '/etc/passwd',
      '/proc/self/environ',
      '/proc/self/root/etc/passwd',
      '../secret',
      'secret',
      'file:///etc/passwd',
      `${root}/${'x'.repeat(300)}`,
      `${root}/${'x/'.repeat(2_500)}`,
      '',
    ];
    for (const path of tricks) {
      const query = new URLSearchParams({ path });
      const got = await ask('GET', `/v1/sessions/s/file?${query}`);
      expect([path, got.status >= 400 && got.status < 500]).toEqual([path, true]);
      for (const [method, target] of [
        ['PUT', `file?${query}&op=${Math.random()}`],
        ['GET', `resolve?${query}&access=write`],
        ['GET', `real-path?${query}`],
        ['GET', `list?${query}`],
      ] as const) {
        if (target.startsWith('resolve') && path === 'secret') continue;
        const told = await ask(method, `/v1/sessions/s/${target}`, method === 'PUT' ? 'x' : undefined);
        expect([path, method, told.status >= 400 && told.status < 500]).toEqual([path, method, true]);
      }
      await ask('DELETE', `/v1/sessions/s/file?${query}&op=${Math.random()}`);
    }
    expect(await readdir(base)).toEqual(['library', 'root', 'root-beside', 'secret', 'spool']);
    expect((await stat(secret)).size).toBe(6);
    for (const path of [secret, '/etc/passwd', `${root}/up/secret`, `${root}-beside`]) {
      expect([path, (await ask('GET', `/v1/sessions/s/stat?${new URLSearchParams({ path })}`)).status]).toEqual([
        path,
        403,
      ]);
    }
    const inLibrary = new URLSearchParams({ path: join(readOnly, 'a'), op: 'a' });
    expect((await ask('PUT', `/v1/sessions/s/file?${inLibrary}`, 'x')).error?.data?.reason).toBe('read_only');
  }),
);

verifies('remote/paths', 'a traversal in the address itself is only an address that there is not', () =>
  inSession(async ({ root, url }) => {
    const raw = [
      'GET /v1/sessions/../../etc/passwd',
      'GET /v1/sessions/%2e%2e/%2e%2e/etc/passwd',
      `GET /v1/sessions/s/processes/../file?path=${encodeURIComponent(join(root, 'a'))}`,
      'GET /v1/sessions/s/file/../stat',
      'GET /v1/sessions/s/constructor?path=/',
      'GET /v1/sessions/__proto__/stat?path=/',
      'GET //etc/passwd',
      'GET http://elsewhere/v1',
      'OPTIONS *',
    ];
    for (const line of raw)
      expect([line, await firstLine(url, `${line} HTTP/1.1`)]).toEqual([line, expect.stringMatching(/ 404 /)]);
  }),
);

verifies('remote/paths', 'a client gets no folder that the server does not serve, and no more than it serves', () =>
  inRemoteWorld(async ({ base, root, readOnly, connect }) => {
    await mkdir(join(root, 'inner'));
    await symlink(base, join(root, 'out'));
    const opened = (path: string, access: 'read' | 'write') =>
      connect({ roots: [{ path, access, label: 'workspace' }] });
    for (const path of ['/', base, `${root}-beside`, `${root}/..`, join(root, 'out'), '/etc']) {
      await expect(opened(path, 'read')).rejects.toMatchObject({ code: 'denied' });
    }
    await expect(opened(readOnly, 'write')).rejects.toMatchObject({ code: 'denied' });
    await expect(opened(join(root, 'none'), 'write')).rejects.toThrow(/does not exist/);
    const { sandbox, roots } = await opened(join(root, 'inner'), 'read');
    expect(roots.list).toEqual([{ path: join(root, 'inner'), access: 'read', label: 'workspace' }]);
    await expect(sandbox.list(root)).rejects.toMatchObject({ data: { reason: 'outside' } });
    await expect(sandbox.write(join(root, 'inner/a'), Buffer.from('x'))).rejects.toMatchObject({
      data: { reason: 'read_only' },
    });
    await expect(sandbox.start('pwd', { cwd: root })).rejects.toMatchObject({ code: 'denied' });
  }),
);

verifies('remote/bodies', 'oversized bodies are refused whether they say their size or not', () =>
  inSession(
    async ({ url, root }, ask) => {
      const at = `/v1/sessions/s/file?${new URLSearchParams({ path: join(root, 'big'), op: 'big' })}`;
      expect((await ask('PUT', at, Buffer.alloc(70_000))).status).toBe(413);
      const unsized = `PUT ${at} HTTP/1.1\r\ntransfer-encoding: chunked`;
      const chunk = `${(20_000).toString(16)}\r\n${'x'.repeat(20_000)}\r\n`;
      expect(await firstLine(url, unsized, chunk.repeat(4))).toMatch(/ 413 /);
      expect((await ask('PUT', at, Buffer.alloc(60_000))).status).toBe(200);
      expect((await ask('GET', at)).status).toBe(200);
      await writeFile(join(root, 'big'), Buffer.alloc(70_000));
      expect((await ask('GET', at)).status).toBe(413);
      expect((await ask('GET', `${at}&offset=65000&length=100`)).status).toBe(200);
      const command = { id: 'p', follow: true, command: `: ${'x'.repeat(20_000)}` };
      expect((await ask('POST', '/v1/sessions/s/processes', JSON.stringify(command))).status).toBe(413);
    },
    { mostFileBytes: 65_536, mostJsonBytes: 10_000 },
  ),
);

verifies('remote/bodies', 'what is not as it must be is told, place and reason', () =>
  inSession(async (_world, ask) => {
    const posts: readonly (readonly [string, string | Uint8Array, RegExp])[] = [
      ['sessions', '{"id":', /not valid JSON/],
      ['sessions', Buffer.from([0x7b, 0xff, 0x7d]), /not UTF-8/],
      ['sessions', '[]', /expected object/i],
      ['sessions', '{"id":"../x"}', /id: .*letters/],
      ['sessions', '{"id":"t","roots":[{"path":"/","access":"all","label":""}]}', /roots\.0\.access/],
      ['sessions', '{"id":"t","more":1}', /more/],
      ['sessions/s/processes', '{"id":"p","follow":true}', /command and argv/],
      ['sessions/s/processes', '{"id":"p","follow":true,"argv":[]}', /argv/],
      ['sessions/s/processes', '{"id":"p","follow":true,"command":1}', /command/],
      ['sessions/s/processes', '{"id":"p","follow":true,"command":"a","stdout":-1}', /stdout/],
    ];
    for (const [path, body, told] of posts) {
      const answer = await ask('POST', `/v1/${path}`, body);
      expect([path, String(body), answer.status]).toEqual([path, String(body), 400]);
      expect(answer.error?.message).toMatch(told);
    }
    for (const path of ['file', 'file?path=/a&offset=-1', 'file?path=/a&length=1e3', 'resolve?path=a&access=all']) {
      expect([path, (await ask('GET', `/v1/sessions/s/${path}`)).status]).toEqual([path, 400]);
    }
    expect((await ask('PUT', '/v1/sessions/s/file?path=/a&op=1&expect=now', 'x')).status).toBe(400);
    for (const path of ['sessions/none/stat?path=/', 'sessions/s/processes/none/output', 'sessions/s/nothing']) {
      expect([path, (await ask('GET', `/v1/${path}`)).status]).toEqual([path, 404]);
    }
    const nul = await ask(
      'POST',
      '/v1/sessions/s/processes',
      JSON.stringify({ id: 'n', follow: true, command: 'a\0b' }),
    );
    expect([nul.status, nul.error?.code]).toEqual([400, 'invalid_input']);
  }),
);

verifies('remote/bodies', 'garbage on the line ends that line and nothing else', () =>
  inSession(async ({ url }) => {
    const garbage = fc.sample(fc.oneof(fc.uint8Array({ maxLength: 300 }), fc.string({ maxLength: 300 })), 100);
    for (const bytes of garbage) await sendRaw(url, Buffer.from(bytes as Uint8Array), true);
    expect(await sendRaw(url, Buffer.from(`GET /v1 HTTP/1.1\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`))).toMatch(/ 4\d\d /);
  }),
);

verifies('remote/bodies', 'a head or body that drips in is cut off', () =>
  inSession(
    async ({ url }) => {
      const began = performance.now();
      const answers = await Promise.all([
        drip(url, 'GET /v1 HTTP/1.1\r\nhost: x\r\n', 'a: b\r\n'),
        drip(
          url,
          `POST /v1/sessions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${TOKEN}\r\ncontent-length: 9999\r\n\r\n`,
          ' ',
        ),
      ]);
      expect(answers.every((answer) => answer === '' || / 4\d\d /.test(answer))).toBe(true);
      expect(performance.now() - began).toBeLessThan(10_000);
    },
    { headersMs: 300, requestMs: 600 },
  ),
);

verifies('remote/bounds', 'there are only so many commands and sessions', () =>
  inSession(
    async ({ connect }, ask) => {
      const { sandbox } = await connect();
      const running = [await sandbox.start('sleep 300.5'), await sandbox.start('sleep 300.5')];
      await expect(sandbox.start('true')).rejects.toMatchObject({ code: 'too_many', retryable: true });
      await running[0]?.kill();
      await running[0]?.wait();
      await (await sandbox.start('true')).wait();
      expect((await ask('POST', '/v1/sessions', '{"id":"third"}')).error?.code).toBe('too_many');
      await sandbox.dispose();
      expect((await ask('POST', '/v1/sessions', '{"id":"third"}')).status).toBe(200);
    },
    { mostProcesses: 2, mostSessions: 2 },
  ),
);

verifies('remote/bounds', 'a folder with many names is listed whole', () =>
  inRemoteWorld(async ({ root, connect }) => {
    const names = Array.from({ length: 20_000 }, (_, i) => `${'name-'.repeat(8)}${String(i).padStart(6, '0')}`);
    const many = join(root, 'many');
    await mkdir(many);
    for (let i = 0; i < names.length; i += 500) {
      await Promise.all(names.slice(i, i + 500).map((name) => writeFile(join(many, name), '')));
    }
    const { sandbox } = await connect();
    expect((await sandbox.list(many)).map(({ name }) => name)).toEqual(names);
  }),
);

const sendRaw = (url: string, bytes: Uint8Array, end = false): Promise<string> =>
  new Promise((resolve) => {
    let text = '';
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () =>
      end ? socket.end(bytes) : socket.write(bytes),
    );
    socket.on('data', (chunk) => {
      text += chunk;
      if (text.includes('\r\n\r\n')) socket.destroy();
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(text));
  });

const firstLine = async (url: string, head: string, body = ''): Promise<string> => {
  const text = `${head}\r\nhost: x\r\nauthorization: Bearer ${TOKEN}\r\n\r\n${body}`;
  return (await sendRaw(url, Buffer.from(text))).split('\r\n')[0] ?? '';
};

/** Sends a beginning, then a piece again and again until the other side has had enough; gives what it said. */
const drip = (url: string, beginning: string, piece: string): Promise<string> =>
  new Promise((resolve) => {
    let text = '';
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(beginning));
    const timer = setInterval(() => socket.writable && socket.write(piece), 50);
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      clearInterval(timer);
      resolve(text);
    });
  });
