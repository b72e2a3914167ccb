import { sql } from 'kysely';
import type { RequestFacts, SecurityAudit } from '../../audit/security-audit.ts';
import type { Authenticator } from '../../auth/authenticator.ts';
import { badToken } from '../../auth/refusals.ts';
import {
  type Collection,
  type CollectionEntry,
  createCollection,
  createToken,
  type Token,
} from '../../container/token.ts';
import type { Caller } from '../../define/context.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { normalEmail } from '../../schema/email-address.ts';
import type { Clock } from '../../services/kernel-tokens.ts';
import type { KernelSettings } from '../../settings/kernel-settings.ts';
import { type Store, StoreError, type Transaction } from '../../store/store.ts';
import { emailChangedMail, passwordChangedMail } from '../mails/account-mails.ts';
import type { MailQueue } from '../mails/mail-queue.ts';
import { type AccountRow, accountByEmail, accountById, endSessionsOf, storePassword } from './account-rows.ts';
import type { BruteForce } from './brute-force.ts';
import type { EmailVerification } from './email-verification.ts';
import { hashPassword, isPassword } from './password-hash.ts';
import { requirePolicy } from './password-policy.ts';
import { normalName } from './profile-rules.ts';
import type { Reauthentication } from './reauthentication.ts';
import { refused } from './refusals.ts';
import { dropUserTokens } from './user-tokens.ts';

/** An account at an identity provider that signs in as this user (platform U-11). */
export interface LinkedIdentity {
  readonly provider: string;
  readonly provider_type: string;
  readonly provider_account_id: string;
}

/** Lists linked identities; contributed by the plugin that links them. */
export interface IdentityLinks extends CollectionEntry {
  linksOf(tx: Transaction, userId: string): Promise<readonly LinkedIdentity[]>;
}

export const identityLinks: Collection<IdentityLinks> = createCollection('kernel.identity-links');

export interface PasswordChange {
  readonly current_password: string;
  readonly new_password: string;
  readonly confirm_password: string;
}

export interface ProfileChange {
  readonly name?: string | null;
  readonly email?: string | null;
  readonly reauth_password?: string | null;
  readonly reauth_assertion?: unknown;
}

/** A user's own profile. */
export interface ProfileView {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly email_verified: boolean;
  readonly accounts: readonly LinkedIdentity[];
}

interface ProfileServices {
  readonly store: Store;
  readonly clock: Clock;
  readonly settings: KernelSettings;
  readonly mails: MailQueue;
  readonly audit: SecurityAudit;
  readonly authenticator: Authenticator;
  readonly bruteForce: BruteForce;
  readonly reauthentication: Reauthentication;
  readonly verification: EmailVerification;
  readonly links: readonly IdentityLinks[];
}

/** Changes a user's own name, address and password (platform ). */
export class Profile {
  readonly #use: ProfileServices;

  constructor(use: ProfileServices) {
    this.#use = use;
  }

  /** Returns the caller's account with its linked identities. */
  view(caller: Caller): Promise<ProfileView> {
    return this.#use.store.transaction('kernel', (tx) => this.#viewOf(tx, caller.userId), { readOnly: true });
  }

  /** Sets a new password and ends every session of the user. Throws 400 with the reason, 429 for guessing. */
  async changePassword(caller: Caller, change: PasswordChange, request: RequestFacts): Promise<void> {
    const { settings, bruteForce, authenticator } = this.#use;
    const { row } = await this.#read(caller.userId);
    if (row.password_hash === null) throw refused('User has no password set');
    const attempt = { ip: request.ip, email: row.email };
    await bruteForce.check(attempt);
    if (!(await isPassword(change.current_password, row.password_hash))) {
      await bruteForce.failed(attempt);
      throw refused('Current password is incorrect');
    }
    await bruteForce.succeeded(attempt);
    if (change.new_password !== change.confirm_password) throw refused('The two new passwords differ');
    if (change.new_password === change.current_password) throw refused('The new password is the current one');
    requirePolicy(change.new_password, row.email, settings.auth.productNames);
    await this.#storePassword(row, await hashPassword(change.new_password), { caller, request });
    authenticator.forgetUser(row.user_id);
  }

  /** Changes name and address, whichever is given; a new address requires a fresh proof (platform A-28). */
  async update(caller: Caller, change: ProfileChange, request: RequestFacts): Promise<ProfileView> {
    const { store, reauthentication, authenticator } = this.#use;
    const { row, isFederated } = await this.#read(caller.userId);
    const name = change.name == null ? row.name : normalName(change.name);
    if (name === undefined) throw refused('Invalid name: give 1 to 100 characters without markup');
    const email = change.email == null ? row.email : normalEmail(change.email);
    if (email === undefined) throw refused('Invalid email format');
    if (email !== row.email) {
      if (isFederated) throw addressOfDirectory();
      const proof = { password: change.reauth_password, assertion: change.reauth_assertion };
      await reauthentication.prove(row.user_id, proof, request);
    }
    try {
      const view = await store.transaction('kernel', async (tx) => {
        if (name !== row.name) await this.#rename(tx, name, { caller, request });
        if (email !== row.email) await this.#readdress(tx, { row, email, caller, request });
        return this.#viewOf(tx, row.user_id);
      });
      authenticator.forgetUser(row.user_id);
      return view;
    } catch (error) {
      // Two changes to one address may race; the unique index accepts one.
      if (error instanceof StoreError && error.code === 'unique') throw emailTaken();
      throw error;
    }
  }

  async #storePassword(row: AccountRow, hash: string, by: { caller: Caller; request: RequestFacts }): Promise<void> {
    const { store, clock, audit, mails, settings } = this.#use;
    await store.transaction('kernel', async (tx) => {
      await storePassword(tx, row.user_id, hash, clock.now());
      await dropUserTokens(tx, row.user_id, 'password_reset');
      await audit.append(tx, { type: 'password_changed', risk: 'medium', ...by });
      await mails.queue(tx, passwordChangedMail(row.email, settings.publicUrl));
    });
  }

  async #rename(tx: Transaction, name: string, by: { caller: Caller; request: RequestFacts }): Promise<void> {
    const { clock, audit } = this.#use;
    await tx.query(
      sql`UPDATE kernel_user SET name = ${name}, updated_at = ${clock.now()} WHERE id = ${by.caller.userId}`,
    );
    await audit.append(tx, { type: 'user_updated', risk: 'low', ...by, details: { fields: ['name'] } });
  }

  async #readdress(
    tx: Transaction,
    { row, email, caller, request }: { row: AccountRow; email: string; caller: Caller; request: RequestFacts },
  ): Promise<void> {
    const { clock, audit, mails, settings, verification } = this.#use;
    if ((await accountByEmail(tx, email)) !== undefined) throw emailTaken();
    const isVerified = !verification.isOn;
    await tx.query(sql`
      UPDATE kernel_user SET email = ${email}, email_verified = ${isVerified} WHERE id = ${row.user_id}`);
    await endSessionsOf(tx, row.user_id, clock.now());
    await dropUserTokens(tx, row.user_id, 'password_reset');
    await audit.append(tx, { type: 'user_updated', risk: 'medium', caller, request, details: { fields: ['email'] } });
    await mails.queue(tx, emailChangedMail(row.email, settings.publicUrl));
    if (!isVerified) await verification.begin(tx, { user_id: row.user_id, email }, request);
  }

  #read(userId: string): Promise<{ readonly row: AccountRow; readonly isFederated: boolean }> {
    return this.#use.store.transaction(
      'kernel',
      async (tx) => {
        const row = await accountById(tx, userId);
        if (row === undefined) throw badToken();
        const links = await this.#linksOf(tx, userId);
        return { row, isFederated: row.password_hash === null || links.length > 0 };
      },
      { readOnly: true },
    );
  }

  async #viewOf(tx: Transaction, userId: string): Promise<ProfileView> {
    const row = await accountById(tx, userId);
    if (row === undefined) throw badToken();
    const { name, email, email_verified } = row;
    return { id: row.user_id, name, email, email_verified, accounts: await this.#linksOf(tx, userId) };
  }

  async #linksOf(tx: Transaction, userId: string): Promise<readonly LinkedIdentity[]> {
    const links: LinkedIdentity[] = [];
    for (const entry of this.#use.links) links.push(...(await entry.linksOf(tx, userId)));
    return links;
  }
}

export const profile: Token<Profile> = createToken('kernel.profile');

function emailTaken(): ServiceError {
  return new ServiceError('conflict', 'ALREADY_EXISTS', 'Email already registered');
}

function addressOfDirectory(): ServiceError {
  const message = 'Your identity provider owns your email address. Ask its administrator to change it.';
  return new ServiceError('forbidden', 'FORBIDDEN', message);
}
