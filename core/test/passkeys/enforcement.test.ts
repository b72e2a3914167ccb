import {
  fixedClock,
  linkToken,
  mailbox,
  SoftwareAuthenticator,
  startTestService,
  type TestService,
} from '@pacioli/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditOf, enroll, login, type Person, password, place, register, secondFactorOf } from './person.ts';

const clock = fixedClock('2026-03-02T09:00:00Z');
const mail = mailbox();
let service: TestService;

beforeAll(async () => {
  service = await startTestService({
    plugins: [],
    clock,
    mail,
    settings: { auth: { mfaEnforcement: true }, rateLimits: { profile: 'test' } },
  });
});
afterAll(() => service.close());

const options = (body: object) => service.anonymous.post('/v1/auth/passkeys/register/options', body);
const verify = (body: object) => service.anonymous.post('/v1/auth/passkeys/register/verify', body);
const device = () => new SoftwareAuthenticator(place);

async function setRole({ id }: Person, role: string) {
  await service.store.transaction('kernel', (tx) =>
    tx.query(sql`UPDATE kernel_org_user SET role = ${role} WHERE user_id = ${id}`),
  );
}

/** The login of an owner that waits for an enrollment. */
async function pendingOwner() {
  const person = await register(service);
  const { body } = await login(service, person);
  return { person, token: body.mfa_token as string, body };
}

describe('with MFA enforced for owners and admins', () => {
  it('a login without a passkey requires an enrollment, which completes the login (platform M-2, M-12)', async () => {
    const { person, token, body } = await pendingOwner();
    expect(body).toMatchObject({ status: 'mfa_enrollment_required', token: null });
    const code = await service.anonymous.post('/v1/auth/mfa/verify', {
      mfa_token: token,
      recovery_code: 'AAAAA-BBBBB',
    });
    expect([code.status, code.body.detail]).toEqual([401, 'Invalid or expired MFA token']);
    const asked = await options({ mfa_token: token });
    const credential = device().create(asked.body.options);
    const done = await verify({ mfa_token: token, credential, name: 'Laptop' });
    expect(done.status).toBe(200);
    expect(done.body.recovery_codes).toHaveLength(10);
    expect(done.body.auth).toMatchObject({ status: 'authenticated', mfa_token: null, expires_in: 1800 });
    const client = service.anonymous.withHeaders({ authorization: `Bearer ${done.body.auth.token}` });
    const path = `/v1/auth/passkeys/${done.body.passkey.id}`;
    const kept = await client.request('DELETE', path, { password });
    expect([kept.status, kept.body.detail]).toEqual([
      409,
      'This role requires MFA; enroll another passkey before removing this one',
    ]);
    await enroll({ ...person, client });
    expect((await client.request('DELETE', path, { password })).status).toBe(200);
    const lanes = (await auditOf(service, person)).filter(({ event_type }) => event_type === 'passkey_enrolled');
    expect(lanes.map(({ details }) => details['lane'])).toEqual(['forced', 'settings']);
  });

  it('members do not need a passkey (platform M-2, M-19)', async () => {
    const person = await register(service);
    expect((await person.client.get('/v1/auth/mfa/status')).body.enforcement_applies).toBe(true);
    await setRole(person, 'admin');
    expect((await login(service, person)).body.status).toBe('mfa_enrollment_required');
    await setRole(person, 'member');
    expect((await login(service, person)).body.status).toBe('authenticated');
    expect((await person.client.get('/v1/auth/mfa/status')).body.enforcement_applies).toBe(false);
    const { id } = await enroll(person);
    expect((await person.client.request('DELETE', `/v1/auth/passkeys/${id}`, { password })).status).toBe(200);
  });

  it('a verification or reset link also requires the enrollment (platform M-4, A-16, A-19)', async () => {
    const person = await register(service);
    const link = await mail.next(person.email);
    const verified = await service.anonymous.post('/v1/auth/email/verify', { token: linkToken(link) });
    expect(verified.body).toMatchObject({ status: 'mfa_enrollment_required', token: null });
    await service.anonymous.post('/v1/auth/password/forgot', { email: person.email });
    const reset = { token: linkToken(await mail.next(person.email)), new_password: 'Copper-Meadow-77' };
    const answer = await service.anonymous.post('/v1/auth/password/reset', reset);
    expect(answer.body).toMatchObject({ status: 'mfa_enrollment_required', token: null });
  });

  it('a password reset does not bypass an existing passkey (platform A-19, M-4)', async () => {
    const person = await register(service);
    await mail.next(person.email);
    const known = await enroll(person);
    await mail.next(person.email);
    await service.anonymous.post('/v1/auth/password/forgot', { email: person.email });
    const reset = { token: linkToken(await mail.next(person.email)), new_password: 'Copper-Meadow-77' };
    const { body } = await service.anonymous.post('/v1/auth/password/reset', reset);
    expect(body).toMatchObject({ status: 'mfa_required', token: null });
    const proof = await secondFactorOf(service, body.mfa_token, known.device);
    expect((await service.anonymous.post('/v1/auth/mfa/verify', proof)).body.status).toBe('authenticated');
  });
});

describe('an enrollment token', () => {
  it('is spent by the enrollment; a passkey enrolled concurrently remains (platform M-3, M-12)', async () => {
    const { person, token } = await pendingOwner();
    const first = device().create((await options({ mfa_token: token })).body.options);
    const second = device().create((await options({ mfa_token: token })).body.options);
    const done = await verify({ mfa_token: token, credential: first });
    const late = await verify({ mfa_token: token, credential: second });
    expect([done.status, late.status, late.body.detail]).toEqual([200, 401, 'Invalid or expired MFA token']);
    expect((await person.client.get('/v1/auth/passkeys')).body.passkeys).toHaveLength(2);
    expect((await options({ mfa_token: token })).status).toBe(401);
  });

  it('is redeemed once by two concurrent requests (platform M-3)', async () => {
    const { token } = await pendingOwner();
    const credentials = [];
    for (let turn = 0; turn < 2; turn += 1) {
      credentials.push(device().create((await options({ mfa_token: token })).body.options));
    }
    const answers = await Promise.all(credentials.map((credential) => verify({ mfa_token: token, credential })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  it('cannot add a passkey after another login enrolled one (platform M-12)', async () => {
    const { person, token } = await pendingOwner();
    const other = (await login(service, person)).body.mfa_token;
    const credential = device().create((await options({ mfa_token: other })).body.options);
    const first = device().create((await options({ mfa_token: token })).body.options);
    expect((await verify({ mfa_token: token, credential: first })).status).toBe(200);
    expect((await verify({ mfa_token: other, credential })).status).toBe(401);
    expect((await options({ mfa_token: other })).status).toBe(401);
    expect((await person.client.get('/v1/auth/passkeys')).body.passkeys).toHaveLength(1);
  });

  it('allows five attempts (platform M-3)', async () => {
    const { token } = await pendingOwner();
    const credential = device().create((await options({ mfa_token: token })).body.options);
    for (let turn = 0; turn < 5; turn += 1) {
      expect((await verify({ mfa_token: token, credential: {} })).status).toBe(400);
    }
    expect((await verify({ mfa_token: token, credential })).status).toBe(401);
  });

  it('does not accept the challenges of a session, nor the reverse (platform M-10, M-12)', async () => {
    const { person, token } = await pendingOwner();
    const forced = device().create((await options({ mfa_token: token })).body.options);
    const inSettings = await person.client.post('/v1/auth/passkeys/register/verify', { credential: forced });
    expect(inSettings.status).toBe(400);
    const { body } = await person.client.post('/v1/auth/passkeys/register/options', { password });
    expect((await verify({ mfa_token: token, credential: device().create(body.options) })).status).toBe(400);
  });

  it('is not interchangeable with a second-factor token (platform M-3)', async () => {
    const person = await register(service);
    await enroll(person);
    const { body } = await login(service, person);
    expect(body.status).toBe('mfa_required');
    expect((await options({ mfa_token: body.mfa_token })).status).toBe(401);
    const answer = await verify({ mfa_token: body.mfa_token, credential: {} });
    expect([answer.status, answer.body.detail]).toEqual([401, 'Invalid or expired MFA token']);
  });
});
