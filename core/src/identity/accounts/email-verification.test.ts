import { fixedClock, linkToken, mailbox, startTestService, type TestService } from '@pacioli/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const password = 'Harbour-Lantern-42';
const clock = fixedClock('2026-03-02T09:00:00Z');
const mail = mailbox();
let service: TestService;
let counter = 0;

beforeAll(async () => {
  service = await startTestService({ plugins: [], clock, mail, settings: { publicUrl: 'https://books.example.org' } });
});
afterAll(() => service.close());

async function register() {
  counter += 1;
  const email = `ida${counter}@example.org`;
  const answer = await service.anonymous.post('/v1/auth/register', { name: 'Ida', email, password });
  expect(answer.status).toBe(201);
  const client = service.anonymous.withHeaders({ authorization: `Bearer ${answer.body.token}` });
  return { email, answer, client };
}

const verify = (token: string) => service.anonymous.post('/v1/auth/email/verify', { token });
const newGraph = {
  metadata: { graph_name: 'Ida Ltd' },
  initial_entity: { name: 'Ida Ltd', uri: 'https://example.org/ida' },
};

describe('a new address', () => {
  it('is verified by the mailed link, which also signs in (platform A-15, A-16)', async () => {
    const { email, answer } = await register();
    expect(answer.body.message).toBe('User registered successfully. Please check your email to verify your account.');
    expect(answer.body.user.email_verified).toBe(false);
    const message = await mail.next(email);
    expect(message.subject).toBe('Please verify your email address');
    expect(message.text).toContain('https://books.example.org/auth/verify-email?token=');
    const verified = await verify(linkToken(message));
    expect([verified.status, verified.body.status]).toEqual([200, 'authenticated']);
    const client = service.anonymous.withHeaders({ authorization: `Bearer ${verified.body.token}` });
    expect((await client.get('/v1/auth/me')).body).toMatchObject({ email, email_verified: true });
  });

  it('can sign in unverified, but creates a graph only once verified (platform A-15)', async () => {
    const { email, client } = await register();
    expect((await service.anonymous.post('/v1/auth/login', { email, password })).status).toBe(200);
    const refused = await client.post('/v1/graphs', newGraph);
    expect([refused.status, refused.body.code]).toEqual([403, 'EMAIL_NOT_VERIFIED']);
    expect((await verify(linkToken(await mail.next(email)))).status).toBe(200);
    expect((await client.post('/v1/graphs', newGraph)).status).toBe(202);
  });
});

describe('a verification link', () => {
  it('works once (platform A-16)', async () => {
    const { email } = await register();
    const token = linkToken(await mail.next(email));
    const answers = await Promise.all([verify(token), verify(token)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    const again = await verify(token);
    expect([again.status, again.body.detail]).toEqual([400, 'Invalid or expired verification token']);
  });

  it('works for one day and not longer (platform A-15)', async () => {
    const [first, second] = [await register(), await register()];
    clock.advance(86_400_000 - 1);
    expect((await verify(linkToken(await mail.next(first.email)))).status).toBe(200);
    clock.advance(1);
    expect((await verify(linkToken(await mail.next(second.email)))).status).toBe(400);
  });

  it('is invalidated when another one is sent, and is stored only as a digest (platform A-15)', async () => {
    const { email, client } = await register();
    const first = linkToken(await mail.next(email));
    expect((await client.post('/v1/auth/email/resend')).status).toBe(200);
    const second = linkToken(await mail.next(email));
    expect(Buffer.from(second, 'base64url')).toHaveLength(32);
    const rows = await service.store.transaction('kernel', (tx) => tx.query(sql`SELECT * FROM kernel_user_token`));
    expect(JSON.stringify(rows)).not.toContain(second);
    expect((await verify(first)).status).toBe(400);
    expect((await verify(second)).status).toBe(200);
  });

  it('does not sign in a user who was deactivated after it was sent (platform A-4)', async () => {
    const { email } = await register();
    const token = linkToken(await mail.next(email));
    await service.store.transaction('kernel', (tx) =>
      tx.query(sql`UPDATE kernel_user SET is_active = false WHERE email = ${email}`),
    );
    expect((await verify(token)).status).toBe(400);
  });
});

describe('requesting another link', () => {
  it('is allowed three times an hour (platform A-16)', async () => {
    const { client } = await register();
    const statuses: number[] = [];
    for (let time = 0; time < 3; time += 1) statuses.push((await client.post('/v1/auth/email/resend')).status);
    expect(statuses).toEqual([200, 200, 200]);
    clock.advance(1_000_000);
    const refused = await client.post('/v1/auth/email/resend');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '2600']);
  });

  it('is refused for a verified address (platform A-16)', async () => {
    const { email, client } = await register();
    await verify(linkToken(await mail.next(email)));
    const refused = await client.post('/v1/auth/email/resend');
    expect([refused.status, refused.body.detail]).toEqual([400, 'Email is already verified']);
  });

  it('requires a session (platform A-16)', async () => {
    expect((await service.anonymous.post('/v1/auth/email/resend')).status).toBe(401);
  });
});

describe('the verification setting', () => {
  it('treats every address as verified without a mail port (platform A-15)', async () => {
    const other = await startTestService({ plugins: [], clock, worker: false });
    try {
      const client = await other.newUser();
      expect((await client.get('/v1/auth/me')).body.email_verified).toBe(true);
      expect((await client.post('/v1/auth/email/resend')).status).toBe(400);
    } finally {
      await other.close();
    }
  });

  it('reports missing mail when verification is on, and can leave unverified users unrestricted', async () => {
    const settings = { email: { verification: 'on', restrictUnverified: false } } as const;
    const other = await startTestService({ plugins: [], clock, worker: false, settings });
    try {
      const client = await other.newUser();
      const refused = await client.post('/v1/auth/email/resend');
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '3600']);
      expect((await client.post('/v1/graphs', newGraph)).status).toBe(202);
    } finally {
      await other.close();
    }
  });

  it('treats every address as verified if mail reaches only the operator (platform A-15)', async () => {
    const other = await startTestService({ plugins: [], clock, mail: mailbox('operator'), worker: false });
    try {
      expect((await (await other.newUser()).get('/v1/auth/me')).body.email_verified).toBe(true);
    } finally {
      await other.close();
    }
  });
});
