import { isDeepStrictEqual } from 'node:util';
import type { RequestFacts } from '../audit/security-audit.ts';
import { AccessCache, accessCacheBounds } from '../auth/access-cache.ts';
import { appGrants, noAppGrants } from '../auth/app-grants.ts';
import { type Authenticator, authenticator, type Credentials } from '../auth/authenticator.ts';
import type { Identity } from '../auth/identity.ts';
import { badKey, badToken, sessionRequired } from '../auth/refusals.ts';
import { type VerifiedUsers, verifiedUsers } from '../auth/verified-users.ts';
import { provide } from '../container/provider.ts';
import type { Caller } from '../define/context.ts';
import type { AuthKind } from '../define/route.ts';
import { sha256 } from '../schema/canonical.ts';
import { normalEmail } from '../schema/email-address.ts';
import { type Clock, kernel } from '../services/kernel-tokens.ts';
import { kernelSettings } from '../settings/kernel-settings.ts';
import type { Store } from '../store/store.ts';
import { type GraphAccess, graphAccess } from '../tenancy/graph-access.ts';
import { enrollPerson, isEnrolled, type Person } from './directory.ts';

/** The credential of a request; an operation stream may send a bearer token in its query. */
export interface Credential {
  readonly kind: 'bearer' | 'api-key';
  readonly secret: string;
}

/** The users of a host. */
export interface OwnUsers {
  /** Returns the person of a credential, or undefined for one that is not valid. Called for every request. */
  findPerson(credential: Credential, request: RequestFacts): Promise<Person | undefined>;
}

/**
 * An identity with the users of the host: its own credentials, organizations and roles. The deployment then has no
 * accounts, so the routes, jobs and mails of accounts do not exist. Unknown persons are enrolled when they first call.
 */
export function ownIdentity(users: OwnUsers): Identity {
  return {
    providers: [
      provide(authenticator, {
        services: { store: kernel.store, clock: kernel.clock, settings: kernelSettings, access: graphAccess },
        create: ({ settings, ...use }): Authenticator =>
          new EnrollingAuthenticator(users, { ...use, maxGraphs: settings.orgs.maxGraphs }),
      }),
      // The service would not learn when the host deactivates a user, so it issues no tokens that outlive a session.
      provide(appGrants, { create: () => noAppGrants }),
      // The host verifies its users itself.
      provide(verifiedUsers, { create: (): VerifiedUsers => ({ requireVerified: async () => undefined }) }),
    ],
    contributions: [],
    routes: [],
    jobs: [],
    events: [],
  };
}

interface EnrollingServices {
  readonly store: Store;
  readonly clock: Clock;
  readonly access: GraphAccess;
  readonly maxGraphs: number;
}

/** Asks the host for the person of a credential, and enrolls them when the directory does not have them as given. */
class EnrollingAuthenticator implements Authenticator {
  readonly #users: OwnUsers;
  readonly #use: EnrollingServices;
  /** Persons by id, whose rows in the directory were as given a moment ago. */
  readonly #enrolled: AccessCache<Person>;

  constructor(users: OwnUsers, use: EnrollingServices) {
    this.#users = users;
    this.#use = use;
    this.#enrolled = new AccessCache(use.clock, accessCacheBounds);
  }

  async authenticate(
    credentials: Credentials,
    accepts: readonly AuthKind[],
    request: RequestFacts = {},
  ): Promise<Caller | undefined> {
    const credential = accepts.length === 0 ? undefined : credentialOf(credentials, accepts);
    if (credential === undefined) return undefined;
    const isKey = credential.kind === 'api-key';
    const found = await this.#users.findPerson(credential, request);
    if (found === undefined) throw isKey ? badKey() : badToken();
    if (isKey && !accepts.includes('api-key')) throw sessionRequired();
    const person = { ...found, email: usableEmail(found) };
    const isSame = (known: Person): boolean => isDeepStrictEqual(known, person);
    await this.#enrolled.get(person.userId, () => this.#enroll(person), isSame);
    const { userId, email, name, org } = person;
    const caller = { userId, email, name, orgId: org.id, orgRole: org.role };
    // The key's digest separates the rate limits of two keys of one user.
    return isKey
      ? { ...caller, credential: 'api_key', keyId: sha256(credential.secret) }
      : { ...caller, credential: 'jwt' };
  }

  forgetUser(userId: string): void {
    this.#enrolled.forgetKey(userId);
  }

  async #enroll(person: Person): Promise<Person> {
    const { store, clock, access, maxGraphs } = this.#use;
    if (await store.transaction('kernel', (tx) => isEnrolled(tx, person), { readOnly: true })) return person;
    await store.transaction('kernel', (tx) => enrollPerson(tx, person, { now: clock.now(), maxGraphs }));
    access.forgetUser(person.userId); // Their roles may have changed.
    return person;
  }
}

function usableEmail({ userId, email }: Person): string {
  const usable = normalEmail(email);
  if (usable === undefined) throw new Error(`The identity of the host gives ${userId} no usable email address.`);
  return usable;
}

function credentialOf(credentials: Credentials, accepts: readonly AuthKind[]): Credential | undefined {
  const { bearer, apiKey, queryToken } = credentials;
  // A bearer token counts even where it is not accepted, as for accounts (platform A-2).
  if (bearer !== undefined) {
    if (!accepts.includes('bearer')) throw badToken();
    return { kind: 'bearer', secret: bearer };
  }
  if (apiKey !== undefined) return { kind: 'api-key', secret: apiKey };
  if (queryToken === undefined || !accepts.includes('token-in-query')) return undefined;
  return { kind: 'bearer', secret: queryToken };
}
