import { sql } from 'kysely';
import type { RequestFacts, SecurityAudit } from '../../audit/security-audit.ts';
import { createToken, type Token } from '../../container/token.ts';
import { ServiceError } from '../../errors/service-error.ts';
import orgMemberAdded from '../../events/org-member-added.ts';
import userRegistered from '../../events/user-registered.ts';
import { normalEmail } from '../../schema/email-address.ts';
import type { EventPublisher } from '../../services/events.ts';
import type { Clock, Ids } from '../../services/kernel-tokens.ts';
import type { KernelSettings } from '../../settings/kernel-settings.ts';
import { type Store, StoreError, type Transaction } from '../../store/store.ts';
import { joinByInvitation } from '../invitations/invitation-rows.ts';
import type { SignedIn, SignIn } from '../sessions/sign-in.ts';
import {
  type AccountRow,
  accountByEmail,
  type FirstOrg,
  insertPersonalOrg,
  insertUser,
  type NewAccount,
} from './account-rows.ts';
import type { BruteForce } from './brute-force.ts';
import { type Captcha, requireCaptcha } from './captcha.ts';
import type { EmailVerification } from './email-verification.ts';
import { hashPassword, isForeignHash, isPassword } from './password-hash.ts';
import { checkPassword, type PasswordVerdict, requirePolicy } from './password-policy.ts';
import { normalName } from './profile-rules.ts';
import { badLogin, passwordsOff, refused } from './refusals.ts';

export interface Registration {
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly captcha_token?: string | null;
  readonly invite_token?: string | null;
}

interface AccountServices {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly settings: KernelSettings;
  readonly signIn: SignIn;
  readonly audit: SecurityAudit;
  readonly bruteForce: BruteForce;
  readonly captcha: Captcha;
  readonly verification: EmailVerification;
  readonly events: EventPublisher;
}

export const accounts: Token<Accounts> = createToken('kernel.accounts');

/** Creates accounts, and signs in with their passwords. */
export class Accounts {
  readonly #use: AccountServices;

  constructor(use: AccountServices) {
    this.#use = use;
  }

  /** True if registration does not require an invitation. */
  get isOpen(): boolean {
    return this.#use.settings.registration.open && this.acceptsPasswords;
  }

  /** True if this deployment accepts passwords (platform F-1). */
  get acceptsPasswords(): boolean {
    return this.#use.settings.auth.password;
  }

  /** Rates a password against the policy of this deployment. */
  judge(password: string, email?: string | null): PasswordVerdict {
    return checkPassword(password, email ?? undefined, this.#use.settings.auth.productNames);
  }

  /** Creates an account with a personal organization, or in the one that invited it (platform A-14, U-23). */
  async register(input: Registration, request: RequestFacts): Promise<SignedIn> {
    const { email, name } = this.#admitted(input);
    const { store, ids, clock, bruteForce, captcha, verification } = this.#use;
    // Only the client is delayed: otherwise anybody could lock out the owner of an address by registering it.
    await bruteForce.check({ ip: request.ip });
    await requireCaptcha(captcha, input.captcha_token, request.ip);
    const isTaken = await store.transaction('kernel', (tx) => accountByEmail(tx, email), { readOnly: true });
    if (isTaken !== undefined) throw await this.#emailTaken(isTaken.user_id, request);
    const passwordHash = await hashPassword(input.password);
    // The invitation link arrived by mail, which proves the address (platform U-23).
    const isVerified = !verification.isOn || input.invite_token != null;
    const account: NewAccount = { userId: ids.make('user'), email, name, passwordHash, isVerified, now: clock.now() };
    try {
      const org = await store.transaction('kernel', (tx) => this.#open(tx, account, input.invite_token, request));
      const next = isVerified ? '' : '. Please check your email to verify your account.';
      return await this.#use.signIn.open(rowOf(account, org), `User registered successfully${next}`, request);
    } catch (error) {
      // Two registrations of one address may race; the unique index accepts one.
      if (error instanceof StoreError && error.code === 'unique') throw await this.#emailTaken(undefined, request);
      throw error;
    }
  }

  /** Inserts the account into the inviting organization or a personal one, all or nothing (platform U-23). */
  async #open(
    tx: Transaction,
    account: NewAccount,
    inviteToken: string | null | undefined,
    request: RequestFacts,
  ): Promise<FirstOrg> {
    const { audit, events, ids, settings, verification } = this.#use;
    const { userId, email, now } = account;
    await insertUser(tx, account);
    let org: FirstOrg;
    if (inviteToken == null) {
      const maxGraphs = settings.orgs.maxGraphs;
      org = await insertPersonalOrg(tx, { orgId: ids.make('org'), graphs_max: maxGraphs, ownerId: userId, now });
    } else {
      org = await joinByInvitation(tx, { token: inviteToken, userId, email, now });
      const { orgId, role } = org;
      await events.publish(tx, orgMemberAdded, { org_id: orgId, user_id: userId, role });
      const details = { role };
      await audit.append(tx, { type: 'org_invitation_accepted', risk: 'low', userId, orgId, request, details });
    }
    if (!account.isVerified) await verification.begin(tx, { user_id: userId, email }, request);
    await events.publish(tx, userRegistered, { user_id: userId, org_id: org.orgId });
    const details = { method: 'registration' };
    await audit.append(tx, { type: 'auth_success', risk: 'low', userId, orgId: org.orgId, request, details });
    return org;
  }

  /**
   * Signs in with a password. Every refusal looks the same and takes as long (platform A-21); failures count for the
   * client and for the address, even if it has no account (platform A-20).
   */
  async login(input: { readonly email: string; readonly password: string }, request: RequestFacts): Promise<SignedIn> {
    if (!this.acceptsPasswords) throw passwordsOff();
    const { store, audit, bruteForce } = this.#use;
    const email = normalEmail(input.email);
    const attempt = { ip: request.ip, email };
    await bruteForce.check(attempt);
    const row =
      email === undefined
        ? undefined
        : await store.transaction('kernel', (tx) => accountByEmail(tx, email), { readOnly: true });
    const isRight = await isPassword(input.password, row?.password_hash);
    if (row === undefined || !isRight || !row.is_active) {
      const reason = row === undefined ? 'unknown_email' : isRight ? 'inactive' : 'wrong_password';
      const who = row === undefined ? {} : { userId: row.user_id };
      const details = { method: 'password', reason };
      await audit.record({ type: 'auth_failure', risk: 'medium', ...who, request, details });
      await bruteForce.failed(attempt);
      throw badLogin();
    }
    const next = await this.#use.signIn.afterSingleFactor(row, 'Login successful', request);
    const isDone = next.status === 'authenticated';
    await this.#noteLogin(row, input.password, { isDone, request });
    // Only a completed sign-in clears failures: a known password must not reset the count of second-factor failures.
    if (isDone) await bruteForce.succeeded(attempt);
    return next;
  }

  /** Records the login, and rehashes an imported user's password while it is available (platform A-23). */
  async #noteLogin(
    row: AccountRow,
    password: string,
    { isDone, request }: { isDone: boolean; request: RequestFacts },
  ): Promise<void> {
    const { store, audit } = this.#use;
    const { user_id: userId, password_hash: stored } = row;
    const isForeign = stored !== null && isForeignHash(stored);
    const hash = isForeign ? await hashPassword(password) : stored;
    await store.transaction('kernel', async (tx) => {
      if (isForeign) {
        // Replaces only the hash that was compared: the password may have changed concurrently.
        await tx.query(sql`
          UPDATE kernel_user SET password_hash = ${hash} WHERE id = ${userId} AND password_hash = ${stored}`);
      }
      if (!isDone) return;
      await audit.append(tx, { type: 'auth_success', risk: 'low', userId, request, details: { method: 'password' } });
    });
  }

  #admitted(input: Registration): { readonly email: string; readonly name: string } {
    // An invitation works while registration is closed (platform U-23).
    if (!this.isOpen && (input.invite_token == null || !this.acceptsPasswords)) {
      const message = 'Registration is closed at the moment. Ask the operator of this service for an account.';
      throw new ServiceError('unavailable', 'REGISTRATION_DISABLED', message, { headers: { 'Retry-After': '3600' } });
    }
    const email = normalEmail(input.email);
    if (email === undefined) throw refused('Invalid email format');
    const name = normalName(input.name);
    if (name === undefined) throw refused('Invalid name: give 1 to 100 characters without markup');
    requirePolicy(input.password, email, this.#use.settings.auth.productNames);
    return { email, name };
  }

  async #emailTaken(userId: string | undefined, request: RequestFacts): Promise<ServiceError> {
    const details = { method: 'registration', reason: 'email_taken' };
    const who = userId === undefined ? {} : { userId };
    await this.#use.audit.record({ type: 'auth_failure', risk: 'low', ...who, request, details });
    await this.#use.bruteForce.failed({ ip: request.ip });
    return new ServiceError('conflict', 'ALREADY_EXISTS', 'Email already registered');
  }
}

function rowOf(account: NewAccount, org: FirstOrg): Omit<AccountRow, 'password_hash'> {
  return {
    user_id: account.userId,
    email: account.email,
    name: account.name,
    is_active: true,
    email_verified: account.isVerified,
    session_version: 1,
    org_id: org.orgId,
    org_name: org.orgName,
    org_type: org.orgType,
    org_role: org.role,
  };
}
