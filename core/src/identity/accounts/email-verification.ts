import { sql } from 'kysely';
import type { RequestFacts, SecurityAudit } from '../../audit/security-audit.ts';
import { badToken } from '../../auth/refusals.ts';
import { createToken, type Token } from '../../container/token.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { KernelUser } from '../../rows.gen.ts';
import type { Clock } from '../../services/kernel-tokens.ts';
import type { KernelSettings } from '../../settings/kernel-settings.ts';
import { useAllowance } from '../../store/short-lived.ts';
import type { Store, Transaction } from '../../store/store.ts';
import { verificationMail } from '../mails/account-mails.ts';
import type { MailQueue } from '../mails/mail-queue.ts';
import type { SignedIn, SignIn } from '../sessions/sign-in.ts';
import { accountById } from './account-rows.ts';
import { refused, tooManyMails } from './refusals.ts';
import { issueUserToken, type TokenOwner, takeUserToken } from './user-tokens.ts';

const maxMailsPerHour = 3;
const hourSeconds = 3_600;

interface EmailVerificationServices {
  readonly store: Store;
  readonly clock: Clock;
  readonly settings: KernelSettings;
  readonly mails: MailQueue;
  readonly signIn: SignIn;
  readonly audit: SecurityAudit;
}

/** Verifies that an email address belongs to the user who gave it (platform ). */
export class EmailVerification {
  readonly #use: EmailVerificationServices;

  constructor(use: EmailVerificationServices) {
    this.#use = use;
  }

  /** True if new addresses stay unverified until their owner follows a link. */
  get isOn(): boolean {
    const { verification } = this.#use.settings.email;
    return verification === 'auto' ? this.#use.mails.reachesPeople : verification === 'on';
  }

  /** Mails a link to an unverified address, in the caller's kernel transaction; invalidates earlier links. */
  async begin(tx: Transaction, owner: TokenOwner, request: RequestFacts): Promise<void> {
    const { mails, clock, settings, audit } = this.#use;
    const token = await issueUserToken(tx, 'email_verification', { owner, now: clock.now(), request });
    await mails.queue(tx, verificationMail({ to: owner.email, publicUrl: settings.publicUrl, token }));
    const details = { message: 'email_verification' };
    await audit.append(tx, { type: 'email_sent', risk: 'low', userId: owner.user_id, request, details });
  }

  /** Mails another link. Throws 400 for a verified address, 503 without mail, 429 after three an hour. */
  async resend(userId: string, request: RequestFacts): Promise<void> {
    const { store, clock, mails } = this.#use;
    await store.transaction('kernel', async (tx) => {
      const row = await accountById(tx, userId);
      if (row === undefined) throw badToken();
      if (row.email_verified) throw refused('Email is already verified');
      mails.requireConfigured();
      const allowance = { maxUses: maxMailsPerHour, seconds: hourSeconds, now: clock.now() };
      const waitSeconds = await useAllowance(tx, { kind: 'verification-mails', key: userId }, allowance);
      if (waitSeconds !== undefined) throw tooManyMails(waitSeconds);
      await this.begin(tx, row, request);
    });
  }

  /** Verifies the address and signs in as with a password (platform A-16). Throws 400 for an invalid link. */
  async verify(token: string, request: RequestFacts): Promise<SignedIn> {
    const { store, clock, audit, signIn } = this.#use;
    const row = await store.transaction('kernel', async (tx) => {
      const now = clock.now();
      const owner = await takeUserToken(tx, { type: 'email_verification', token, now });
      if (owner === undefined) throw refused('Invalid or expired verification token');
      const userId = owner.user_id;
      await tx.query(sql`UPDATE kernel_user SET email_verified = true, updated_at = ${now} WHERE id = ${userId}`);
      await audit.append(tx, { type: 'email_verified', risk: 'low', userId, request });
      return accountById(tx, userId);
    });
    if (row === undefined) throw refused('Invalid or expired verification token');
    return signIn.afterSingleFactor(row, 'Email verified successfully', request);
  }

  /**
   * Throws 403 `EMAIL_NOT_VERIFIED` for a user whose address is unverified, before they create a graph, invite or
   * subscribe, in the caller's kernel transaction (platform A-15).
   */
  async requireVerified(tx: Transaction, userId: string): Promise<void> {
    if (!this.isOn || !this.#use.settings.email.restrictUnverified) return;
    const [row] = await tx.query<Pick<KernelUser, 'email_verified'>>(
      sql`SELECT email_verified FROM kernel_user WHERE id = ${userId}`,
    );
    if (row?.email_verified === true) return;
    const message = 'Verify your email address first: follow the link that was mailed to you, or ask for another one.';
    throw new ServiceError('forbidden', 'EMAIL_NOT_VERIFIED', message);
  }
}

export const emailVerification: Token<EmailVerification> = createToken('kernel.email-verification');
