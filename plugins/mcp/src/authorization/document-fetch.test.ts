import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { DocumentFetch, isDocumentId, type Network } from './document-fetch.ts';
import { isPublicAddress } from './public-addresses.ts';

/**
 * Goal: the fetch of a client metadata document reaches public hosts only, and is bounded.
 * Method: the resolver and the dialer are injected; the dialer records the address and connects to a local HTTPS server.
 */
const host = 'client.example.org';
const fixture = (name: string) => readFileSync(new URL(`../../test/fixtures/tls/${name}`, import.meta.url));
const certificate = fixture('server.pem');
const publicAddress = '93.184.215.14';

let server: Server;
let port: number;
const requests: string[] = [];
const answers: Record<string, () => { status?: number; headers?: Record<string, string>; body?: string }> = {
  '/client.json': () => ({ body: JSON.stringify({ client_id: `https://${host}/client.json` }) }),
  '/hour.json': () => ({ headers: { 'cache-control': 'max-age=7200' }, body: '{}' }),
  '/moment.json': () => ({ headers: { 'cache-control': 'max-age=1' }, body: '{}' }),
  '/forever.json': () => ({ headers: { 'cache-control': 'public, max-age=999999999' }, body: '{}' }),
  '/not-stored.json': () => ({ headers: { 'cache-control': 'no-store' }, body: '{}' }),
  '/moved.json': () => ({ status: 302, headers: { location: 'https://169.254.169.254/latest' } }),
  '/missing.json': () => ({ status: 404, body: '{}' }),
  '/page.json': () => ({ headers: { 'content-type': 'text/html' }, body: '{}' }),
  '/broken.json': () => ({ body: '{' }),
  '/longest.json': () => ({ body: `"${'a'.repeat(64 * 1024 - 2)}"` }),
  '/too-long.json': () => ({ body: `"${'a'.repeat(64 * 1024 - 1)}"` }),
};

beforeAll(async () => {
  server = createServer({ cert: certificate, key: fixture('server-key.pem') }, (request, response) => {
    requests.push(`${request.headers.host}${request.url}`);
    const answer = answers[request.url ?? '']?.();
    if (answer === undefined) return; // Never answers.
    response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers });
    response.end(answer.body ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port; // A listening TCP server has one.
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** A network with these addresses for every name, whose connections all end at the local server. */
function network(...resolutions: readonly (readonly string[])[]): Network & { readonly dialed: string[] } {
  const dialed: string[] = [];
  let calls = 0;
  return {
    dialed,
    resolve: async () => resolutions[Math.min(calls++, resolutions.length - 1)] ?? [],
    connect: (to) => {
      dialed.push(`${to.address}:${to.port}`);
      return connect({ host: '127.0.0.1', port, servername: to.host, ca: certificate });
    },
  };
}
const fetchWith = (net: Network, path: string) => new DocumentFetch(net).fetch(`https://${host}${path}`);

describe('isPublicAddress', () => {
  it.each([
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '100.64.0.1',
    '100.127.255.255',
    '127.0.0.1',
    '127.255.255.255',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.1',
    '192.0.2.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:8.8.8.8',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::1',
    '100::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'fc00::1',
    'fd12:3456::1',
    'ff02::1',
    '2001::1',
    '2001:20::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '3fff::1',
    '5f00::1',
    'localhost',
    '127.1',
    '0x7f000001',
    '2130706433',
    '',
  ])('refuses %j (PX-9)', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each([
    '8.8.8.8',
    '93.184.215.14',
    '100.63.255.255',
    '172.15.0.1',
    '172.32.0.1',
    '2606:4700::1111',
    '2a00:1450::1',
  ])('accepts %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });
});

describe('isDocumentId', () => {
  it.each([
    'http://client.example.org/client.json',
    'https://client.example.org',
    'https://client.example.org/',
    'https://user@client.example.org/client.json',
    'https://client.example.org/client.json?x=1',
    'https://client.example.org/client.json#x',
    'https://client.example.org/a/../client.json',
    'https://CLIENT.example.org/client.json',
    'https://client.example.org:443/client.json',
    'https://client.example.org\\@127.0.0.1/x',
    `https://client.example.org/${'a'.repeat(512)}`,
    'mcpc_01J',
  ])('refuses %s (O-11)', (clientId) => {
    expect(isDocumentId(clientId)).toBe(false);
  });

  it('accepts an address of 512 characters (O-11)', () => {
    expect(isDocumentId(`https://client.example.org/${'a'.repeat(512 - 27)}`)).toBe(true);
  });
});

describe('DocumentFetch', () => {
  it('connects to the resolved address, and names the host to the server (O-11)', async () => {
    const net = network([publicAddress, '2606:4700::1111']);
    const { value, maxAgeSeconds } = await fetchWith(net, '/client.json');
    expect(value).toEqual({ client_id: `https://${host}/client.json` });
    expect([net.dialed, requests.at(-1), maxAgeSeconds]).toEqual([
      [`${publicAddress}:443`],
      `${host}/client.json`,
      3_600,
    ]);
  });

  it('resolves once, so a name that changes its address later has no effect (O-11)', async () => {
    const net = network([publicAddress], ['127.0.0.1']);
    await fetchWith(net, '/client.json');
    expect(net.dialed).toEqual([`${publicAddress}:443`]);
  });

  it.each([[['10.0.0.1']], [[publicAddress, '169.254.169.254']], [[publicAddress, '::ffff:127.0.0.1']], [[]]])(
    'does not connect when a name resolves to %j (O-11)',
    async (addresses) => {
      const net = network(addresses);
      await expect(fetchWith(net, '/client.json')).rejects.toMatchObject({ code: 'invalid_client' });
      expect(net.dialed).toEqual([]);
    },
  );

  it.each([
    'https://127.0.0.1/c',
    'https://[::1]/c',
    'https://[2606:4700::1111]/c',
    'https://8.8.8.8/c',
    'https://localhost/c',
  ])('does not connect to %s, whose host is no public name (O-11)', async (clientId) => {
    const net = network([publicAddress]);
    await expect(new DocumentFetch(net).fetch(clientId)).rejects.toMatchObject({ code: 'invalid_client' });
    expect(net.dialed).toEqual([]);
  });

  it.each(['/moved.json', '/missing.json', '/page.json', '/broken.json', '/too-long.json'])(
    'refuses the response of %s, and follows nothing (O-11)',
    async (path) => {
      const net = network([publicAddress]);
      await expect(fetchWith(net, path)).rejects.toMatchObject({ code: 'invalid_client' });
      expect(net.dialed).toHaveLength(1);
    },
  );

  it('accepts 64 KiB (O-11)', async () => {
    expect((await fetchWith(network([publicAddress]), '/longest.json')).value).toHaveLength(64 * 1024 - 2);
  });

  it('keeps a document for its max-age, but at least a minute and at most a day (O-11)', async () => {
    const ages = ['/hour.json', '/moment.json', '/forever.json', '/not-stored.json'].map(
      async (path) => (await fetchWith(network([publicAddress]), path)).maxAgeSeconds,
    );
    expect(await Promise.all(ages)).toEqual([7_200, 60, 86_400, 60]);
  });

  it('requires a certificate of the host (O-11)', async () => {
    const net = network([publicAddress]);
    const other = new DocumentFetch(net).fetch('https://other.example.org/client.json');
    await expect(other).rejects.toMatchObject({ code: 'invalid_client' });
  });

  it('ends after 5 seconds, also while the name is resolved (O-11)', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const silent: Network = { ...network([publicAddress]), resolve: () => new Promise(() => undefined) };
      const asked = expect(fetchWith(silent, '/client.json')).rejects.toMatchObject({ code: 'invalid_client' });
      await vi.advanceTimersByTimeAsync(5_000);
      await asked;
    } finally {
      vi.useRealTimers();
    }
  });

  it('fetches at most ten documents at once (PX-9)', async () => {
    const waiting: (() => void)[] = [];
    const slow: Network = {
      ...network([publicAddress]),
      resolve: () => new Promise((_resolve, reject) => waiting.push(() => reject(new Error('No address.')))),
    };
    const documents = new DocumentFetch(slow);
    const running = Array.from({ length: 10 }, () =>
      documents.fetch(`https://${host}/client.json`).catch(() => 'ended'),
    );
    await expect(documents.fetch(`https://${host}/client.json`)).rejects.toMatchObject({ code: 'invalid_client' });
    expect(waiting).toHaveLength(10);
    for (const end of waiting) end();
    expect(await Promise.all(running)).toEqual(Array(10).fill('ended'));
  });
});
