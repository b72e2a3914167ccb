/**
 * Drives a browser.
 * @module-tag full-run
 */
import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import { consolePages } from '@pacioli/console';
import { definePlugin, sql } from '@pacioli/core';
import { statusService } from '@pacioli/core/assembly';
import graph from '@pacioli/graph';
import mcp from '@pacioli/mcp';
import { startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAuthenticator, enrollPasskeyOn, password, textsWithLowContrast } from './consent-browser.ts';
import { Desk, statusOfToolsAt } from './desk-client.ts';
import { type SameOriginProxy, startSameOriginProxy } from './same-origin-proxy.ts';

/**
 * Goal: a user connects an AI client on the consent page, by password and by passkey.
 * Method: the official MCP client with dynamic registration and a loopback redirect, and a real browser.
 */
const executablePath = (process.env['PATH'] ?? '')
  .split(delimiter)
  .flatMap((folder) => ['chromium', 'chromium-browser', 'google-chrome'].map((name) => join(folder, name)))
  .find((file) => existsSync(file));
const why = executablePath === undefined ? ' (skipped: Chromium is not installed here)' : '';

/** A domain that graphs can have. */
const quays = definePlugin({ name: 'quays', title: 'Quays', version: '1.0.0', kernel: '^0.1.0', domain: 'quays' });

let proxy: SameOriginProxy;
let service: TestService;
let browser: Browser;
let page: Page;
let complaints: string[];
let callbacks: Server;
let callbackUrl: string;
let arrived: (url: URL) => void;

beforeAll(async () => {
  if (executablePath === undefined) return;
  proxy = await startSameOriginProxy();
  service = await startTestService({
    plugins: [graph, mcp, quays],
    settings: { publicUrl: proxy.origin, webauthn: { rpId: 'localhost', origins: [proxy.origin] } },
    host: {
      pages: consolePages({
        hasExplorer: false,
        hasConsent: true,
        status: () => service.service.services.resolve(statusService).report(),
      }),
    },
  });
  proxy.target = service.url;
  callbacks = createServer((request, response) => {
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>Desk</title>Connected.');
    if (request.url?.startsWith('/callback') === true) arrived(new URL(request.url, callbackUrl));
  });
  await new Promise<void>((resolve) => callbacks.listen(0, '127.0.0.1', resolve));
  callbackUrl = `http://127.0.0.1:${(callbacks.address() as AddressInfo).port}/callback`; // It listens.
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
});
afterAll(async () => {
  await browser?.close();
  callbacks?.closeAllConnections();
  callbacks?.close();
  await service?.close();
  proxy?.close();
});

describe.runIf(process.env['PACIOLI_TEST_REQUIRE_ALL'] === '1')('requirements of PACIOLI_TEST_REQUIRE_ALL', () => {
  it('include an installed Chromium', () => {
    expect(executablePath, 'Install the package chromium.').toEqual(expect.any(String));
  });
});

async function openPage(width: number, colorScheme: 'light' | 'dark' = 'light'): Promise<void> {
  page = await browser.newPage({ viewport: { width, height: 844 }, colorScheme });
  page.setDefaultTimeout(120_000);
  complaints = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
}

/** Lets the client ask for access, opens the consent page, and returns the transport and the redirect to come. */
async function ask(desk: Desk, path = '/v1/mcp') {
  const transport = new StreamableHTTPClientTransport(new URL(`${proxy.origin}${path}`), { authProvider: desk });
  await expect(new Client({ name: 'desk', version: '1' }).connect(transport)).rejects.toBeInstanceOf(UnauthorizedError);
  const redirected = new Promise<URL>((resolve) => {
    arrived = resolve;
  });
  await page.goto(`${desk.authorizationUrl}`);
  return { transport, redirected };
}

async function signInWithPassword(email: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Every visible text has a contrast of at least 4.5 to 1, nothing is wider than the window, nothing was blocked. */
async function expectSound(): Promise<void> {
  expect(await page.evaluate(textsWithLowContrast)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
  expect(complaints).toEqual([]);
}

const statusOfTools = (token: string) => statusOfToolsAt(proxy.origin, token);

const focused = () => page.evaluate('document.activeElement.id || document.activeElement.tagName');

describe.runIf(executablePath !== undefined)(`an app on the consent page${why}`, () => {
  let ann: TestClient;
  beforeAll(async () => {
    ann = await service.newUser('Ann');
    await ann.createGraph('Harbour Books', []);
    await ann.createGraph('Lantern Books', []);
  });

  it('is connected by password, lists tools, renews its tokens, and ends with a replay (O-1 to O-44)', async () => {
    await openPage(1280);
    const desk = new Desk(callbackUrl);
    const { transport, redirected } = await ask(desk);
    await page.getByRole('heading', { name: 'Sign in to continue' }).waitFor();
    await expectSound();
    expect(await page.title()).toBe('Sign in to continue · Pacioli');
    await page.getByLabel('Email').focus();
    const order = [];
    for (let step = 0; step < 4; step += 1) {
      order.push(await focused());
      await page.keyboard.press('Tab');
    }
    expect(order).toEqual(['email', 'password', 'BUTTON', 'passkey']);
    await page.getByLabel('Password').fill('wrong');
    await page.getByLabel('Email').fill('ann-1@example.org');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').filter({ hasText: /\S/ }).waitFor();
    complaints = []; // The browser reports the refused sign-in.
    await signInWithPassword('ann-1@example.org');
    await page.getByRole('heading', { name: 'Desk wants to connect' }).waitFor();
    expect(await focused()).toBe('consent-title');
    const text = await page.locator('main').textContent();
    expect(text).toContain(new URL(callbackUrl).host);
    expect(text).toContain('ann-1@example.org');
    expect(await page.getByRole('list', { name: 'Warnings' }).textContent()).toContain('a program on this computer');
    await page.getByLabel('Graph to connect').selectOption({ label: 'Harbour Books' });
    await expectSound();
    expect(await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])')).toBe(
      '[{},{},""]',
    );
    await page.getByLabel('Graph to connect').focus();
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('allow');
    await page.keyboard.press('Enter');
    const back = await redirected;
    expect([back.searchParams.get('state'), back.searchParams.get('iss')]).toEqual(['state-of-desk', proxy.origin]);
    await transport.finishAuth(back.searchParams);

    const client = new Client({ name: 'desk', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${proxy.origin}/v1/mcp`), { authProvider: desk }));
    expect((await client.listTools()).tools.length).toBeGreaterThan(0);
    await client.close();
    const { access_token, refresh_token } = desk.tokens();
    const rest = await fetch(`${proxy.origin}/v1/graphs`, { headers: { authorization: `Bearer ${access_token}` } });
    expect(rest.status).toBe(401);

    const refresh = async (token: string) =>
      fetch(`${proxy.origin}/v1/oauth/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'refresh_token',
          refresh_token: token,
          client_id: desk.clientInformation().client_id,
        }),
      });
    const renewed = (await (await refresh(refresh_token)).json()) as { readonly access_token: string };
    expect(await statusOfTools(access_token)).toBe(401);
    expect(await statusOfTools(renewed.access_token)).toBe(200);
    expect((await refresh(refresh_token)).status).toBe(400);
    expect(await statusOfTools(renewed.access_token)).toBe(401);
    await page.close();
  });

  it('is connected by passkey on a small screen, and disconnected by its grant (O-24, O-43)', async () => {
    await openPage(390, 'dark');
    const devices = await page.context().newCDPSession(page);
    await addAuthenticator(devices);
    await page.goto(`${proxy.origin}/oauth/consent`);
    await page.getByRole('heading', { name: 'There is nothing to decide' }).waitFor();
    await enrollPasskeyOn(page, ann);
    const desk = new Desk(callbackUrl);
    const { transport, redirected } = await ask(desk);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('heading', { name: 'Desk wants to connect' }).waitFor();
    await expectSound();
    await page.getByLabel('Graph to connect').selectOption({ label: 'Harbour Books' });
    await page.getByRole('button', { name: 'Allow' }).click();
    await transport.finishAuth((await redirected).searchParams);
    const { access_token } = desk.tokens();
    expect(await statusOfTools(access_token)).toBe(200);
    const { grants } = (await ann.get('/v1/user/oauth/grants')).body;
    await ann.request('DELETE', `/v1/user/oauth/grants/${grants[0].id}`);
    expect(await statusOfTools(access_token)).toBe(401);
    await page.close();
  });

  it('with a password and a passkey as the second factor can be refused (O-23, platform M-13)', async () => {
    await openPage(1280);
    const devices = await page.context().newCDPSession(page);
    await addAuthenticator(devices);
    const eve = await service.newUser('Eve');
    await page.goto(`${proxy.origin}/oauth/consent`);
    await enrollPasskeyOn(page, eve);
    const { redirected } = await ask(new Desk(callbackUrl));
    await signInWithPassword('eve-2@example.org');
    await page.getByRole('button', { name: 'Confirm with a passkey' }).click();
    await page.getByRole('heading', { name: 'Desk wants to connect' }).waitFor();
    expect(await page.getByRole('alert').textContent()).toContain('You have no graph');
    expect(await page.getByRole('button', { name: 'Allow' }).isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect((await redirected).searchParams.get('error')).toBe('access_denied');
    await page.close();
  });

  it('with the name of another one is shown with a warning, as text (O-24)', async () => {
    await openPage(1280);
    const made = await service.anonymous.post('/v1/oauth/register', {
      client_name: 'Claude <b>Desktop</b>',
      redirect_uris: ['https://evil.example/callback'],
    });
    const query = new URLSearchParams({
      client_id: made.body.client_id,
      response_type: 'code',
      code_challenge: 'a'.repeat(43),
      code_challenge_method: 'S256',
    });
    await page.goto(`${proxy.origin}/v1/oauth/authorize?${query}`);
    await page.getByLabel('Email').fill('ann-1@example.org');
    await page.getByRole('heading', { name: 'Sign in to continue' }).waitFor();
    const { token } = (
      await service.anonymous.post('/v1/auth/register', { name: 'Kim', email: 'kim@example.org', password })
    ).body;
    await service.anonymous.withHeaders({ authorization: `Bearer ${token}` }).createGraph('Kim Books', []);
    await signInWithPassword('kim@example.org');
    await page.getByRole('heading', { name: 'Claude <b>Desktop</b> wants to connect' }).waitFor();
    const warnings = await page.getByRole('list', { name: 'Warnings' }).textContent();
    expect(warnings).toContain('looks like Claude');
    expect(warnings).toContain('evil.example');
    expect(await page.getByRole('button', { name: 'Allow' }).getAttribute('class')).toBe('secondary');
    await expectSound();
    await page.close();
  });

  // Creates a subgraph, and drives the browser.
  it('that is for one domain is offered the graphs with that domain, without subgraphs (O-24, ai-surface M-52)', async () => {
    await openPage(1280);
    const lea = await service.newUser('Lea');
    const { email } = (await lea.get('/v1/user')).body;
    await lea.createGraph('Without', []);
    const graphId = await lea.createGraph('Quay Books', ['quays']);
    await lea.post(`/v1/graphs/${graphId}/operations/create-subgraph`, { name: 'trial', display_name: 'Trial' });
    const listed = async () => (await lea.get('/v1/graphs')).body.graphs.length;
    await expect.poll(listed, { timeout: 60_000 }).toBe(3);
    await ask(new Desk(callbackUrl), '/v1/mcp/quays');
    await signInWithPassword(email);
    await page.getByRole('heading', { name: 'Desk wants to connect' }).waitFor();
    expect(await page.getByLabel('Graph to connect').locator('option').allTextContents()).toEqual(['Quay Books']);
    await page.close();
  });

  it('that cannot be connected is told why, in whole sentences (O-24, O-44)', async () => {
    await openPage(1280);
    const max = await service.newUser('Max');
    const { id, email } = (await max.get('/v1/user')).body;
    const graphId = await max.createGraph('Pier Books', []);
    await service.store.transaction('kernel', (tx) =>
      tx.query(sql`
        INSERT INTO kernel_oauth_grant (id, user_id, graph_id, client_id, client_name, client_is_trusted, resource,
          scope, created_at)
        SELECT 'oag_' || n, ${id}, ${graphId}, 'client-' || n, 'Assistant', false, 'https://books.example.org/mcp',
          'mcp', now() FROM generate_series(1, 200) AS n`),
    );
    await ask(new Desk(callbackUrl));
    await signInWithPassword(email);
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByRole('heading', { name: 'The app was not connected' }).waitFor();
    expect(await page.locator('#done-text').textContent()).toBe(
      'At most 200 apps can be connected. Disconnect one that is not used. Start again from the app.',
    );
    await page.close();
  });

  it('is shown under a policy that no other page and no script of another page passes (O-24)', async () => {
    const answer = await fetch(`${proxy.origin}/oauth/consent?request_id=x`);
    const policy = answer.headers.get('content-security-policy') ?? '';
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(`script-src 'nonce-${nonce}'`);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    const names = ['referrer-policy', 'cache-control', 'x-frame-options', 'cross-origin-opener-policy'];
    expect(names.map((name) => answer.headers.get(name))).toEqual(['no-referrer', 'no-store', 'DENY', 'same-origin']);
    const text = await answer.text();
    expect(text.match(/<(script|link rel="stylesheet")[^>]*>/g)?.every((tag) => tag.includes(`nonce="${nonce}"`))).toBe(
      true,
    );
    expect((await (await fetch(`${proxy.origin}/oauth/consent`)).text()).includes(nonce), 'a nonce is used once').toBe(
      false,
    );
  });
});
