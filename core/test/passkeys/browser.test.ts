/**
 * Runs in a real browser.
 * @module-tag full-run
 */
import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';
import { startTestService, type TestService } from '@pacioli/testing';
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { password } from './person.ts';

/** An installed browser of this machine: tests download nothing. */
const executablePath = (process.env['PATH'] ?? '')
  .split(delimiter)
  .flatMap((folder) => ['chromium', 'chromium-browser', 'google-chrome'].map((name) => join(folder, name)))
  .find((file) => existsSync(file));

/** A minimal front end: calls the service of its own origin and passes its options to the browser. */
const html = `<!doctype html><title>Passkeys</title><script>
  async function call(path, body, token, method) {
    const headers = { 'content-type': 'application/json' };
    if (token) headers.authorization = 'Bearer ' + token;
    const answer = await fetch(path, { method: method || 'POST', headers, body: JSON.stringify(body || {}) });
    return { status: answer.status, body: await answer.json() };
  }
  async function create(options) {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
    return (await navigator.credentials.create({ publicKey })).toJSON();
  }
  async function get(options) {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
    return (await navigator.credentials.get({ publicKey })).toJSON();
  }
</script>`;

describe.runIf(process.env['PACIOLI_TEST_REQUIRE_ALL'] === '1')('where PACIOLI_TEST_REQUIRE_ALL is 1', () => {
  it('Chromium is installed', () => {
    expect(executablePath, 'Install the package chromium.').toEqual(expect.any(String));
  });
});

const why = executablePath === undefined ? ' (left out: Chromium is not installed here)' : '';

describe.runIf(executablePath !== undefined)(`passkeys in a browser${why}`, () => {
  let server: Server;
  let service: TestService;
  let browser: Browser;
  let page: Page;
  let devices: CDPSession;
  let authenticatorId: string;

  beforeAll(async () => {
    // Passkeys are bound to the origin of the page, so the page and the service share one.
    server = createServer(async (request, response) => {
      if (request.method === 'GET') return response.setHeader('content-type', 'text/html').end(html);
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const { authorization } = request.headers;
      const answer = await fetch(`${service.url}${request.url}`, {
        method: request.method ?? 'POST',
        headers: { 'content-type': 'application/json', ...(authorization === undefined ? {} : { authorization }) },
        body: Buffer.concat(chunks),
      });
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const origin = `http://localhost:${(server.address() as AddressInfo).port}`; // A listening TCP server has one.
    const webauthn = { rpId: 'localhost', origins: [origin] };
    service = await startTestService({ plugins: [], settings: { webauthn, rateLimits: { profile: 'test' } } });
    browser = await chromium.launch({ executablePath: executablePath ?? '', args: ['--no-sandbox'] });
    page = await browser.newPage();
    await page.goto(`${origin}/`);
    devices = await page.context().newCDPSession(page);
    await devices.send('WebAuthn.enable');
    const added = await devices.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    authenticatorId = added.authenticatorId;
  });
  afterAll(async () => {
    await browser?.close();
    server?.closeAllConnections();
    server?.close();
    await service?.close();
  });

  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever the wire carries.
  const run = (name: 'call' | 'create' | 'get', ...given: unknown[]): Promise<any> =>
    page.evaluate(`${name}(${given.map((value) => JSON.stringify(value) ?? 'undefined').join(', ')})`);

  it('enroll, sign in with and without a password, and reauthenticate (platform M-5, M-13, M-14, M-16)', async () => {
    const email = 'lena@example.org';
    const registered = await run('call', '/v1/auth/register', { name: 'Lena', email, password });
    const token = registered.body.token;
    const passkeys = '/v1/auth/passkeys';
    const asked = await run('call', `${passkeys}/register/options`, { password }, token);
    const credential = await run('create', asked.body.options);
    const enrolled = await run('call', `${passkeys}/register/verify`, { credential, name: 'Laptop' }, token);
    expect([enrolled.status, enrolled.body.recovery_codes.length]).toEqual([200, 10]);
    const { credentials } = await devices.send('WebAuthn.getCredentials', { authenticatorId });
    expect(credentials).toMatchObject([{ isResidentCredential: true, rpId: 'localhost' }]);

    const pending = await run('call', '/v1/auth/login', { email, password });
    expect(pending.body).toMatchObject({ status: 'mfa_required', token: null });
    const { mfa_token } = pending.body;
    const second = await run('call', '/v1/auth/mfa/options', { mfa_token });
    const signed = { mfa_token, assertion: await run('get', second.body.options) };
    expect((await run('call', '/v1/auth/mfa/verify', signed)).body.status).toBe('authenticated');

    const open = await run('call', `${passkeys}/login/options`);
    const alone = await run('call', `${passkeys}/login/verify`, { assertion: await run('get', open.body.options) });
    expect(alone.body).toMatchObject({ status: 'authenticated', user: { email } });

    const proof = await run('call', `${passkeys}/reauth/options`, {}, alone.body.token);
    const assertion = await run('get', proof.body.options);
    const path = `${passkeys}/${enrolled.body.passkey.id}`;
    const removed = await run('call', path, { assertion }, alone.body.token, 'DELETE');
    expect([removed.status, removed.body.success]).toEqual([200, true]);
    const gone = await run('call', `${passkeys}/login/options`);
    const late = await run('call', `${passkeys}/login/verify`, { assertion: await run('get', gone.body.options) });
    expect([late.status, late.body.detail]).toEqual([401, 'Passkey login failed']);
  });

  it('cannot be enrolled twice on one device, or without user verification (platform M-11)', async () => {
    const account = { name: 'Mira', email: 'mira@example.org', password };
    const { token } = (await run('call', '/v1/auth/register', account)).body;
    const path = '/v1/auth/passkeys/register';
    const first = await run('call', `${path}/options`, { password }, token);
    const credential = await run('create', first.body.options);
    expect((await run('call', `${path}/verify`, { credential }, token)).status).toBe(200);
    const second = await run('call', `${path}/options`, { password }, token);
    await expect(run('create', second.body.options)).rejects.toThrow('InvalidStateError');
    await devices.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
    const open = await run('call', '/v1/auth/passkeys/login/options');
    await expect(run('get', open.body.options)).rejects.toThrow('NotAllowedError');
  });
});
