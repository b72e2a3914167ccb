/** @module-tag sessions */
import { fixedClock, startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { SignJWT } from 'jose';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { backgroundWrites } from '../../audit/security-audit.ts';
import type { KernelSecurityAudit } from '../../rows.gen.ts';

const start = '2026-03-02T09:00:00Z';
const password = 'Harbour-Lantern-42';
const clock = fixedClock(start);
let service: TestService;
let open: TestClient;
let counter = 0;

beforeAll(async () => {
  service = await startTestService({ plugins: [], clock, worker: false });
  open = service.anonymous;
});
afterAll(() => service.close());

async function register(overrides: object = {}) {
  counter += 1;
  const person = { name: 'Mika Ito', email: `mika${counter}@example.org`, password, ...overrides };
  const answer = await open.post('/v1/auth/register', person);
  return { ...person, answer, token: answer.body.token as string };
}

function withToken(token: string): TestClient {
  return open.withHeaders({ authorization: `Bearer ${token}` });
}

async function auditOf(userId: string): Promise<readonly string[]> {
  const rows = await service.store.transaction('kernel', (tx) =>
    tx.query<Pick<KernelSecurityAudit, 'event_type'>>(
      sql`SELECT event_type FROM kernel_security_audit WHERE user_id = ${userId} ORDER BY at, id`,
    ),
  );
  return rows.map((row) => row.event_type);
}

describe('registration', () => {
  it('creates an account with a personal organization and a session (platform A-14, A-8)', async () => {
    const { answer, email, token } = await register();
    expect(answer.status).toBe(201);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.body).toMatchObject({
      user: { name: 'Mika Ito', email },
      org: { name: 'My Organization', type: 'personal' },
      status: 'authenticated',
      expires_in: 1800,
      refresh_threshold: 300,
    });
    const orgs = await withToken(token).get('/v1/orgs');
    expect(orgs.body).toMatchObject({ total: 1, orgs: [{ role: 'owner', member_count: 1, graph_count: 0 }] });
    const detail = await withToken(token).get(`/v1/orgs/${orgs.body.orgs[0].id}`);
    expect(detail.body).toMatchObject({
      user_role: 'owner',
      members: [{ email, role: 'owner' }],
      graphs: [],
      limits: { max_graphs: 10, current_graphs: 0, can_create_graph: true },
    });
  });

  it('rejects a weak password and a malformed address with 400 (platform A-13, A-14)', async () => {
    const weak = (await register({ password: 'Quarterly1234' })).answer;
    expect([weak.status, weak.body.code]).toEqual([400, 'INVALID_INPUT']);
    expect(weak.body.detail).toBe('Password requirements not met: Password must have a special character');
    const bad = (await register({ email: 'nobody@nowhere' })).answer;
    expect([bad.status, bad.body.detail]).toEqual([400, 'Invalid email format']);
  });

  it('rejects an address that is taken, in any letter case, with 409 (platform A-14)', async () => {
    const { email } = await register();
    const again = (await register({ email: email.toUpperCase() })).answer;
    expect([again.status, again.body.code, again.body.detail]).toEqual([
      409,
      'ALREADY_EXISTS',
      'Email already registered',
    ]);
  });

  it('accepts exactly one of several concurrent registrations of an address', async () => {
    const email = 'raced@example.org';
    const answers = await Promise.all([1, 2, 3].map(() => register({ email })));
    expect(answers.map(({ answer }) => answer.status).sort()).toEqual([201, 409, 409]);
  });

  it('rejects an unknown invitation without creating an account (platform U-23)', async () => {
    const { answer, email } = await register({ invite_token: 'unknown' });
    expect(answer.status).toBe(400);
    expect((await open.post('/v1/auth/login', { email, password })).status).toBe(401);
  });

  it('responds to a malformed body with a list of issues (platform E-3)', async () => {
    const answer = await open.post('/v1/auth/register', { name: 'x' });
    expect(answer.status).toBe(422);
    expect(answer.body.detail).toContainEqual({ loc: ['body', 'email'], msg: 'Field required', type: 'missing' });
  });
});

describe('login', () => {
  it('signs in with the password and writes an audit row (platform A-21)', async () => {
    const { email, answer } = await register();
    const login = await open.post('/v1/auth/login', { email: ` ${email.toUpperCase()}`, password });
    expect([login.status, login.body.user.id]).toEqual([200, answer.body.user.id]);
    expect(await auditOf(answer.body.user.id)).toEqual(['auth_success', 'auth_success']);
  });

  it('responds identically to a wrong password, an unknown address and an inactive user (platform A-21)', async () => {
    const { email } = await register();
    const inactive = await register();
    await service.store.transaction('kernel', (tx) =>
      tx.query(sql`UPDATE kernel_user SET is_active = false WHERE email = ${inactive.email}`),
    );
    const tries = [
      { email, password: 'Harbour-Lantern-43' },
      { email: 'stranger@example.org', password },
      { email: inactive.email, password },
    ];
    for (const body of tries) {
      const answer = await open.post('/v1/auth/login', body);
      expect([answer.status, answer.body.code, answer.body.detail]).toEqual([
        401,
        'INVALID_CREDENTIALS',
        'Invalid email or password',
      ]);
    }
  });
});

describe('sessions', () => {
  it('expire after 30 minutes (platform A-6)', async () => {
    const { token, email } = await register();
    const me = await withToken(token).get('/v1/auth/me');
    expect(me.body).toMatchObject({ email, email_verified: true, org_role: 'owner' });
    clock.advance(1_799_000);
    expect((await withToken(token).get('/v1/auth/me')).status).toBe(200);
    clock.advance(1_000);
    const ended = await withToken(token).get('/v1/auth/me');
    expect([ended.status, ended.body.detail]).toEqual([401, 'Invalid or expired token']);
    expect(ended.headers.get('www-authenticate')).toBe('Bearer');
  });

  it('can be renewed until five minutes after they expire (platform A-10)', async () => {
    const { token } = await register();
    clock.advance(1_800_000 + 299_000);
    expect((await withToken(token).post('/v1/auth/refresh')).status).toBe(200);
    const late = await register();
    clock.advance(1_800_000 + 301_000);
    const refused = await withToken(late.token).post('/v1/auth/refresh');
    expect([refused.status, refused.body.code]).toEqual([401, 'TOKEN_EXPIRED']);
    expect(refused.body.detail).toBe('Token expired beyond grace period');
  });

  it('stay usable for five seconds after they are renewed (platform A-10)', async () => {
    const { token } = await register();
    const renewed = await withToken(token).post('/v1/auth/refresh');
    expect(renewed.body).toMatchObject({ message: 'Session refreshed successfully', expires_in: 1800 });
    clock.advance(4_000);
    expect((await withToken(token).get('/v1/auth/me')).status).toBe(200);
    expect((await withToken(token).post('/v1/auth/refresh')).status).toBe(200);
    clock.advance(1_000);
    for (const answer of [await withToken(token).get('/v1/auth/me'), await withToken(token).post('/v1/auth/refresh')]) {
      expect([answer.status, answer.body.detail]).toEqual([401, 'Token has been revoked']);
    }
    expect((await withToken(renewed.body.token).get('/v1/auth/me')).status).toBe(200);
  });

  it('end at logout, which always succeeds (platform A-11)', async () => {
    const { token, answer } = await register();
    expect((await withToken(token).get('/v1/auth/me')).status).toBe(200);
    for (const client of [withToken(token), withToken(token), open, withToken('nonsense')]) {
      const logout = await client.post('/v1/auth/logout');
      expect([logout.status, logout.body]).toEqual([200, { message: 'Logout successful' }]);
    }
    expect((await withToken(token).get('/v1/auth/me')).status).toBe(401);
    expect((await withToken(token).post('/v1/auth/refresh')).status).toBe(401);
    expect(await auditOf(answer.body.user.id)).toContain('logout');
  });

  it('end within five seconds of a deactivation or a new session version (platform A-4, A-7)', async () => {
    for (const change of [sql`is_active = false`, sql`session_version = session_version + 1`]) {
      const { token, email } = await register();
      expect((await withToken(token).get('/v1/user')).status).toBe(200);
      await service.store.transaction('kernel', (tx) =>
        tx.query(sql`UPDATE kernel_user SET ${change} WHERE email = ${email}`),
      );
      clock.advance(5_000);
      expect((await withToken(token).get('/v1/user')).status).toBe(401);
      expect((await withToken(token).post('/v1/auth/refresh')).status).toBe(401);
    }
  });
});

describe('forged tokens', () => {
  async function forge(claims: object, overrides: { secret?: string; issuer?: string; audience?: string } = {}) {
    const { answer } = await register();
    const seconds = Math.floor(clock.now().getTime() / 1000);
    const token = await new SignJWT({ user_id: answer.body.user.id, session_version: 1, type: 'access', ...claims })
      .setProtectedHeader({ alg: 'HS256' })
      .setJti('b6f4f5b6-6f1c-4f0c-9f0c-0c0c0c0c0c0c')
      .setIssuedAt(seconds)
      .setExpirationTime(seconds + 60)
      .setIssuer(overrides.issuer ?? 'pacioli-test')
      .setAudience(overrides.audience ?? 'pacioli-test')
      .sign(Buffer.from(overrides.secret ?? 'a secret that only tests know: 0123456789'));
    return { token, userId: answer.body.user.id as string };
  }

  it('are accepted as a control if nothing is changed', async () => {
    expect((await withToken((await forge({})).token).get('/v1/auth/me')).status).toBe(200);
  });

  it('are refused with 401 for a wrong key, issuer or audience, or a missing type (platform A-6)', async () => {
    const forged = [
      await forge({}, { secret: 'another secret of more than thirty-two bytes' }),
      await forge({}, { issuer: 'elsewhere' }),
      await forge({}, { audience: 'elsewhere' }),
      await forge({ type: undefined }),
      await forge({ session_version: '1' }),
    ];
    for (const { token } of forged) expect((await withToken(token).get('/v1/auth/me')).status).toBe(401);
  });

  it('are refused as bearer tokens when of another type, and audited as suspicious (platform A-6)', async () => {
    const { token, userId } = await forge({ type: 'mfa' });
    expect((await withToken(token).get('/v1/auth/me')).status).toBe(401);
    await service.service.services.resolve(backgroundWrites).drain();
    expect(await auditOf(userId)).toContain('suspicious_activity');
  });
});

describe('anonymous requests', () => {
  it('read the password policy, the strength of a password and the sign-in methods', async () => {
    const policy = await open.get('/v1/auth/password/policy');
    expect(policy.body.policy).toMatchObject({ min_length: 12, max_length: 128, min_strength_score: 60 });
    const check = await open.post('/v1/auth/password/check', { password, email: 'm.ito@x.org' });
    expect(check.body).toMatchObject({ is_valid: true, score: 100, strength: 'strong' });
    const providers = await open.get('/v1/auth/providers');
    expect(providers.body).toMatchObject({ password_auth: true, registration: true, passkeys: true });
    const captcha = await open.get('/v1/auth/captcha/config');
    expect(captcha.body).toEqual({ required: false, site_key: null, provider: 'none' });
  });
});
