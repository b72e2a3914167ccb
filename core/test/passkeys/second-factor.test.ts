import { fixedClock, mailbox, SoftwareAuthenticator, startTestService, type TestService } from '@pacioli/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditOf, enroll, login, password, place, register, secondFactorOf } from './person.ts';

const clock = fixedClock('2026-03-02T09:00:00Z');
const mail = mailbox('operator');
let service: TestService;

beforeAll(async () => {
  service = await startTestService({ plugins: [], clock, mail });
});
afterAll(() => service.close());

const verify = (body: object) => service.anonymous.post('/v1/auth/mfa/verify', body);
const spent = 'Invalid or expired MFA token';

async function personWithPasskey() {
  const person = await register(service);
  const { device, codes, id } = await enroll(person);
  return { person, device, codes, passkeyId: id };
}

/** A login that waits for the second factor. */
async function pendingLogin() {
  const known = await personWithPasskey();
  const pending = await login(service, known.person);
  return { ...known, token: pending.body.mfa_token as string };
}

describe('signing in with a password and a passkey', () => {
  it('requires the passkey once one is enrolled, and opens no session before (platform M-1, M-2)', async () => {
    const person = await register(service);
    expect((await login(service, person)).body.status).toBe('authenticated');
    await enroll(person);
    const { status, body } = await login(service, person);
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'mfa_required', token: null, expires_in: null, org: null });
    expect(body.user).toMatchObject({ id: person.id, email: person.email, name: 'Lena' });
    expect(body.mfa_token).toEqual(expect.any(String));
  });

  it('opens a session for an assertion of the same user and audits the method (platform M-5)', async () => {
    const { person, device, token } = await pendingLogin();
    const { status, body } = await verify(await secondFactorOf(service, token, device));
    expect([status, body.status, body.mfa_token, body.expires_in]).toEqual([200, 'authenticated', null, 1800]);
    const client = service.anonymous.withHeaders({ authorization: `Bearer ${body.token}` });
    expect((await client.get('/v1/auth/me')).body.id).toBe(person.id);
    const rows = await auditOf(service, person);
    const methods = rows.filter(({ event_type }) => event_type === 'auth_success').map(({ details }) => details);
    expect(methods).toEqual([{ method: 'registration' }, { method: 'password+passkey' }]);
    expect(rows.map(({ event_type }) => event_type)).toContain('mfa_verified');
    expect(rows.find(({ event_type }) => event_type === 'mfa_challenge_issued')?.details).toEqual({ purpose: 'login' });
  });

  it('requires exactly one proof, and a malformed one does not count as an attempt (platform M-5)', async () => {
    const { device, token, codes } = await pendingLogin();
    const signed = await secondFactorOf(service, token, device);
    for (let turn = 0; turn < 6; turn += 1) {
      expect((await verify({ mfa_token: token })).status).toBe(422);
      const both = await verify({ ...signed, recovery_code: codes[0] });
      expect([both.status, both.body.detail[0].loc]).toEqual([422, ['body']]);
    }
    expect((await verify(signed)).status).toBe(200);
  });

  it('spends its token after five wrong attempts; a new login accepts a code, once (platform M-3, M-18)', async () => {
    const { person, device, token, codes } = await pendingLogin();
    expect(codes).toHaveLength(10);
    const options = await service.anonymous.post('/v1/auth/mfa/options', { mfa_token: token });
    const right = device.get(options.body.options);
    for (let turn = 0; turn < 5; turn += 1) {
      const wrong = await service.anonymous.post('/v1/auth/mfa/options', { mfa_token: token });
      const assertion = device.get(wrong.body.options, { isTampered: true });
      const refused = await verify({ mfa_token: token, assertion });
      expect([refused.status, refused.body.detail]).toEqual([401, 'MFA verification failed']);
    }
    const sixth = await verify({ mfa_token: token, assertion: right });
    expect([sixth.status, sixth.body.detail]).toEqual([401, spent]);
    expect((await service.anonymous.post('/v1/auth/mfa/options', { mfa_token: token })).status).toBe(401);

    const again = await login(service, person);
    const code = codes[3] ?? '';
    const typed = ` ${code.toLowerCase().replace('-', ' ')} `;
    const inside = await verify({ mfa_token: again.body.mfa_token, recovery_code: typed });
    expect([inside.status, inside.body.status]).toEqual([200, 'authenticated']);
    const third = await login(service, person);
    const twice = await verify({ mfa_token: third.body.mfa_token, recovery_code: code });
    expect([twice.status, twice.body.detail]).toEqual([401, 'MFA verification failed']);
    const failures = (await auditOf(service, person)).filter(({ event_type }) => event_type === 'mfa_failed');
    expect(failures).toHaveLength(6);
  });

  it('redeems a token once, even for two concurrent correct proofs (platform M-3)', async () => {
    const { device, token, codes } = await pendingLogin();
    const signed = await secondFactorOf(service, token, device);
    const answers = await Promise.all([verify(signed), verify({ mfa_token: token, recovery_code: codes[0] })]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect((await verify({ mfa_token: token, recovery_code: codes[1] })).body.detail).toBe(spent);
  });

  it('accepts a recovery code from only one of two concurrent logins (platform M-18)', async () => {
    const { person, token, codes } = await pendingLogin();
    const other = await login(service, person);
    const answers = await Promise.all(
      [token, other.body.mfa_token].map((mfaToken) => verify({ mfa_token: mfaToken, recovery_code: codes[0] })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  it('does not consume a recovery code with a spent token (platform M-3, M-18)', async () => {
    const { person, token, codes } = await pendingLogin();
    await verify({ mfa_token: token, recovery_code: codes[0] });
    expect((await verify({ mfa_token: token, recovery_code: codes[1] })).status).toBe(401);
    const status = await person.client.get('/v1/auth/mfa/status');
    expect(status.body).toEqual({ passkey_count: 1, recovery_codes_remaining: 9, enforcement_applies: false });
  });

  it('notifies the owner of a used recovery code and the number left (platform M-5)', async () => {
    const { person, token, codes } = await pendingLogin();
    expect((await mail.next(person.email)).subject).toBe('A passkey was added to your account');
    await verify({ mfa_token: token, recovery_code: codes[0] });
    const notice = await mail.next(person.email);
    expect(notice.subject).toBe('A recovery code was used to sign in');
    expect(notice.text).toContain('Unused codes: 9.');
    const used = (await auditOf(service, person)).find(({ event_type }) => event_type === 'mfa_recovery_used');
    expect(used?.details).toEqual({ codes_left: 9 });
  });
});

describe('an mfa token', () => {
  it('expires after 300 seconds (platform M-3)', async () => {
    const { token, codes } = await pendingLogin();
    clock.advance(299_000);
    expect((await service.anonymous.post('/v1/auth/mfa/options', { mfa_token: token })).status).toBe(200);
    clock.advance(2_000);
    const late = await verify({ mfa_token: token, recovery_code: codes[0] });
    expect([late.status, late.body.detail]).toEqual([401, spent]);
  });

  it('is refused as a bearer, which is audited as suspicious (platform M-3, A-6)', async () => {
    const { person, token } = await pendingLogin();
    const client = service.anonymous.withHeaders({ authorization: `Bearer ${token}` });
    expect((await client.get('/v1/user')).status).toBe(401);
    expect((await client.post('/v1/auth/refresh')).status).toBe(401);
    const rows = await auditOf(service, person);
    expect(rows.map(({ event_type }) => event_type)).toContain('suspicious_activity');
  });

  it('ends with the sessions of its user (platform M-3, A-7)', async () => {
    const { person, token, codes } = await pendingLogin();
    const next = 'Copper-Meadow-77';
    const change = { current_password: password, new_password: next, confirm_password: next };
    expect((await person.client.put('/v1/user/password', change)).status).toBe(200);
    expect((await verify({ mfa_token: token, recovery_code: codes[0] })).body.detail).toBe(spent);
  });

  it('ends when the account is deactivated (platform M-3, A-4)', async () => {
    const { person, token, codes } = await pendingLogin();
    await service.store.transaction('kernel', (tx) =>
      tx.query(sql`UPDATE kernel_user SET is_active = false WHERE id = ${person.id}`),
    );
    expect((await verify({ mfa_token: token, recovery_code: codes[0] })).body.detail).toBe(spent);
  });

  it('is refused the same way for every reason (platform M-3)', async () => {
    const { person, codes } = await pendingLogin();
    const bearer = person.client.headers['authorization']?.slice('Bearer '.length);
    for (const mfaToken of ['', 'x', 'a.b.c', bearer]) {
      const answer = await verify({ mfa_token: mfaToken, recovery_code: codes[0] });
      expect([answer.status, answer.body.detail]).toEqual([401, spent]);
      expect((await service.anonymous.post('/v1/auth/mfa/options', { mfa_token: mfaToken })).status).toBe(401);
    }
  });
});

describe('a challenge', () => {
  it('is accepted once (platform M-10)', async () => {
    const { person, device, token } = await pendingLogin();
    const options = await service.anonymous.post('/v1/auth/mfa/options', { mfa_token: token });
    const assertion = device.get(options.body.options);
    expect((await verify({ mfa_token: token, assertion })).status).toBe(200);
    const next = await login(service, person);
    expect((await verify({ mfa_token: next.body.mfa_token, assertion })).status).toBe(401);
  });

  it('is accepted only with the token that requested it (platform M-10)', async () => {
    const { person, device, token } = await pendingLogin();
    const other = await login(service, person);
    const signed = await secondFactorOf(service, token, device);
    const crossed = await verify({ ...signed, mfa_token: other.body.mfa_token });
    expect([crossed.status, crossed.body.detail]).toEqual([401, 'MFA verification failed']);
    expect((await verify(signed)).status).toBe(401); // The wrong attempt consumed it.
  });

  it('is accepted only in its own flow (platform M-10)', async () => {
    const { person, device, token } = await pendingLogin();
    const passwordless = await service.anonymous.post('/v1/auth/passkeys/login/options');
    const reauth = await person.client.post('/v1/auth/passkeys/reauth/options');
    for (const { body } of [passwordless, reauth]) {
      expect((await verify({ mfa_token: token, assertion: device.get(body.options) })).status).toBe(401);
    }
    const second = await service.anonymous.post('/v1/auth/mfa/options', { mfa_token: token });
    const login = { assertion: device.get(second.body.options) };
    expect((await service.anonymous.post('/v1/auth/passkeys/login/verify', login)).status).toBe(401);
    const proof = { assertion: device.get(second.body.options) };
    expect((await person.client.post('/v1/auth/passkeys/register/options', proof)).status).toBe(401);
  });

  it('expires after 300 seconds (platform M-10)', async () => {
    const { person, device } = await personWithPasskey();
    const options = await service.anonymous.post('/v1/auth/passkeys/login/options');
    clock.advance(301_000);
    const late = { assertion: device.get(options.body.options) };
    expect((await service.anonymous.post('/v1/auth/passkeys/login/verify', late)).status).toBe(401);
    expect((await auditOf(service, person)).at(-1)).toMatchObject({ event_type: 'auth_failure' });
  });

  it('has 32 random bytes and requires user verification and a passkey of the user (platform M-10, M-11)', async () => {
    const { device, token } = await pendingLogin();
    const { body } = await service.anonymous.post('/v1/auth/mfa/options', { mfa_token: token });
    expect(Buffer.from(body.options.challenge, 'base64url')).toHaveLength(32);
    expect(body.options).toMatchObject({ rpId: place.rpId, userVerification: 'required', timeout: 300_000 });
    expect(body.options.allowCredentials).toMatchObject([
      { id: device.credentialId, type: 'public-key', transports: ['internal', 'hybrid'] },
    ]);
  });
});

describe('an assertion', () => {
  it.each([
    ['of an unverified user', { isVerified: false }],
    ['of another origin', { origin: 'https://elsewhere.example' }],
    ['for another relying party', { rpId: 'elsewhere.example' }],
    ['of a registration', { type: 'webauthn.create' }],
    ['with a wrong signature', { isTampered: true }],
    ['for an unknown challenge', { challenge: Buffer.alloc(32).toString('base64url') }],
    ['that names another user', { userHandle: Buffer.from('user_other').toString('base64url') }],
  ])('%s is refused (platform M-15)', async (_, deviation) => {
    const { device, token } = await pendingLogin();
    const options = await service.anonymous.post('/v1/auth/mfa/options', { mfa_token: token });
    const assertion = device.get(options.body.options, deviation);
    const answer = await verify({ mfa_token: token, assertion });
    expect([answer.status, answer.body.detail]).toEqual([401, 'MFA verification failed']);
  });

  it('of another or unknown user is refused (platform M-15)', async () => {
    const { token } = await pendingLogin();
    const stranger = await personWithPasskey();
    for (const device of [stranger.device, new SoftwareAuthenticator(place)]) {
      expect((await verify(await secondFactorOf(service, token, device))).status).toBe(401);
    }
  });

  it('is refused if it is malformed, without an internal error (platform M-10)', async () => {
    const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const responses = [
      undefined,
      null,
      7,
      {},
      { clientDataJSON: 7 },
      { clientDataJSON: '%%%' },
      { clientDataJSON: encoded(null) },
      { clientDataJSON: encoded([]) },
      { clientDataJSON: encoded({ challenge: { a: 1 } }) },
      { clientDataJSON: encoded({ challenge: 'unknown' }) },
    ];
    for (const response of responses) {
      const answer = await service.anonymous.post('/v1/auth/passkeys/login/verify', { assertion: { response } });
      expect([answer.status, answer.body.detail]).toEqual([401, 'Passkey login failed']);
    }
    const { device } = await personWithPasskey();
    for (const broken of [{ authenticatorData: 'AA' }, { signature: 7 }, { userHandle: {} }, { userHandle: 5 }]) {
      const options = await service.anonymous.post('/v1/auth/passkeys/login/options');
      const assertion = device.get(options.body.options);
      const response = { ...(assertion['response'] as object), ...broken };
      const answer = await service.anonymous.post('/v1/auth/passkeys/login/verify', {
        assertion: { ...assertion, response },
      });
      expect([answer.status, answer.body.detail]).toEqual([401, 'Passkey login failed']);
    }
  });

  it('is accepted with a decreased sign count, but audited (platform M-15)', async () => {
    const { person, device } = await personWithPasskey();
    const signIn = async (signCount: number) => {
      const options = await service.anonymous.post('/v1/auth/passkeys/login/options');
      const assertion = device.get(options.body.options, { signCount });
      return (await service.anonymous.post('/v1/auth/passkeys/login/verify', { assertion })).status;
    };
    expect([await signIn(5), await signIn(5), await signIn(0)]).toEqual([200, 200, 200]);
    const noted = (await auditOf(service, person)).filter(({ event_type }) => event_type === 'suspicious_activity');
    expect(noted.map(({ details }) => details)).toMatchObject([
      { reason: 'passkey_sign_count_regressed', stored: 5, received: 0 },
    ]);
  });
});
