import type { GivenSettings } from '@pacioli/core/assembly';
import type { TestService } from './start-test-service.ts';
import type { TestClient } from './test-client.ts';

/** The settings that `joinTeam` requires: invitations are on and show their tokens. */
export const teamSettings: GivenSettings = { orgs: { invitations: true, showInvitationTokens: true } };

/** Test users share a password that the policy accepts. */
const password = 'Harbour-Lantern-42';

/** A member of an organization. */
export interface TeamMember {
  readonly client: TestClient;
  readonly userId: string;
  readonly email: string;
}

let joined = 0;

/** Returns the organization of a user. */
export async function orgIdOf(client: TestClient): Promise<string> {
  const answer = await client.get('/v1/orgs');
  return answer.body.orgs[0].id;
}

/** Invites a new user into the owner's organization and registers them by the invitation. */
export async function joinTeam(
  service: TestService,
  owner: TestClient,
  role: 'admin' | 'member' = 'member',
): Promise<TeamMember> {
  joined += 1;
  const email = `teammate-${joined}@example.org`;
  const invited = await owner.post(`/v1/orgs/${await orgIdOf(owner)}/invitations`, { email, role });
  if (invited.status !== 201) {
    throw new Error(`The invitation was refused: ${invited.status} ${JSON.stringify(invited.body)}`);
  }
  const answer = await service.anonymous.post('/v1/auth/register', {
    name: `Teammate ${joined}`,
    email,
    password,
    invite_token: invited.body.token,
  });
  if (answer.status !== 201) throw new Error(`The user was refused: ${answer.status} ${JSON.stringify(answer.body)}`);
  const client = service.anonymous.withHeaders({ authorization: `Bearer ${answer.body.token}` });
  return { client, userId: answer.body.user.id, email };
}
