import { sql } from 'kysely';
import type { RequestFacts, SecurityAudit } from '../../audit/security-audit.ts';
import type { Authenticator } from '../../auth/authenticator.ts';
import { createToken, type Token } from '../../container/token.ts';
import { sha256 } from '../../schema/canonical.ts';
import { normalEmail } from '../../schema/email-address.ts';
import type { EventPublisher } from '../../services/events.ts';
import type { Clock } from '../../services/kernel-tokens.ts';
import type { KernelSettings } from '../../settings/kernel-settings.ts';
import { useAllowance } from '../../store/short-lived.ts';
import type { Store } from '../../store/store.ts';
import passwordResetAsked from '../events/password-reset-asked.ts';
import { passwordChangedMail, resetMail } from '../mails/account-mails.ts';
import type { MailQueue } from '../mails/mail-queue.ts';
import type { SignedIn, SignIn } from '../sessions/sign-in.ts';
import { type AccountRow, accountByEmail, accountById, storePassword } from './account-rows.ts';
import type { BruteForce } from './brute-force.ts';
import { hashPassword } from './password-hash.ts';
import { requirePolicy } from './password-policy.ts';
import { passwordsOff, refused, tooManyMails } from './refusals.ts';
import { issueUserToken, readUserToken, takeUserToken } from './user-tokens.ts';

const maxAskedPerEmail = 3;
const maxAskedPerIp = 10;
const hourSeconds = 3_600;
const type = 'password_reset';

interface PasswordResetServices {
  readonly store: Store;
  readonly clock: Clock;
  readonly settings: KernelSettings;
  readonly mails: MailQueue;
  readonly events: EventPublisher;
  readonly signIn: SignIn;
  readonly audit: SecurityAudit;
  readonly authenticator: Authenticator;
  readonly bruteForce: BruteForce;
}

/** Lets users who forgot their password choose a new one (platform ). */
export class PasswordReset {
  readonly #use: PasswordResetServices;

  constructor(use: PasswordResetServices) {
    this.#use = use;
  }

  /**
   * Records the request for a link. A job looks up the account later, so that the request does the same work for every
   * address (platform A-17). Throws 429 after three requests in an hour for an address, or ten from a client.
   */
  async ask(email: string, request: RequestFacts): Promise<void> {
    const { store, clock, events } = this.#use;
    const address = normalEmail(email);
    if (address === undefined) return;
    await store.transaction('kernel', async (tx) => {
      const now = clock.now();
      const key = sha256(address);
      const byEmail = { maxUses: maxAskedPerEmail, seconds: hourSeconds, now };
      let waitSeconds = await useAllowance(tx, { kind: 'reset-mails-by-email', key }, byEmail);
      if (request.ip !== undefined) {
        const byIp = { maxUses: maxAskedPerIp, seconds: hourSeconds, now };
        waitSeconds ??= await useAllowance(tx, { kind: 'reset-mails-by-ip', key: request.ip }, byIp);
      }
      if (waitSeconds !== undefined) throw tooManyMails(waitSeconds);
      const { ip = null, userAgent = null, requestId = null } = request;
      await events.publish(tx, passwordResetAsked, {
        email: address,
        ip,
        user_agent: userAgent,
        request_id: requestId,
      });
    });
  }

  /** Mails a link if the address belongs to an active user with a password; otherwise does nothing. */
  async sendLink(email: string, request: RequestFacts): Promise<void> {
    const { store, clock, settings, mails, audit } = this.#use;
    if (!mails.isConfigured || !settings.auth.password) return;
    await store.transaction('kernel', async (tx) => {
      const row = await accountByEmail(tx, email);
      if (row === undefined || !row.is_active || row.password_hash === null) return;
      const token = await issueUserToken(tx, type, { owner: row, now: clock.now(), request });
      await mails.queue(tx, resetMail({ to: row.email, publicUrl: settings.publicUrl, token }));
      await audit.append(tx, { type: 'password_reset_requested', risk: 'low', userId: row.user_id, request });
    });
  }

  /** Checks a link without using it up; the address is masked (platform A-18). */
  async validate(token: string): Promise<{ readonly valid: boolean; readonly email: string | null }> {
    const owner = await this.#owner(token);
    return owner === undefined ? { valid: false, email: null } : { valid: true, email: masked(owner.email) };
  }

  /** Sets a new password and signs in with it (platform A-19). Throws 400 for an invalid link. */
  async reset(token: string, password: string, request: RequestFacts): Promise<SignedIn> {
    const { settings, bruteForce, signIn, authenticator } = this.#use;
    if (!settings.auth.password) throw passwordsOff();
    await bruteForce.check({ ip: request.ip });
    const owner = await this.#owner(token);
    if (owner !== undefined) requirePolicy(password, owner.email, settings.auth.productNames);
    const row = owner === undefined ? undefined : await this.#change(token, await hashPassword(password), request);
    if (row === undefined) {
      await bruteForce.failed({ ip: request.ip });
      throw refused('Invalid or expired reset token');
    }
    await bruteForce.succeeded({ ip: request.ip, email: row.email });
    authenticator.forgetUser(row.user_id);
    return signIn.afterSingleFactor(row, 'Password reset successfully', request);
  }

  #owner(token: string) {
    const { store, clock } = this.#use;
    return store.transaction('kernel', (tx) => readUserToken(tx, { type, token, now: clock.now() }), {
      readOnly: true,
    });
  }

  /** Returns the changed account, or undefined if a concurrent request used the link. */
  #change(token: string, hash: string, request: RequestFacts): Promise<AccountRow | undefined> {
    const { store, clock, settings, mails, audit } = this.#use;
    return store.transaction('kernel', async (tx) => {
      const now = clock.now();
      const owner = await takeUserToken(tx, { type, token, now });
      if (owner === undefined) return undefined;
      const userId = owner.user_id;
      await storePassword(tx, userId, hash, now);
      const revokesKeys = settings.auth.revokeKeysOnReset;
      if (revokesKeys) await tx.query(sql`UPDATE kernel_api_key SET is_active = false WHERE user_id = ${userId}`);
      const details = { api_keys_revoked: revokesKeys };
      await audit.append(tx, { type: 'password_reset_completed', risk: 'medium', userId, request, details });
      await mails.queue(tx, passwordChangedMail(owner.email, settings.publicUrl));
      return accountById(tx, userId);
    });
  }
}

export const passwordReset: Token<PasswordReset> = createToken('kernel.password-reset');

/** Keeps the first character and the domain. */
function masked(email: string): string {
  const [local = '', domain = ''] = email.split('@');
  return `${[...local][0] ?? ''}***@${domain}`;
}
