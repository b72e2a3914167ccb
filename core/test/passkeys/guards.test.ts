/** @module-tag sessions */
import { cuttableStore, fixedClock, startTestService, type TestService } from '@pacioli/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { enroll, login, password, register, secondFactorOf } from './person.ts';

const clock = fixedClock('2026-03-02T09:00:00Z');

describe('guessing the second factor', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({
      plugins: [],
      clock,
      settings: { rateLimits: { enabled: false, profile: 'standard' } },
    });
  });
  afterAll(() => service.close());

  it('is delayed, even across logins, and counts for the address (platform A-20, M-5)', async () => {
    const person = await register(service);
    const { codes } = await enroll(person);
    const { body } = await login(service, person);
    const guess = () =>
      service.anonymous.post('/v1/auth/mfa/verify', { mfa_token: body.mfa_token, recovery_code: 'AAAAA-AAAAA' });
    expect((await guess()).status).toBe(401);
    const second = await guess();
    expect([second.status, second.headers.get('retry-after')]).toEqual([429, '1']);
    clock.advance(1_000);
    expect((await guess()).status).toBe(401);
    expect((await login(service, person)).status).toBe(429);
    clock.advance(2_000);
    // The right password does not reset the count: the third failure is still the third.
    const again = await login(service, person);
    expect(again.body.status).toBe('mfa_required');
    expect((await guess()).status).toBe(401);
    const refused = await guess();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
    clock.advance(5_000);
    const use = { mfa_token: again.body.mfa_token, recovery_code: codes[0] };
    expect((await service.anonymous.post('/v1/auth/mfa/verify', use)).status).toBe(200);
  });

  it('is delayed for passwordless sign-in and for reauthentication (platform A-20, M-14, M-16)', async () => {
    clock.advance(25 * 3_600_000);
    const person = await register(service);
    const { device } = await enroll(person);
    const signIn = async () => {
      const { body } = await service.anonymous.post('/v1/auth/passkeys/login/options');
      const assertion = device.get(body.options, { isTampered: true });
      return service.anonymous.post('/v1/auth/passkeys/login/verify', { assertion });
    };
    expect((await signIn()).status).toBe(401);
    expect((await signIn()).status).toBe(429);
    clock.advance(1_000);
    const fresh = (await service.anonymous.post('/v1/auth/login', { email: person.email, password })).body;
    const proof = await secondFactorOf(service, fresh.mfa_token, device);
    const { body } = await service.anonymous.post('/v1/auth/mfa/verify', proof);
    const client = service.anonymous.withHeaders({ authorization: `Bearer ${body.token}` });
    const regenerate = () => client.post('/v1/auth/mfa/recovery-codes/regenerate', { password: 'wrong' });
    expect((await regenerate()).status).toBe(401);
    expect((await regenerate()).status).toBe(429);
  });
});

describe('an unreachable store', () => {
  it('makes every mfa token count as spent until it recovers (platform M-3)', async () => {
    const owner = await startTestService({ plugins: [], clock, worker: false });
    const store = cuttableStore(owner.store);
    const service = await startTestService({ plugins: [], clock, worker: false, store });
    const person = await register(service);
    const { codes } = await enroll(person);
    const { mfa_token } = (await login(service, person)).body;
    const use = () => service.anonymous.post('/v1/auth/mfa/verify', { mfa_token, recovery_code: codes[0] });
    store.isOut = true;
    const away = await use();
    expect([away.status, away.body.detail]).toEqual([401, 'Invalid or expired MFA token']);
    store.isOut = false;
    expect((await use()).status).toBe(200);
    await service.close();
    await owner.close();
  });
});

describe('a deployment without passkeys', () => {
  let service: TestService;
  beforeAll(async () => {
    const settings = { auth: { passkeys: false, mfaEnforcement: true }, rateLimits: { profile: 'test' } } as const;
    service = await startTestService({ plugins: [], clock, settings });
  });
  afterAll(() => service.close());

  it('refuses the passkey routes and does not document them (platform section 3)', async () => {
    const person = await register(service);
    const routes = [
      ['POST', '/v1/auth/mfa/options'],
      ['POST', '/v1/auth/mfa/verify'],
      ['GET', '/v1/auth/mfa/status'],
      ['POST', '/v1/auth/mfa/recovery-codes/regenerate'],
      ['GET', '/v1/auth/passkeys'],
      ['DELETE', '/v1/auth/passkeys/pk_1'],
      ['POST', '/v1/auth/passkeys/register/options'],
      ['POST', '/v1/auth/passkeys/register/verify'],
      ['POST', '/v1/auth/passkeys/login/options'],
      ['POST', '/v1/auth/passkeys/login/verify'],
      ['POST', '/v1/auth/passkeys/reauth/options'],
    ] as const;
    for (const [method, path] of routes) {
      const answer = await person.client.request(method, path, method === 'GET' ? undefined : {});
      expect([path, answer.status, answer.body.code]).toEqual([path, 404, 'NOT_FOUND']);
    }
    expect((await service.anonymous.get('/v1/auth/providers')).body.passkeys).toBe(false);
    expect(Object.keys(service.service.openapi['paths'] as object).join(' ')).not.toMatch(/passkeys|mfa/);
  });

  it('never requires a second factor (platform M-2)', async () => {
    const person = await register(service);
    await service.store.transaction('kernel', (tx) =>
      tx.query(sql`INSERT INTO kernel_passkey (id, user_id, credential_id, public_key, sign_count, transports, aaguid,
          backup_eligible, backup_state, name, created_at)
        VALUES ('pk_1', ${person.id}, 'known', 'key', 0, '[]', '0', false, false, 'Passkey', ${clock.now()})`),
    );
    expect((await login(service, person)).body.status).toBe('authenticated');
  });
});

describe('a deployment with passkeys', () => {
  it('announces them publicly (platform section 3)', async () => {
    const service = await startTestService({ plugins: [], clock });
    expect((await service.anonymous.get('/v1/auth/providers')).body.passkeys).toBe(true);
    await service.close();
  });
});
