import { contribute, definePlugin } from '@pacioli/core';
import { fixedClock, linkToken, mailbox, startTestService, type TestService } from '@pacioli/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KernelUser } from '../../rows.gen.ts';
import { identityLinks } from './profile.ts';
import { assertionProofs } from './reauthentication.ts';

const password = 'Harbour-Lantern-42';
const newPassword = 'Copper-Meadow-77';
const clock = fixedClock('2026-03-02T09:00:00Z');
const mail = mailbox();
let service: TestService;
let counter = 0;

/** Test doubles for the passkeys and the identity provider. */
const outsiders = definePlugin({
  name: 'outsiders',
  title: 'Outsiders',
  version: '0.1.0',
  kernel: '^0.1.0',
  contributions: [
    contribute(assertionProofs, 'known-assertion', {
      create: () => ({
        isProof: async (userId: string, assertion: unknown) =>
          JSON.stringify(assertion) === JSON.stringify({ signed_by: userId }),
      }),
    }),
    contribute(identityLinks, 'directory', {
      create: () => ({
        linksOf: async (tx, userId) => {
          const [row] = await tx.query<Pick<KernelUser, 'email'>>(
            sql`SELECT email FROM kernel_user WHERE id = ${userId}`,
          );
          if (row?.email.startsWith('linked') !== true) return [];
          return [{ provider: 'default', provider_type: 'oidc', provider_account_id: 'subject-7' }];
        },
      }),
    }),
  ],
});

beforeAll(async () => {
  const settings = { rateLimits: { enabled: false, profile: 'standard' } } as const;
  service = await startTestService({ plugins: [outsiders], clock, mail, settings });
});
afterAll(() => service.close());

async function register(word = 'lena') {
  counter += 1;
  const email = `${word}${counter}@example.org`;
  const answer = await service.anonymous.post('/v1/auth/register', { name: 'Lena', email, password });
  expect(answer.status).toBe(201);
  const client = service.anonymous.withHeaders({ authorization: `Bearer ${answer.body.token}` });
  const first = await mail.next(email);
  return { email, id: answer.body.user.id as string, client, verificationToken: linkToken(first) };
}

/** Advances the clock past every delay after a failure. */
const calm = () => clock.advance(1_000);

function change(overrides: object = {}) {
  return { current_password: password, new_password: newPassword, confirm_password: newPassword, ...overrides };
}

describe('changing the password', () => {
  it('ends every session and requires a new sign-in (platform A-27, A-7)', async () => {
    const { email, client } = await register();
    const done = await client.put('/v1/user/password', change());
    expect([done.status, done.body.success, 'token' in done.body]).toEqual([200, true, false]);
    expect((await client.get('/v1/user')).status).toBe(401);
    expect((await client.post('/v1/auth/refresh')).status).toBe(401);
    expect((await service.anonymous.post('/v1/auth/login', { email, password: newPassword })).status).toBe(200);
    expect((await mail.next(email)).subject).toBe('Your password was changed');
  });

  it('is refused with the reason (platform A-27)', async () => {
    const { client } = await register();
    const reasons: [object, string][] = [
      [{ confirm_password: 'Copper-Meadow-78' }, 'The two new passwords differ'],
      [{ new_password: password, confirm_password: password }, 'The new password is the current one'],
      [
        { new_password: 'Quarterly1234', confirm_password: 'Quarterly1234' },
        'Password requirements not met: Password must have a special character',
      ],
      [{ current_password: 'Harbour-Lantern-43' }, 'Current password is incorrect'],
    ];
    for (const [overrides, detail] of reasons) {
      const answer = await client.put('/v1/user/password', change(overrides));
      expect([answer.status, answer.body.detail]).toEqual([400, detail]);
    }
    // A wrong password counts as a guess (platform A-20).
    expect((await client.put('/v1/user/password', change())).status).toBe(429);
    calm();
    expect((await client.put('/v1/user/password', change())).status).toBe(200);
  });

  it('is refused to users without a password and to API keys (platform A-27, A-3)', async () => {
    const { email, client } = await register();
    const key = await client.post('/v1/user/api-keys', { name: 'books' });
    const byKey = await service.anonymous.withHeaders({ 'x-api-key': key.body.key }).put('/v1/user/password', change());
    expect([byKey.status, byKey.body.detail]).toEqual([403, 'A signed-in session is required']);
    await service.store.transaction('kernel', (tx) =>
      tx.query(sql`UPDATE kernel_user SET password_hash = NULL WHERE email = ${email}`),
    );
    const answer = await client.put('/v1/user/password', change());
    expect([answer.status, answer.body.detail]).toEqual([400, 'User has no password set']);
  });
});

describe('changing the profile', () => {
  it('accepts a name without a proof and keeps the session (platform A-28, A-13)', async () => {
    const { client, email } = await register();
    const done = await client.put('/v1/user', { name: ' <b>Lena</b> Ito ' });
    expect([done.status, done.body.name, done.body.email]).toEqual([200, 'Lena Ito', email]);
    expect((await client.get('/v1/user')).body.name).toBe('Lena Ito');
    expect((await client.put('/v1/user', { name: '<b></b>' })).status).toBe(400);
    expect((await client.put('/v1/user', {})).body.name).toBe('Lena Ito');
  });

  it('accepts an address with the password, notifies both addresses, ends every session (platform A-28)', async () => {
    const { client, email, verificationToken } = await register();
    expect((await service.anonymous.post('/v1/auth/email/verify', { token: verificationToken })).status).toBe(200);
    const moved = `moved-${email}`;
    const done = await client.put('/v1/user', { email: moved.toUpperCase(), reauth_password: password });
    expect([done.status, done.body.email, done.body.email_verified]).toEqual([200, moved, false]);
    expect((await client.get('/v1/user')).status).toBe(401);
    expect((await mail.next(email)).subject).toBe('The email address of your account was changed');
    expect((await service.anonymous.post('/v1/auth/login', { email: moved, password })).status).toBe(200);
    const token = linkToken(await mail.next(moved));
    expect((await service.anonymous.post('/v1/auth/email/verify', { token })).body.user.email_verified).toBe(true);
  });

  it('invalidates links that were mailed to the old address (platform A-28)', async () => {
    const { client, email, verificationToken } = await register();
    await service.anonymous.post('/v1/auth/password/forgot', { email });
    const resetToken = linkToken(await mail.next(email));
    expect((await client.put('/v1/user', { email: `new-${email}`, reauth_password: password })).status).toBe(200);
    expect((await service.anonymous.post('/v1/auth/email/verify', { token: verificationToken })).status).toBe(400);
    const reset = { token: resetToken, new_password: newPassword };
    expect((await service.anonymous.post('/v1/auth/password/reset', reset)).status).toBe(400);
    calm();
  });

  it('accepts an assertion instead of the password, but not both (platform A-28, M-14)', async () => {
    clock.advance(86_400_000); // The failures of earlier tests are forgotten (platform A-20).
    const { client, email, id } = await register();
    const assertion = { signed_by: id };
    const proofs = [
      {},
      { reauth_password: 'Harbour-Lantern-43' },
      { reauth_assertion: { signed_by: 'somebody else' } },
      { reauth_password: password, reauth_assertion: assertion },
    ];
    for (const proof of proofs) {
      const refused = await client.put('/v1/user', { email: `by-${email}`, ...proof });
      expect([refused.status, refused.body.detail]).toEqual([401, 'Re-authentication failed']);
      clock.advance(10_000);
    }
    const done = await client.put('/v1/user', { email: `by-${email}`, reauth_assertion: assertion });
    expect([done.status, done.body.email]).toEqual([200, `by-${email}`]);
  });

  it('rejects an address that is taken or malformed (platform A-28, A-13)', async () => {
    const [one, other] = [await register(), await register()];
    const taken = await one.client.put('/v1/user', { email: other.email, reauth_password: password });
    expect([taken.status, taken.body.code]).toEqual([409, 'ALREADY_EXISTS']);
    const bad = await one.client.put('/v1/user', { email: 'nowhere', reauth_password: password });
    expect([bad.status, bad.body.detail]).toEqual([400, 'Invalid email format']);
    // The current address is not a change, so it requires no proof.
    expect((await one.client.put('/v1/user', { email: one.email })).status).toBe(200);
  });

  it('lists linked identities and leaves the address to their identity provider (platform U-11, A-28)', async () => {
    const { client } = await register('linked');
    const accounts = [{ provider: 'default', provider_type: 'oidc', provider_account_id: 'subject-7' }];
    expect((await client.get('/v1/user')).body.accounts).toEqual(accounts);
    const refused = await client.put('/v1/user', { email: 'other@example.org', reauth_password: password });
    expect(refused.status).toBe(403);
    expect((await client.put('/v1/user', { name: 'Lena Linked' })).body).toMatchObject({
      name: 'Lena Linked',
      accounts,
    });
  });
});
