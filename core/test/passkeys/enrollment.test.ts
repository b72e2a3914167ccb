/** @module-tag sessions */
import {
  type Algorithm,
  fixedClock,
  mailbox,
  SoftwareAuthenticator,
  startTestService,
  type TestService,
} from '@pacioli/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditOf, enroll, login, password, place, reauthAssertion, register } from './person.ts';

const clock = fixedClock('2026-03-02T09:00:00Z');
const mail = mailbox('operator');
let service: TestService;

beforeAll(async () => {
  service = await startTestService({ plugins: [], clock, mail });
});
afterAll(() => service.close());

const device = (algorithm: Algorithm = 'ES256') => new SoftwareAuthenticator({ ...place, algorithm });

describe('enrolling a passkey', () => {
  it('requests a discoverable, verified credential without attestation (platform M-11)', async () => {
    const person = await register(service);
    await enroll(person);
    const { status, body } = await person.client.post('/v1/auth/passkeys/register/options', { password });
    expect(status).toBe(200);
    const { options } = body;
    expect(options).toMatchObject({
      rp: { id: 'localhost', name: 'Pacioli' },
      attestation: 'none',
      timeout: 300_000,
      authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
      excludeCredentials: [{ type: 'public-key' }],
    });
    expect(options.pubKeyCredParams.map(({ alg }: { alg: number }) => alg)).toEqual([-7, -8, -257]);
    expect(Buffer.from(options.user.id, 'base64url').toString()).toBe(person.id);
    expect(Buffer.from(options.challenge, 'base64url')).toHaveLength(32);
  });

  it.each(['ES256', 'EdDSA', 'RS256'] as const)(
    'accepts %s keys and signs in with them (platform M-11)',
    async (kind) => {
      const person = await register(service);
      const enrolled = await enroll(person, device(kind));
      expect(enrolled.answer.status).toBe(200);
      const options = await service.anonymous.post('/v1/auth/passkeys/login/options');
      const assertion = enrolled.device.get(options.body.options);
      expect((await service.anonymous.post('/v1/auth/passkeys/login/verify', { assertion })).status).toBe(200);
    },
  );

  it('returns codes only with the first passkey, and notifies the owner each time (platform M-13, M-18)', async () => {
    const person = await register(service);
    const first = await enroll(person, device(), '  Laptop\u0007 ');
    expect(first.answer.body.auth).toBe(null);
    expect(first.answer.body.passkey).toMatchObject({
      name: 'Laptop',
      created_at: clock.now().toISOString(),
      backup_eligible: true,
      backup_state: true,
      last_used_at: null,
    });
    expect(new Set(first.codes).size).toBe(10);
    for (const code of first.codes) expect(code).toMatch(/^[A-Z2-7]{5}-[A-Z2-7]{5}$/);
    const second = await enroll(person, device());
    expect(second.answer.body.recovery_codes).toBe(null);
    expect(second.answer.body.passkey.name).toBe('Passkey');
    const third = await enroll(person, device(), 'x'.repeat(300));
    expect(third.answer.body.passkey.name).toBe('x'.repeat(100));
    const notices = [await mail.next(person.email), await mail.next(person.email), await mail.next(person.email)];
    expect(notices.map(({ subject }) => subject)).toEqual(Array(3).fill('A passkey was added to your account'));
    const rows = (await auditOf(service, person)).filter(({ event_type }) => event_type === 'passkey_enrolled');
    expect(rows.map(({ details }) => details['lane'])).toEqual(['settings', 'settings', 'settings']);
  });

  it('stores digests of the codes and never a code (platform M-18)', async () => {
    const person = await register(service);
    const { codes } = await enroll(person);
    const rows = await service.store.transaction('kernel', (tx) =>
      tx.query(sql`SELECT * FROM kernel_recovery_code WHERE user_id = ${person.id}`),
    );
    const text = JSON.stringify(rows);
    expect(rows).toHaveLength(10);
    for (const code of codes) expect(text.includes(code) || text.includes(code.replace('-', ''))).toBe(false);
  });

  it('requires a session and a fresh proof (platform M-12, M-14, A-3)', async () => {
    const person = await register(service);
    const path = '/v1/auth/passkeys/register/options';
    expect((await service.anonymous.post(path, { password })).status).toBe(401);
    const key = (await person.client.post('/v1/user/api-keys', { name: 'Script' })).body.key;
    const withKey = await service.anonymous.withHeaders({ 'x-api-key': key }).post(path, { password });
    expect([withKey.status, withKey.body.detail]).toEqual([403, 'A signed-in session is required']);
    for (const proof of [{}, { password: 'wrong' }, { password, assertion: { id: 'x' } }, { assertion: {} }]) {
      const refused = await person.client.post(path, proof);
      expect([refused.status, refused.body.detail]).toEqual([401, 'Re-authentication failed']);
    }
  });

  it('accepts a passkey as proof, for one change (platform M-14)', async () => {
    const person = await register(service);
    const known = await enroll(person);
    const assertion = await reauthAssertion(person, known.device);
    const path = '/v1/auth/passkeys/register/options';
    expect((await person.client.post(path, { assertion })).status).toBe(200);
    expect((await person.client.post(path, { assertion })).status).toBe(401);
    const stranger = await register(service);
    const foreign = await enroll(stranger);
    const theirs = await reauthAssertion(stranger, foreign.device);
    expect((await person.client.post(path, { assertion: theirs })).status).toBe(401);
  });

  it('lets the passkey prove a change of the address (platform A-28, M-14)', async () => {
    const person = await register(service);
    const known = await enroll(person);
    const email = `new-${person.email}`;
    const wrong = await person.client.put('/v1/user', { email, reauth_assertion: { id: known.device.credentialId } });
    expect(wrong.status).toBe(401);
    const assertion = await reauthAssertion(person, known.device);
    expect((await person.client.put('/v1/user', { email, reauth_assertion: assertion })).status).toBe(200);
  });

  it('is refused with the reason (platform M-13)', async () => {
    const person = await register(service);
    const path = '/v1/auth/passkeys/register/verify';
    const failed = async (credential: unknown, reason: string) => {
      const { status, body } = await person.client.post(path, { credential });
      expect([status, body.detail]).toEqual([400, `Passkey registration failed: ${reason}`]);
    };
    const options = async () =>
      (await person.client.post('/v1/auth/passkeys/register/options', { password })).body.options;
    await failed({}, 'challenge_invalid');
    const known = device();
    const asked = await options();
    const credential = known.create(asked);
    expect((await person.client.post(path, { credential })).status).toBe(200);
    await failed(credential, 'challenge_invalid');
    await failed(known.create(await options()), 'duplicate_credential');
    for (const deviation of [
      { isVerified: false },
      { origin: 'https://elsewhere.example' },
      { rpId: 'elsewhere.example' },
      { type: 'webauthn.get' },
      { attestation: { fmt: 'packed', statement: new Map([['x5c', [Buffer.from('certificate')]]]) } },
      { attestation: { fmt: 'apple', statement: new Map([['x5c', [Buffer.from('certificate')]]]) } },
      { attestation: { fmt: 'none', statement: new Map([['sig', 'x']]) } },
    ]) {
      await failed(device().create(await options(), deviation), 'verification_failed');
    }
  });

  it('rejects a challenge of a flow that requires no proof (platform M-10, M-12)', async () => {
    const person = await register(service);
    await enroll(person);
    const asked = (await person.client.post('/v1/auth/passkeys/register/options', { password })).body.options;
    for (const path of ['/v1/auth/passkeys/login/options', '/v1/auth/passkeys/reauth/options']) {
      const { challenge } = (await person.client.post(path)).body.options;
      const credential = device().create({ ...asked, challenge });
      const { status, body } = await person.client.post('/v1/auth/passkeys/register/verify', { credential });
      expect([status, body.detail]).toEqual([400, 'Passkey registration failed: challenge_invalid']);
    }
  });

  it('rejects a duplicate credential of any user (platform M-13)', async () => {
    const first = await register(service);
    const known = await enroll(first);
    const second = await register(service);
    const copy = await enroll(second, known.device);
    expect([copy.answer.status, copy.answer.body.detail]).toEqual([
      400,
      'Passkey registration failed: duplicate_credential',
    ]);
    expect((await login(service, second)).body.status).toBe('authenticated');
  });

  it('accepts a challenge only from the user who requested it (platform M-10)', async () => {
    const person = await register(service);
    const other = await register(service);
    const { body } = await person.client.post('/v1/auth/passkeys/register/options', { password });
    const credential = device().create(body.options);
    const crossed = await other.client.post('/v1/auth/passkeys/register/verify', { credential });
    expect([crossed.status, crossed.body.detail]).toEqual([400, 'Passkey registration failed: challenge_invalid']);
  });

  it('is limited to twenty passkeys, even for concurrent requests (platform M-13)', async () => {
    const person = await register(service);
    for (let count = 0; count < 19; count += 1) await enroll(person);
    const path = '/v1/auth/passkeys/register';
    const credentials: unknown[] = [];
    for (let turn = 0; turn < 2; turn += 1) {
      const { body } = await person.client.post(`${path}/options`, { password });
      credentials.push(device().create(body.options));
    }
    const answers = await Promise.all(
      credentials.map((credential) => person.client.post(`${path}/verify`, { credential })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const more = await person.client.post(`${path}/options`, { password });
    expect([more.status, more.body.detail]).toEqual([409, expect.stringContaining('Remove one first')]);
    expect((await person.client.get('/v1/auth/passkeys')).body.passkeys).toHaveLength(20);
  });
});
