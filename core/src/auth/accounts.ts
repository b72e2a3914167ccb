import type { RequestFacts, SecurityAudit } from '../audit/security-audit.ts';
import { ServiceError } from '../errors/service-error.ts';
import orgMemberAdded from '../events/org-member-added.ts';
import userRegistered from '../events/user-registered.ts';
import type { EventPublisher } from '../services/events.ts';
import type { Clock, Ids } from '../services/kernel-tokens.ts';
import { createToken, type Token } from '../services/token.ts';
import type { KernelSettings } from '../settings/kernel-settings.ts';
import { type Store, StoreError, type Transaction } from '../store/store.ts';
import { joinByInvitation } from '../tenancy/invitation-rows.ts';
import {
  type AccountRow,
  accountByEmail,
  accountById,
  type FirstOrg,
  insertPersonalOrg,
  insertUser,
  type NewAccount,
  revocationOf,
  revokeSession,
} from './account-reads.ts';
import type { Authenticator } from './authenticate.ts';
import { hashPassword, isPassword } from './password-hash.ts';
import { checkPassword, type PasswordVerdict } from './password-policy.ts';
import { normalEmail, normalName } from './person-rules.ts';
import { authenticationRequired, badLogin, badToken } from './refusals.ts';
import { refresh_grace_seconds, type Session, type SessionTokens } from './session-token.ts';
import type { SignedIn, SignIn } from './sign-in.ts';

/** A session that was renewed stays usable so long, for requests under way (platform A-10). */
const renewed_seconds_usable = 5;

export interface Registration {
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly invite_token?: string | null;
}

interface AccountNeeds {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly settings: KernelSettings;
  readonly tokens: SessionTokens;
  readonly signIn: SignIn;
  readonly audit: SecurityAudit;
  readonly authenticator: Authenticator;
  readonly events: EventPublisher;
}

export const accounts: Token<Accounts> = createToken('kernel.accounts');

/** Opens accounts and sessions, renews and ends them. */
export class Accounts {
  readonly #use: AccountNeeds;

  constructor(use: AccountNeeds) {
    this.#use = use;
  }

  /** Whether anybody may register. */
  get isOpen(): boolean {
    return this.#use.settings.registration.open;
  }

  /** What the deployment thinks of a password. */
  judge(password: string, email?: string | null): PasswordVerdict {
    return checkPassword(password, email ?? undefined, this.#use.settings.auth.productNames);
  }

  /** Opens an account with a personal organisation, or in the one that invited it (platform A-14, U-23). */
  async register(input: Registration, request: RequestFacts): Promise<SignedIn> {
    const { email, name } = this.#admitted(input);
    const { store, ids, clock } = this.#use;
    const isTaken = await store.transaction('kernel', (tx) => accountByEmail(tx, email), { readOnly: true });
    if (isTaken !== undefined) throw await this.#emailTaken(isTaken.user_id, request);
    const passwordHash = await hashPassword(input.password);
    const account: NewAccount = { userId: ids.make('user'), email, name, passwordHash, now: clock.now() };
    try {
      const org = await store.transaction('kernel', (tx) => this.#open(tx, account, input.invite_token, request));
      return await this.#use.signIn.open(rowOf(account, org), 'User registered successfully');
    } catch (error) {
      // Two registrations of one address may race; the unique index lets one through.
      if (error instanceof StoreError && error.code === 'unique') throw await this.#emailTaken(undefined, request);
      throw error;
    }
  }

  /** Writes the account in the organisation that invited it, or in one of its own; all or nothing (platform U-23). */
  async #open(
    tx: Transaction,
    account: NewAccount,
    inviteToken: string | null | undefined,
    request: RequestFacts,
  ): Promise<FirstOrg> {
    const { audit, events, ids, settings } = this.#use;
    const { userId, email, now } = account;
    await insertUser(tx, account);
    let org: FirstOrg;
    if (inviteToken == null) {
      const graphs_max = settings.orgs.maxGraphs;
      org = await insertPersonalOrg(tx, { orgId: ids.make('org'), graphs_max, ownerId: userId, now });
    } else {
      org = await joinByInvitation(tx, { token: inviteToken, userId, email, now });
      const { orgId, role } = org;
      await events.publish(tx, orgMemberAdded, { org_id: orgId, user_id: userId, role });
      const details = { role };
      await audit.append(tx, { type: 'org_invitation_accepted', risk: 'low', userId, orgId, request, details });
    }
    await events.publish(tx, userRegistered, { user_id: userId, org_id: org.orgId });
    const details = { method: 'registration' };
    await audit.append(tx, { type: 'auth_success', risk: 'low', userId, orgId: org.orgId, request, details });
    return org;
  }

  /** Opens a session. Every reason to refuse looks and costs the same (platform A-21). */
  async login(input: { readonly email: string; readonly password: string }, request: RequestFacts): Promise<SignedIn> {
    const { store, audit } = this.#use;
    const email = normalEmail(input.email);
    const row =
      email === undefined
        ? undefined
        : await store.transaction('kernel', (tx) => accountByEmail(tx, email), { readOnly: true });
    const isRight = await isPassword(input.password, row?.password_hash);
    const who = row === undefined ? {} : { userId: row.user_id };
    if (row === undefined || !isRight || !row.is_active) {
      const reason = row === undefined ? 'unknown_email' : isRight ? 'inactive' : 'wrong_password';
      await audit.record({
        type: 'auth_failure',
        risk: 'medium',
        ...who,
        request,
        details: { method: 'password', reason },
      });
      throw badLogin();
    }
    await audit.record({ type: 'auth_success', risk: 'low', ...who, request, details: { method: 'password' } });
    return this.#use.signIn.afterSingleFactor(row, 'Login successful');
  }

  /** A new session for one that lasts or ended at most five minutes ago (platform A-10). */
  async refresh(token: string | undefined, request: RequestFacts): Promise<SignedIn> {
    if (token === undefined || token === '') throw authenticationRequired();
    const check = await this.#use.tokens.read(token, refresh_grace_seconds);
    if (!check.ok && check.reason === 'expired') throw badToken('Token expired beyond grace period', 'TOKEN_EXPIRED');
    if (!check.ok) throw badToken();
    const { session } = check;
    const { store, clock, audit } = this.#use;
    const row = await store.transaction('kernel', async (tx) => {
      const account = await accountById(tx, session.userId);
      if (account === undefined || !account.is_active || account.session_version !== session.sessionVersion)
        throw badToken();
      const now = clock.now();
      const revocation = await revocationOf(tx, session.jti);
      if (revocation !== undefined && revocation.usable_until <= now) throw badToken('Token has been revoked');
      const usableUntil = new Date(now.getTime() + renewed_seconds_usable * 1000);
      await revokeSession(tx, {
        jti: session.jti,
        reason: 'session_refresh',
        usableUntil,
        expiresAt: forgottenAt(session),
      });
      await audit.append(tx, { type: 'token_refresh', risk: 'low', userId: session.userId, request });
      return account;
    });
    return this.#use.signIn.open(row, 'Session refreshed successfully');
  }

  /** Ends a session; without a valid one nothing is done (platform A-11). */
  async logout(token: string | undefined, request: RequestFacts): Promise<void> {
    const check = token === undefined ? undefined : await this.#use.tokens.read(token, refresh_grace_seconds);
    if (check?.ok !== true) return;
    const { session } = check;
    const { store, clock, audit, authenticator } = this.#use;
    await store.transaction('kernel', async (tx) => {
      if ((await accountById(tx, session.userId)) === undefined) return;
      const entry = {
        jti: session.jti,
        reason: 'user_logout',
        usableUntil: clock.now(),
        expiresAt: forgottenAt(session),
      };
      await revokeSession(tx, entry);
      await audit.append(tx, { type: 'logout', risk: 'low', userId: session.userId, request });
    });
    authenticator.forgetUser(session.userId);
  }

  /** The account of a signed-in user. */
  async find(userId: string): Promise<AccountRow> {
    const row = await this.#use.store.transaction('kernel', (tx) => accountById(tx, userId), { readOnly: true });
    if (row === undefined) throw badToken();
    return row;
  }

  #admitted(input: Registration): { readonly email: string; readonly name: string } {
    // Platform U-23: an invitation works while registration is closed.
    if (!this.isOpen && input.invite_token == null) {
      const message = 'Registration is closed at the moment. Ask the operator of this service for an account.';
      throw new ServiceError('unavailable', 'REGISTRATION_DISABLED', message, { headers: { 'Retry-After': '3600' } });
    }
    const email = normalEmail(input.email);
    if (email === undefined) throw refused('Invalid email format');
    const name = normalName(input.name);
    if (name === undefined) throw refused('Invalid name: give 1 to 100 characters without markup');
    const verdict = this.judge(input.password, email);
    if (!verdict.is_valid) throw refused(`Password requirements not met: ${verdict.errors.join(', ')}`);
    return { email, name };
  }

  async #emailTaken(userId: string | undefined, request: RequestFacts): Promise<ServiceError> {
    const details = { method: 'registration', reason: 'email_taken' };
    const who = userId === undefined ? {} : { userId };
    await this.#use.audit.record({ type: 'auth_failure', risk: 'low', ...who, request, details });
    return new ServiceError('conflict', 'ALREADY_EXISTS', 'Email already registered');
  }
}

/** An ended session could still be renewed within the grace time, so its entry is kept that much longer. */
function forgottenAt(session: Session): Date {
  return new Date(session.expiresAt.getTime() + refresh_grace_seconds * 1000);
}

function rowOf(account: NewAccount, org: FirstOrg): Omit<AccountRow, 'password_hash'> {
  return {
    user_id: account.userId,
    email: account.email,
    name: account.name,
    is_active: true,
    email_verified: true,
    session_version: 1,
    org_id: org.orgId,
    org_name: org.orgName,
    org_type: org.orgType,
    org_role: org.role,
  };
}

function refused(message: string): ServiceError {
  return new ServiceError('refused', 'INVALID_INPUT', message);
}
