/** @module-tag sessions */
import { fixedClock, joinTeam, orgIdOf, startTestService, type TestService, teamSettings } from '@pacioli/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Mail, MailMessage } from '../../mail/mail.ts';

const password = 'Harbour-Lantern-42';
const clock = fixedClock('2026-03-02T09:00:00Z');
let service: TestService;
beforeAll(async () => {
  service = await startTestService({ plugins: [], clock, settings: teamSettings, worker: false });
});
afterAll(() => service.close());

let people = 0;
async function newTeam() {
  const owner = await service.newUser('Ann');
  const orgId = await orgIdOf(owner);
  return { owner, orgId, path: `/v1/orgs/${orgId}/invitations` };
}

function newEmail(): string {
  people += 1;
  return `guest-${people}@example.org`;
}

async function register(email: string, token: string | null, at: TestService = service) {
  return at.anonymous.post('/v1/auth/register', { name: 'Mika Ito', email, password, invite_token: token });
}

const preview = async (token: string): Promise<number> =>
  (await service.anonymous.get(`/v1/auth/invitations/${token}`)).status;

describe('an invitation', () => {
  it('adds a new user to the organization, which becomes a team (platform U-2, U-22, U-23)', async () => {
    const { owner, orgId, path } = await newTeam();
    const email = newEmail();
    const invited = await owner.post(path, { email: `  ${email.toUpperCase()} `, role: 'admin' });
    expect(invited.status).toBe(201);
    expect(invited.body).toMatchObject({
      org_id: orgId,
      email,
      role: 'admin',
      status: 'pending',
      invited_by_name: 'Ann',
      expires_at: '2026-03-09T09:00:00.000Z',
      is_expired: false,
    });
    const seen = await service.anonymous.get(`/v1/auth/invitations/${invited.body.token}`);
    expect(seen.body).toEqual({
      org_name: 'My Organization',
      email,
      role: 'admin',
      expires_at: '2026-03-09T09:00:00.000Z',
    });
    const joined = await register(email, invited.body.token);
    expect([joined.status, joined.body.org]).toEqual([201, { id: orgId, name: 'My Organization', type: 'team' }]);
    expect(joined.body.user.email_verified).toBe(true);
    expect((await owner.get(`/v1/orgs/${orgId}/members`)).body.members).toMatchObject([
      { name: 'Ann', role: 'owner' },
      { email, role: 'admin' },
    ]);
    expect(await preview(invited.body.token)).toBe(404);
    expect((await owner.get(path)).body.total).toBe(0);
  });

  it('is accepted only by the invited address, and only once (platform U-23)', async () => {
    const { owner, path } = await newTeam();
    const email = newEmail();
    const { token } = (await owner.post(path, { email })).body;
    const other = await register(newEmail(), token);
    expect([other.status, other.body.detail]).toEqual([400, 'This invitation was issued to a different email address']);
    const both = await Promise.all([register(email, token), register(email, token)]);
    expect(both.map(({ status }) => status).sort()).not.toEqual([201, 201]);
    expect(both.filter(({ status }) => status === 201)).toHaveLength(1);
    expect((await register(newEmail(), token)).status).toBe(400);
  });

  it('is refused for a known or already invited address, and for the owner role (platform U-20)', async () => {
    const { owner, path } = await newTeam();
    const email = newEmail();
    const member = await joinTeam(service, owner);
    const invite = async (body: object) => {
      const answer = await owner.post(path, body);
      return [answer.status, answer.body.code];
    };
    expect(await invite({ email: member.email })).toEqual([409, 'ALREADY_EXISTS']);
    expect(await invite({ email, role: 'owner' })).toEqual([400, 'INVALID_INPUT']);
    expect(await invite({ email: 'nobody@nowhere' })).toEqual([400, 'INVALID_INPUT']);
    const twice = await Promise.all([owner.post(path, { email }), owner.post(path, { email })]);
    expect(twice.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect((await member.client.post(path, { email: newEmail() })).status).toBe(403);
    expect((await member.client.get(path)).status).toBe(403);
  });

  it('gets a new link and expiry when resent; a revoked one stays revoked (platform U-21)', async () => {
    const { owner, path } = await newTeam();
    const email = newEmail();
    // Uses a key, because the session expires before the invitation does.
    const { key } = (await owner.post('/v1/user/api-keys', { name: 'Invitations' })).body;
    const manager = service.anonymous.withHeaders({ 'x-api-key': key });
    const first = (await manager.post(path, { email })).body;
    clock.advance(8 * 86_400_000);
    expect(await preview(first.token)).toBe(404);
    expect((await register(email, first.token)).status).toBe(400);
    expect((await manager.get(path)).body.invitations).toMatchObject([{ id: first.id, is_expired: true, token: null }]);
    const resent = (await manager.post(`${path}/${first.id}/resend`)).body;
    expect([resent.is_expired, resent.expires_at]).toEqual([false, '2026-03-17T09:00:00.000Z']);
    expect([await preview(first.token), await preview(resent.token)]).toEqual([404, 200]);
    expect((await manager.request('DELETE', `${path}/${first.id}`)).status).toBe(204);
    expect(await preview(resent.token)).toBe(404);
    expect((await register(email, resent.token)).status).toBe(400);
    const late = await manager.post(`${path}/${first.id}/resend`);
    expect([late.status, late.body.code]).toEqual([409, 'INVALID_STATE']);
    expect((await manager.request('DELETE', `${path}/${first.id}`)).status).toBe(409);
    expect((await manager.request('DELETE', `${path}/orginv_unknown`)).status).toBe(404);
  });

  it('is stored only with the digest of its token (platform U-21)', async () => {
    const { owner, path } = await newTeam();
    const { id, token } = (await owner.post(path, { email: newEmail() })).body;
    const rows = await service.store.transaction('kernel', (tx) =>
      tx.query(sql`SELECT * FROM kernel_org_invitation WHERE id = ${id}`),
    );
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(token);
  });
});

describe('invitations of a deployment', () => {
  const sent: MailMessage[] = [];
  const mail: Mail = { delivery: 'people', send: async (message) => void sent.push(message) };

  it('can be listed and revoked with the feature off, but new ones are 501 (platform U-20)', async () => {
    const off = await startTestService({ plugins: [], worker: false });
    const owner = await off.newUser('Ann');
    const path = `/v1/orgs/${await orgIdOf(owner)}/invitations`;
    const refused = await owner.post(path, { email: newEmail() });
    expect([refused.status, refused.body.code]).toEqual([501, 'FEATURE_DISABLED']);
    expect((await owner.post(`${path}/orginv_unknown/resend`)).status).toBe(501);
    expect((await owner.get(path)).body).toMatchObject({ invitations: [], total: 0 });
    expect((await owner.request('DELETE', `${path}/orginv_unknown`)).status).toBe(404);
    await off.close();
  });

  it('are accepted only from verified inviters if addresses are verified (platform A-15)', async () => {
    const verifying = await startTestService({ plugins: [], worker: false, mail, settings: teamSettings });
    const owner = await verifying.newUser('Ann');
    const path = `/v1/orgs/${await orgIdOf(owner)}/invitations`;
    const refused = await owner.post(path, { email: newEmail() });
    expect([refused.status, refused.body.code]).toEqual([403, 'EMAIL_NOT_VERIFIED']);
    await verifying.store.transaction('kernel', (tx) => tx.query(sql`UPDATE kernel_user SET email_verified = true`));
    expect((await owner.post(path, { email: newEmail() })).status).toBe(201);
    await verifying.close();
  });

  it('send the link only by mail, and work while registration is closed (platform U-23, U-24)', async () => {
    const first = await startTestService({ plugins: [], worker: false });
    const owner = await first.newUser('Ann');
    const closed = await startTestService({
      plugins: [],
      store: first.store,
      mail,
      settings: { ...teamSettings, publicUrl: 'https://books.example.org', registration: { open: false } },
    });
    const manager = closed.anonymous.withHeaders(owner.headers);
    const email = newEmail();
    const invited = await manager.post(`/v1/orgs/${await orgIdOf(manager)}/invitations`, { email });
    expect([invited.status, invited.body.token]).toEqual([201, null]);
    await expect.poll(() => sent.length, { timeout: 300_000 }).toBe(1);
    expect(sent[0]).toMatchObject({ to: email, subject: 'Ann invites you to My Organization' });
    const token = /https:\/\/books\.example\.org\/register\?invite_token=(\S+)/.exec(sent[0]?.text ?? '')?.[1] ?? '';
    expect((await register(newEmail(), null, closed)).status).toBe(503);
    const settings = { ...teamSettings, auth: { password: false } };
    const withoutPasswords = await startTestService({ plugins: [], store: first.store, worker: false, settings });
    expect((await register(email, token, withoutPasswords)).status).toBe(503);
    await withoutPasswords.close();
    const joined = await register(email, token, closed);
    expect([joined.status, joined.body.user.email_verified]).toEqual([201, true]);
    await closed.close();
    await first.close();
  });
});
