import { SoftwareAuthenticator, type TestClient, type TestService } from '@pacioli/testing';
import { sql } from 'kysely';
import { backgroundWrites } from '../../src/audit/security-audit.ts';
import type { KernelSecurityAudit } from '../../src/rows.gen.ts';

export const password = 'Harbour-Lantern-42';
export const place = { origin: 'http://localhost:8000', rpId: 'localhost' } as const;

/** A registered user with a session. */
export interface Person {
  readonly id: string;
  readonly email: string;
  readonly client: TestClient;
}

let counter = 0;

export async function register(service: TestService, word = 'lena'): Promise<Person> {
  counter += 1;
  const email = `${word}${counter}@example.org`;
  const answer = await service.anonymous.post('/v1/auth/register', { name: 'Lena', email, password });
  if (answer.status !== 201) throw new Error(`The user was refused: ${JSON.stringify(answer.body)}`);
  const client = service.anonymous.withHeaders({ authorization: `Bearer ${answer.body.token}` });
  return { id: answer.body.user.id, email, client };
}

export function login(service: TestService, { email }: Person) {
  return service.anonymous.post('/v1/auth/login', { email, password });
}

/** Enrolls a passkey in the settings lane, with the password as proof. */
export async function enroll(person: Person, device = new SoftwareAuthenticator(place), name?: string) {
  const options = await person.client.post('/v1/auth/passkeys/register/options', { password });
  if (options.status !== 200) throw new Error(`There are no options: ${JSON.stringify(options.body)}`);
  const credential = device.create(options.body.options);
  const answer = await person.client.post('/v1/auth/passkeys/register/verify', { credential, name });
  return { device, answer, codes: answer.body.recovery_codes as string[], id: answer.body.passkey?.id as string };
}

/** Signs the second factor of a pending login. */
export async function secondFactorOf(service: TestService, mfaToken: string, device: SoftwareAuthenticator) {
  const options = await service.anonymous.post('/v1/auth/mfa/options', { mfa_token: mfaToken });
  return { mfa_token: mfaToken, assertion: device.get(options.body.options) };
}

/** Makes a fresh assertion for a sensitive change. */
export async function reauthAssertion({ client }: Person, device: SoftwareAuthenticator) {
  const options = await client.post('/v1/auth/passkeys/reauth/options');
  return device.get(options.body.options);
}

/** Lists the audit rows of a user, oldest first. */
export async function auditOf(service: TestService, { id }: Person) {
  await service.service.services.resolve(backgroundWrites).drain();
  return service.store.transaction('kernel', (tx) =>
    tx.query<Pick<KernelSecurityAudit, 'event_type'> & { details: Record<string, unknown> }>(
      sql`SELECT event_type, details FROM kernel_security_audit WHERE user_id = ${id} ORDER BY id`,
    ),
  );
}
