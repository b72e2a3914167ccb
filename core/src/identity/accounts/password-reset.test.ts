/** @module-tag sessions */
import { fixedClock, linkToken, mailbox, startTestService, type TestService } from '@pacioli/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KernelSecurityAudit } from '../../rows.gen.ts';

const password = 'Harbour-Lantern-42';
const newPassword = 'Copper-Meadow-77';
const clock = fixedClock('2026-03-02T09:00:00Z');
const mail = mailbox();
let service: TestService;
let counter = 0;

beforeAll(async () => {
  service = await startTestService({ plugins: [], clock, mail, settings: { email: { verification: 'off' } } });
});
afterAll(() => service.close());

async function register() {
  counter += 1;
  const email = `noor${counter}@example.org`;
  const answer = await service.anonymous.post('/v1/auth/register', { name: 'Noor', email, password });
  expect(answer.status).toBe(201);
  return { email, client: service.anonymous.withHeaders({ authorization: `Bearer ${answer.body.token}` }) };
}

const forgot = (email: string) => service.anonymous.post('/v1/auth/password/forgot', { email });
const validate = (token: string) => service.anonymous.get(`/v1/auth/password/reset/validate?token=${token}`);
const reset = (token: string, password = newPassword) =>
  service.anonymous.post('/v1/auth/password/reset', { token, new_password: password });

/** Requests a link in a separate hour, so that tests do not use up each other's allowance. */
async function askedLink(email: string): Promise<string> {
  clock.advance(3_600_000);
  expect((await forgot(email)).status).toBe(200);
  return linkToken(await mail.next(email));
}

describe('requesting a reset link', () => {
  it('responds identically to every address and mails only accounts with a password (platform A-17)', async () => {
    const [known, inactive, federated] = [await register(), await register(), await register()];
    await service.store.transaction('kernel', async (tx) => {
      await tx.query(sql`UPDATE kernel_user SET is_active = false WHERE email = ${inactive.email}`);
      await tx.query(sql`UPDATE kernel_user SET password_hash = NULL WHERE email = ${federated.email}`);
    });
    clock.advance(3_600_000);
    const before = mail.messages.length;
    for (const email of ['nobody@example.org', 'no address', inactive.email, federated.email, known.email]) {
      const answer = await forgot(email);
      expect([answer.status, answer.body]).toEqual([
        200,
        { message: 'If an account exists with this email, a password reset link has been sent.' },
      ]);
    }
    // Links are sent in request order, so a wrongly sent one would arrive before this one.
    expect((await mail.next(known.email)).subject).toBe('Reset your password');
    expect(mail.messages.slice(before).map(({ to }) => to)).toEqual([known.email]);
  });

  it('is allowed three times an hour for an address, known or not (platform A-17)', async () => {
    clock.advance(3_600_000);
    const { email } = await register();
    for (const address of [email, 'stranger@example.org']) {
      const statuses: number[] = [];
      for (let time = 0; time < 4; time += 1) statuses.push((await forgot(address)).status);
      expect(statuses).toEqual([200, 200, 200, 429]);
    }
  });

  it('is allowed ten times an hour for a client (platform A-17)', async () => {
    clock.advance(3_600_000);
    const statuses: number[] = [];
    for (let time = 0; time < 11; time += 1) statuses.push((await forgot(`someone${time}@example.org`)).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
  });
});

describe('a password reset link', () => {
  it('is validated without being used up and without revealing the address (platform A-18)', async () => {
    const { email } = await register();
    const token = await askedLink(email);
    for (let time = 0; time < 2; time += 1) {
      expect((await validate(token)).body).toEqual({ valid: true, email: 'n***@example.org' });
    }
    const unknown = await validate('unknown');
    expect([unknown.status, unknown.body]).toEqual([200, { valid: false, email: null }]);
    clock.advance(3_600_000);
    expect((await validate(token)).body.valid).toBe(false);
    expect((await reset(token)).status).toBe(400);
  });

  it('sets the password, ends every session, and signs in (platform A-19, A-7)', async () => {
    const { email, client } = await register();
    const done = await reset(await askedLink(email));
    expect([done.status, done.body.status, done.body.user.email]).toEqual([200, 'authenticated', email]);
    expect((await client.get('/v1/auth/me')).status).toBe(401);
    const renewed = service.anonymous.withHeaders({ authorization: `Bearer ${done.body.token}` });
    expect((await renewed.get('/v1/auth/me')).status).toBe(200);
    expect((await service.anonymous.post('/v1/auth/login', { email, password })).status).toBe(401);
    expect((await service.anonymous.post('/v1/auth/login', { email, password: newPassword })).status).toBe(200);
    expect((await mail.next(email)).subject).toBe('Your password was changed');
    const events = await service.store.transaction('kernel', (tx) =>
      tx.query<Pick<KernelSecurityAudit, 'event_type'>>(sql`
        SELECT event_type FROM kernel_security_audit WHERE user_id = ${done.body.user.id}
          AND event_type LIKE 'password%' ORDER BY at, written`),
    );
    expect(events.map((row) => row.event_type)).toEqual(['password_reset_requested', 'password_reset_completed']);
  });

  it('revokes the API keys unless the deployment disables that (platform A-19)', async () => {
    const { email, client } = await register();
    const key = await client.post('/v1/user/api-keys', { name: 'books' });
    const withKey = service.anonymous.withHeaders({ 'x-api-key': key.body.key });
    expect((await withKey.get('/v1/user')).status).toBe(200);
    expect((await reset(await askedLink(email))).status).toBe(200);
    expect((await withKey.get('/v1/user')).status).toBe(401);
  });

  it('is not used up by a password that the policy rejects, and works once (platform A-19)', async () => {
    const { email } = await register();
    const token = await askedLink(email);
    const weak = await reset(token, 'Quarterly1234');
    expect([weak.status, weak.body.detail]).toEqual([
      400,
      'Password requirements not met: Password must have a special character',
    ]);
    const own = await reset(token, `X-${email.split('@')[0]}-Meadow-77`);
    expect(own.body.detail).toContain('email');
    const answers = await Promise.all([reset(token), reset(token)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect((await reset(token)).body.detail).toBe('Invalid or expired reset token');
  });

  it('is not accepted as a verification link', async () => {
    const { email } = await register();
    const token = await askedLink(email);
    expect((await service.anonymous.post('/v1/auth/email/verify', { token })).status).toBe(400);
  });
});

describe('guessing reset links', () => {
  it('delays the client (platform A-20)', async () => {
    const settings = { rateLimits: { enabled: false, profile: 'standard' } } as const;
    const other = await startTestService({ plugins: [], clock, worker: false, settings });
    try {
      const guess = () => other.anonymous.post('/v1/auth/password/reset', { token: 'x', new_password: newPassword });
      expect((await guess()).status).toBe(400);
      expect((await guess()).status).toBe(429);
    } finally {
      await other.close();
    }
  });
});

describe('a deployment without passwords', () => {
  it('refuses password sign-in and does not offer it (platform F-1)', async () => {
    const other = await startTestService({
      plugins: [],
      clock,
      worker: false,
      settings: { auth: { password: false } },
    });
    try {
      const providers = await other.anonymous.get('/v1/auth/providers');
      expect(providers.body).toMatchObject({ password_auth: false, registration: false });
      expect(providers.headers.get('cache-control')).toBe('public, max-age=60');
      const login = await other.anonymous.post('/v1/auth/login', { email: 'a@example.org', password });
      expect([login.status, login.body.code]).toEqual([403, 'FEATURE_DISABLED']);
      const person = { name: 'Noor', email: 'a@example.org', password };
      expect((await other.anonymous.post('/v1/auth/register', person)).status).toBe(503);
      const answer = await other.anonymous.post('/v1/auth/password/reset', { token: 'x', new_password: newPassword });
      expect(answer.status).toBe(403);
    } finally {
      await other.close();
    }
  });
});
