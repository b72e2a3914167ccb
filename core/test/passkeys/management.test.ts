import { fixedClock, mailbox, startTestService, type TestService } from '@pacioli/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditOf, enroll, login, password, reauthAssertion, register } from './person.ts';

const clock = fixedClock('2026-03-02T09:00:00Z');
const mail = mailbox('operator');
let service: TestService;

beforeAll(async () => {
  service = await startTestService({ plugins: [], clock, mail });
});
afterAll(() => service.close());

const passwordless = async (device: { get(options: unknown): unknown }) => {
  const { body } = await service.anonymous.post('/v1/auth/passkeys/login/options');
  return service.anonymous.post('/v1/auth/passkeys/login/verify', { assertion: device.get(body.options) });
};

describe('signing in with a passkey alone', () => {
  it('requires no user and lists no credentials (platform M-16)', async () => {
    const { status, body } = await service.anonymous.post('/v1/auth/passkeys/login/options');
    expect(status).toBe(200);
    expect(body.options).toMatchObject({ rpId: 'localhost', userVerification: 'required' });
    expect('allowCredentials' in body.options).toBe(false);
  });

  it('opens a session and records the use (platform M-16, M-15)', async () => {
    const person = await register(service);
    const { device } = await enroll(person);
    clock.advance(60_000);
    const { status, body } = await passwordless(device);
    expect([status, body.status, body.user.id]).toEqual([200, 'authenticated', person.id]);
    const [passkey] = (await person.client.get('/v1/auth/passkeys')).body.passkeys;
    expect(passkey.last_used_at).toBe(clock.now().toISOString());
    expect((await auditOf(service, person)).at(-1)?.details).toEqual({ method: 'passkey' });
  });

  it('fails the same way for every reason, including a deactivated account (platform M-16, A-4)', async () => {
    const person = await register(service);
    const { device } = await enroll(person);
    await service.store.transaction('kernel', (tx) =>
      tx.query(sql`UPDATE kernel_user SET is_active = false WHERE id = ${person.id}`),
    );
    const { status, body } = await passwordless(device);
    expect([status, body.detail]).toEqual([401, 'Passkey login failed']);
  });
});

describe('the passkeys of a user', () => {
  it('are listed oldest first, without key material (platform 3.2)', async () => {
    const person = await register(service);
    await enroll(person, undefined, 'Laptop');
    clock.advance(1_000);
    await enroll(person, undefined, 'Phone');
    const { status, body } = await person.client.get('/v1/auth/passkeys');
    expect(status).toBe(200);
    expect(body.passkeys.map(({ name }: { name: string }) => name)).toEqual(['Laptop', 'Phone']);
    expect(Object.keys(body.passkeys[0]).sort()).toEqual([
      'backup_eligible',
      'backup_state',
      'created_at',
      'id',
      'last_used_at',
      'name',
    ]);
    expect((await service.anonymous.get('/v1/auth/passkeys')).status).toBe(401);
  });

  it('are removed with a fresh proof in the DELETE body, the last one with the codes (platform M-17)', async () => {
    const person = await register(service);
    const first = await enroll(person, undefined, 'Laptop');
    const second = await enroll(person);
    const path = `/v1/auth/passkeys/${first.id}`;
    const assertion = await reauthAssertion(person, first.device);
    const gone = await person.client.request('DELETE', path, { assertion });
    expect([gone.status, gone.body.success]).toEqual([200, true]);
    expect((await passwordless(first.device)).status).toBe(401);
    expect((await person.client.get('/v1/auth/mfa/status')).body).toMatchObject({
      passkey_count: 1,
      recovery_codes_remaining: 10,
    });
    expect((await person.client.request('DELETE', `/v1/auth/passkeys/${second.id}`, { password })).status).toBe(200);
    expect((await person.client.get('/v1/auth/mfa/status')).body).toEqual({
      passkey_count: 0,
      recovery_codes_remaining: 0,
      enforcement_applies: false,
    });
    expect((await login(service, person)).body.status).toBe('authenticated');
    const removed = (await auditOf(service, person)).filter(({ event_type }) => event_type === 'passkey_removed');
    expect(removed.map(({ details }) => details['last'])).toEqual([false, true]);
    const notices = await Promise.all([1, 2, 3, 4].map(() => mail.next(person.email)));
    expect(notices.map(({ subject }) => subject).slice(2)).toEqual(
      Array(2).fill('A passkey was removed from your account'),
    );
    expect(notices[2]?.text).toContain('"Laptop"');
    const again = await enroll(person);
    expect(again.codes).toHaveLength(10);
  });

  it('cannot be removed without a proof, by an API key or by another user (platform M-17, M-14, A-3)', async () => {
    const person = await register(service);
    const { id, device } = await enroll(person);
    const path = `/v1/auth/passkeys/${id}`;
    const remove = (body?: unknown, client = person.client) => client.request('DELETE', path, body);
    expect((await remove()).status).toBe(422);
    for (const body of [{}, { password: 'wrong' }, { password, assertion: await reauthAssertion(person, device) }]) {
      const refused = await remove(body);
      expect([refused.status, refused.body.detail]).toEqual([401, 'Re-authentication failed']);
    }
    const key = (await person.client.post('/v1/user/api-keys', { name: 'Script' })).body.key;
    expect((await remove({ password }, service.anonymous.withHeaders({ 'x-api-key': key }))).status).toBe(403);
    const stranger = await register(service);
    const foreign = await remove({ password }, stranger.client);
    expect([foreign.status, foreign.body.detail]).toEqual([404, 'No such passkey']);
    expect((await person.client.get('/v1/auth/passkeys')).body.passkeys).toHaveLength(1);
  });

  it('are required for the options of a proof (platform M-14)', async () => {
    const person = await register(service);
    const answer = await person.client.post('/v1/auth/passkeys/reauth/options');
    expect([answer.status, answer.body.detail]).toEqual([400, 'No passkeys enrolled']);
    expect((await service.anonymous.post('/v1/auth/passkeys/reauth/options')).status).toBe(401);
  });
});

describe('recovery codes', () => {
  it('are replaced after a fresh proof, which invalidates the earlier set at once (platform M-18)', async () => {
    const person = await register(service);
    const { codes, device } = await enroll(person);
    const path = '/v1/auth/mfa/recovery-codes/regenerate';
    expect((await person.client.post(path, { password: 'wrong' })).status).toBe(401);
    const { status, body } = await person.client.post(path, { assertion: await reauthAssertion(person, device) });
    expect(status).toBe(200);
    expect(body.codes).toHaveLength(10);
    const { body: pending } = await login(service, person);
    const use = (recoveryCode: string | undefined) =>
      service.anonymous.post('/v1/auth/mfa/verify', { mfa_token: pending.mfa_token, recovery_code: recoveryCode });
    expect((await use(codes[0])).status).toBe(401);
    expect((await use(body.codes[0])).status).toBe(200);
    const rows = (await auditOf(service, person)).map(({ event_type }) => event_type);
    expect(rows).toContain('mfa_recovery_regenerated');
  });

  it('require a passkey and a session, never an API key (platform A-3, M-18)', async () => {
    const person = await register(service);
    const path = '/v1/auth/mfa/recovery-codes/regenerate';
    const early = await person.client.post(path, { password });
    expect([early.status, early.body.detail]).toEqual([400, 'No passkeys enrolled']);
    await enroll(person);
    const key = (await person.client.post('/v1/user/api-keys', { name: 'Script' })).body.key;
    expect((await service.anonymous.withHeaders({ 'x-api-key': key }).post(path, { password })).status).toBe(403);
  });

  it('of one user do not work for another (platform M-18)', async () => {
    const person = await register(service);
    await enroll(person);
    const stranger = await register(service);
    const { codes } = await enroll(stranger);
    const { body } = await login(service, person);
    const answer = await service.anonymous.post('/v1/auth/mfa/verify', {
      mfa_token: body.mfa_token,
      recovery_code: codes[0],
    });
    expect(answer.status).toBe(401);
  });
});
