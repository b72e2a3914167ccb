/** @module-tag sessions */
import { fixedClock, startTestService, type TestService } from '@pacioli/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bridge } from './bridge.ts';
import { bridgeApps, isAllowedReturn } from './bridge-apps.ts';

const password = 'Harbour-Lantern-42';
const clock = fixedClock('2026-03-02T09:00:00Z');
let service: TestService;
let counter = 0;

beforeAll(async () => {
  const apps = ['ledger=https://ledger.example.org/', 'investor=https://investor.example.org/app'];
  const settings = { publicUrl: 'https://books.example.org', bridge: { apps } };
  service = await startTestService({ plugins: [], clock, worker: false, settings });
});
afterAll(() => service.close());

async function register() {
  counter += 1;
  const person = { name: 'Sol', email: `sol${counter}@example.org`, password };
  const answer = await service.anonymous.post('/v1/auth/register', person);
  const client = service.anonymous.withHeaders({ authorization: `Bearer ${answer.body.token}` });
  return { id: answer.body.user.id as string, client };
}

const exchange = (token: string, more: object = {}) =>
  service.anonymous.post('/v1/auth/sso-exchange', { token, target_app: 'ledger', ...more });
const complete = (sessionId: string) => service.anonymous.post('/v1/auth/sso-complete', { session_id: sessionId });

async function issued() {
  const person = await register();
  const answer = await person.client.post('/v1/auth/sso-token');
  expect(answer.status).toBe(200);
  return { ...person, token: answer.body.token as string, answer };
}

describe('a bridge token', () => {
  it('opens a session in another app (platform F-5, F-6, F-7)', async () => {
    const { answer, token, id } = await issued();
    expect(answer.body.apps).toEqual(['ledger', 'investor']);
    expect(Date.parse(answer.body.expires_at) - clock.now().getTime()).toBe(300_000);
    const opened = await exchange(token, { target_app: 'investor', return_url: '/graphs' });
    expect([opened.status, opened.body.redirect_url]).toEqual([
      200,
      'https://investor.example.org/app/auth/sso-complete',
    ]);
    expect(Date.parse(opened.body.expires_at) - clock.now().getTime()).toBe(30_000);
    const done = await complete(opened.body.session_id);
    expect([done.status, done.body.status, done.body.user.id]).toEqual([200, 'authenticated', id]);
    const client = service.anonymous.withHeaders({ authorization: `Bearer ${done.body.token}` });
    expect((await client.get('/v1/auth/me')).body.id).toBe(id);
  });

  it('is exchanged once, even by two concurrent requests (platform F-6)', async () => {
    const { token } = await issued();
    const answers = await Promise.all([exchange(token), exchange(token)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect((await exchange(token)).status).toBe(401);
  });

  it('lasts five minutes, and its handover 30 seconds (platform F-5, F-6)', async () => {
    const [late, slow] = [await issued(), await issued()];
    clock.advance(299_000);
    const opened = await exchange(slow.token);
    expect(opened.status).toBe(200);
    clock.advance(1_000);
    expect((await exchange(late.token)).status).toBe(401);
    clock.advance(29_000);
    const over = await complete(opened.body.session_id);
    expect([over.status, over.body.detail]).toEqual([401, 'Session expired or invalid']);
  });

  it('is refused as a bearer, and a session is refused as a bridge token (platform A-6)', async () => {
    const { token, client } = await issued();
    const asBearer = service.anonymous.withHeaders({ authorization: `Bearer ${token}` });
    expect((await asBearer.get('/v1/auth/me')).status).toBe(401);
    expect((await exchange(client.headers['authorization']?.slice('Bearer '.length) ?? '')).status).toBe(401);
    expect((await exchange('nonsense')).status).toBe(401);
  });

  it('requires a session, not an API key (platform F-5, A-3)', async () => {
    expect((await service.anonymous.post('/v1/auth/sso-token')).status).toBe(401);
    const { client } = await register();
    const key = await client.post('/v1/user/api-keys', { name: 'books' });
    const byKey = await service.anonymous.withHeaders({ 'x-api-key': key.body.key }).post('/v1/auth/sso-token');
    expect(byKey.status).toBe(403);
  });

  it('redirects only to apps and URLs of this deployment (platform F-6)', async () => {
    const { token } = await issued();
    const unknown = await exchange(token, { target_app: 'elsewhere' });
    expect([unknown.status, unknown.body.detail]).toEqual([400, 'Invalid target application']);
    expect((await exchange(token, { return_url: 'https://evil.example.com/' })).status).toBe(400);
    expect((await exchange(token, { return_url: 'https://books.example.org/reports' })).status).toBe(200);
  });
});

describe('a handover', () => {
  it('can be completed once (platform F-7)', async () => {
    const opened = await exchange((await issued()).token);
    const answers = await Promise.all([complete(opened.body.session_id), complete(opened.body.session_id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  it('ends with the sessions of its user, before and after the exchange (platform F-7, A-7)', async () => {
    const [early, late] = [await issued(), await issued()];
    const opened = await exchange(late.token);
    for (const { client } of [early, late]) {
      const change = {
        current_password: password,
        new_password: 'Copper-Meadow-77',
        confirm_password: 'Copper-Meadow-77',
      };
      expect((await client.put('/v1/user/password', change)).status).toBe(200);
    }
    expect((await exchange(early.token)).status).toBe(401);
    expect((await complete(opened.body.session_id)).status).toBe(401);
  });

  it('ends when its user is deactivated (platform F-7, A-4)', async () => {
    const { token, id } = await issued();
    const opened = await exchange(token);
    await service.store.transaction('kernel', (tx) =>
      tx.query(sql`UPDATE kernel_user SET is_active = false WHERE id = ${id}`),
    );
    expect((await complete(opened.body.session_id)).status).toBe(401);
  });

  it('verifies an address only if an identity provider vouches for it (platform F-7)', async () => {
    const { id, token } = await issued();
    await service.store.transaction('kernel', (tx) =>
      tx.query(sql`UPDATE kernel_user SET email_verified = false WHERE id = ${id}`),
    );
    const opened = await exchange(token);
    expect((await complete(opened.body.session_id)).body.user.email_verified).toBe(false);
    const handovers = service.service.services.resolve(bridge);
    const vouched = await service.store.transaction('kernel', (tx) =>
      handovers.openHandover(tx, { userId: id, sessionVersion: 1, verifiesEmail: true }),
    );
    expect((await complete(vouched.session_id)).body.user.email_verified).toBe(true);
  });
});

describe('return URLs of the bridge', () => {
  it('are paths or known origins, in any spelling (platform F-6)', () => {
    const origins = ['https://books.example.org', 'https://ledger.example.org/app'];
    const allowed = ['/', '/a?b=c#d', 'https://ledger.example.org/else', 'https://books.example.org'];
    const refused = [
      '//evil.example.com',
      '/\\evil.example.com',
      '/\t/evil.example.com',
      'https://books.example.org.evil.example.com',
      'https://books.example.org@evil.example.com',
      'http://books.example.org',
      'javascript:alert(1)',
      'graphs',
      '',
    ];
    expect(allowed.filter((text) => !isAllowedReturn(text, origins))).toEqual([]);
    expect(refused.filter((text) => isAllowedReturn(text, origins))).toEqual([]);
  });

  it('fail at startup when an app entry is malformed', () => {
    for (const entry of ['ledger', '=https://a.example.org', 'ledger=ftp://a.example.org', 'ledger=']) {
      expect(() => bridgeApps([entry])).toThrow(`The app "${entry}" of the bridge must look like`);
    }
  });
});
