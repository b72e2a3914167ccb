/**
 * Goal: a service works below a path, beside another one. Method: two services with stores of their own share a server;
 * every link that they return is followed as it stands.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import billing from '@pacioli/billing';
import { consolePages, explorerPage } from '@pacioli/console';
import { statusService } from '@pacioli/core/assembly';
import { createKoaApp, createLimitedServer } from '@pacioli/host-koa';
import { startTestService, TestClient, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plugins } from '../src/plugins.ts';

let left: TestService;
let right: TestService;
let server: Server;
let origin: string;

const resourceConfig = {
  metadata: { graph_name: 'Mill', schema_extensions: ['ledger'] },
  initial_entity: { name: 'Mill', uri: 'https://example.org/mill' },
};

async function start(prefix: string, isPaid: boolean): Promise<TestService> {
  const started: TestService = await startTestService({
    plugins: plugins.map((plugin) => (plugin.name === 'billing' ? billing.with({ enabled: isPaid }) : plugin)),
    explorer: explorerPage(),
    settings: { prefix, publicUrl: 'https://books.example.org', rateLimits: { profile: 'standard' } },
    host: {
      pages: consolePages({
        hasExplorer: true,
        status: () => started.service.services.resolve(statusService).report(),
      }),
    },
  });
  return started;
}

beforeAll(async () => {
  left = await start('/books', true);
  right = await start('/tenants/right', false);
  const books = createKoaApp(left.service).callback();
  const others = createKoaApp(right.service).callback();
  server = createLimitedServer((request, response) =>
    request.url?.startsWith('/books/') ? books(request, response) : others(request, response),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // A listening TCP server has one.
});
afterAll(async () => {
  server?.closeAllConnections();
  server?.close();
  await left?.close();
  await right?.close();
});

/** A new owner with an API key; the host's own headers keep registering from using up a limit. */
async function newOwner({ service }: TestService, name: string): Promise<TestClient> {
  const client = new TestClient(`${origin}${service.prefix}`, service.hostHeaders);
  const person = { name, email: `${name}@example.org`, password: 'Harbour-Lantern-42' };
  const { token } = (await client.post('/v1/auth/register', person)).body;
  return new TestClient(client.url, { authorization: `Bearer ${token}` });
}

describe('prefix', () => {
  it('is the server of the OpenAPI document, whose paths stay those of the contract (platform E-27)', async () => {
    const { body } = await new TestClient(`${origin}/books`, {}).get('/openapi.json');
    expect(body.servers).toEqual([{ url: '/books' }]);
    expect(body.paths).toHaveProperty(['/v1/status']);
    const address = new URL(`${body.servers[0].url}/v1/status`, `${origin}/books/openapi.json`);
    expect((await fetch(address)).status).toBe(200);
  });

  it('starts every path, also those of tokens, and no other path is answered (platform E-14, E-27)', async () => {
    const login = await new TestClient(left.url, {}).post('/v1/auth/login');
    expect([login.status, login.headers.get('cache-control')]).toEqual([422, 'no-store']);
    for (const path of ['/v1/status', '/booksv1/status', '/books', '/books/books/v1/status'])
      expect([path, (await fetch(`${origin}${path}`)).status]).toEqual([path, 404]);
  });

  it('is found where the application removes it from the URL, as Express does (platform E-27)', async () => {
    const listener = createKoaApp(left.service).callback();
    const mounting = createServer((request, response) => {
      const { url = '' } = request;
      listener(Object.assign(request, { originalUrl: url, url: url.slice('/books'.length) }), response);
    });
    mounting.listen(0, '127.0.0.1');
    await once(mounting, 'listening');
    const { port } = mounting.address() as AddressInfo; // A listening TCP server has one.
    const client = new TestClient(`http://127.0.0.1:${port}/books`, {});
    expect((await client.get('/v1/status')).status).toBe(200);
    mounting.close().closeAllConnections();
  });

  it('is in the links of a run, which work as they stand (platform E-27)', async () => {
    const owner = await newOwner(right, 'dan');
    const { body: accepted } = await owner.post('/v1/graphs', resourceConfig);
    const { body: run } = await owner.get(`/v1/operations/${accepted.operationId}/status`);
    const atOrigin = new TestClient(origin, owner.headers);
    let last: string | undefined;
    for await (const { event } of atOrigin.stream(run._links.stream)) last = event;
    expect(last).toBe('stream_end');
    const { body: ended } = await atOrigin.get(run._links.status);
    expect([ended.operation_id, ended.status]).toEqual([accepted.operationId, 'completed']);
  });

  it('is in the addresses of a checkout, whose page pays (platform E-27)', async () => {
    const owner = await newOwner(left, 'ann');
    const order = { plan_name: 'ladybug-standard', resource_type: 'graph', resource_config: resourceConfig };
    const { body: checkout } = await owner.post('/v1/billing/checkout', order);
    const path = `/books/_billing/checkout/${checkout.session_id}`;
    expect(checkout.checkout_url).toBe(`https://books.example.org${path}`);
    // A form without an action is sent to the address of its page.
    expect(await (await fetch(`${origin}${path}`)).text()).toContain('<form method="post">');
    const form = { method: 'POST', body: new URLSearchParams({ card: 'ok' }), redirect: 'manual' } as const;
    const paid = await fetch(`${origin}${path}`, form);
    expect([paid.status, paid.headers.get('location')]).toEqual([
      303,
      'https://books.example.org/books/_billing/return?outcome=success',
    ]);
    const { id } = (await owner.get('/v1/orgs')).body.orgs[0];
    const { body: portal } = await owner.post(`/v1/billing/customer/${id}/portal`);
    expect(portal.portal_url).toContain('https://books.example.org/books/_billing/portal/');
  });

  it('is in front of the pages, whose own links are relative (platform E-27)', async () => {
    const client = new TestClient(left.url, {});
    const front = await fetch(`${left.url}/`, { headers: { accept: 'text/html' } });
    const links = [...(await front.text()).matchAll(/(?:href|src)="([^"]+)"/g)].map(([, link = '']) => link);
    expect(links.length).toBeGreaterThan(4);
    for (const link of links) expect([link, (await fetch(new URL(link, `${left.url}/`))).status]).toEqual([link, 200]);
    expect((await client.get('/extensions/kg0123456789abcdef/graphql')).body).toContain('data-root="../.."');
  });
});

describe('two services on one server', () => {
  it('share no users, no rate limits and no metrics (platform E-29)', async () => {
    const [ofLeft, ofRight] = [await newOwner(left, 'ben'), await newOwner(right, 'cleo')];
    expect((await ofLeft.get('/v1/orgs')).status).toBe(200);
    expect((await new TestClient(ofRight.url, ofLeft.headers).get('/v1/orgs')).status).toBe(401);

    const attempt = (caller: TestClient) => new TestClient(caller.url, {}).post('/v1/auth/register', {});
    const statuses = [];
    for (let call = 0; call < 4; call += 1) statuses.push((await attempt(ofLeft)).status);
    expect(statuses).toEqual([422, 422, 422, 429]);
    expect((await attempt(ofRight)).status).toBe(422);

    const registered = async (caller: TestClient) =>
      /pacioli_rate_limited_total\{[^}]*\} (\d+)/.exec((await caller.get('/metrics')).body)?.[1];
    expect([await registered(ofLeft), await registered(ofRight)]).toEqual(['1', undefined]);
  });
});
