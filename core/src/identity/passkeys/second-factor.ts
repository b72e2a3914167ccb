import type { RequestFacts, SecurityAudit } from '../../audit/security-audit.ts';
import { badToken } from '../../auth/refusals.ts';
import { createToken, type Token } from '../../container/token.ts';
import type { Caller } from '../../define/context.ts';
import { validationFailure } from '../../errors/to-wire.ts';
import type { Clock } from '../../services/kernel-tokens.ts';
import type { KernelSettings } from '../../settings/kernel-settings.ts';
import type { Store, Transaction } from '../../store/store.ts';
import { accountById } from '../accounts/account-rows.ts';
import type { BruteForce } from '../accounts/brute-force.ts';
import type { Reauthentication } from '../accounts/reauthentication.ts';
import type { MailQueue } from '../mails/mail-queue.ts';
import { recoveryCodesReplacedMail, recoveryCodeUsedMail } from '../mails/passkey-mails.ts';
import type { SignedIn, SignIn } from '../sessions/sign-in.ts';
import type { Assertions } from './assertions.ts';
import type { CeremonyOptions } from './ceremonies.ts';
import { isMfaEnforced } from './enforcement.ts';
import type { MfaTicket, MfaTokens } from './mfa-tokens.ts';
import { countPasskeys, lockUser } from './passkey-rows.ts';
import { countRecoveryCodes, replaceRecoveryCodes, takeRecoveryCode } from './recovery-codes.ts';
import { badMfaToken, mfaFailed, noPasskeys } from './refusals.ts';

/** The second factor as a browser sends it; exactly one field is set. */
export interface SecondProof {
  readonly assertion?: unknown;
  readonly recovery_code?: string | null | undefined;
}

/** The second-factor status of a user (platform M-19). */
export interface MfaStatus {
  readonly passkey_count: number;
  readonly recovery_codes_remaining: number;
  readonly enforcement_applies: boolean;
}

type Method = 'password+passkey' | 'password+recovery_code';

interface SecondFactorServices {
  readonly store: Store;
  readonly clock: Clock;
  readonly settings: KernelSettings;
  readonly audit: SecurityAudit;
  readonly mails: MailQueue;
  readonly signIn: SignIn;
  readonly mfaTokens: MfaTokens;
  readonly assertions: Assertions;
  readonly bruteForce: BruteForce;
  readonly reauthentication: Reauthentication;
}

/** Completes a sign-in that a password or a mailed link started (platform M-5). */
export class SecondFactor {
  readonly #use: SecondFactorServices;

  constructor(use: SecondFactorServices) {
    this.#use = use;
  }

  /** Returns the options for signing with a passkey of the token's user. */
  async options(mfaToken: string): Promise<CeremonyOptions> {
    const { jti, account } = await this.#use.mfaTokens.open(mfaToken, 'login');
    const options = await this.#use.assertions.options({ flow: 'mfa', userId: account.user_id, jti });
    if (options === undefined) throw badMfaToken(); // The last passkey was removed in the meantime.
    return options;
  }

  /** Opens a session for a valid proof. Throws 422 for none or two, 401 for a bad token or a wrong proof. */
  async verify(mfaToken: string, proof: SecondProof, request: RequestFacts): Promise<SignedIn> {
    const assertion = proof.assertion ?? undefined;
    const code = proof.recovery_code ?? undefined;
    if ((assertion === undefined) === (code === undefined)) {
      const msg = 'Give exactly one of assertion and recovery_code';
      throw validationFailure([{ loc: ['body'], msg, type: 'value_error' }]);
    }
    const { mfaTokens, bruteForce, store, signIn } = this.#use;
    const { account } = await mfaTokens.open(mfaToken, 'login');
    const attempt = { ip: request.ip, email: account.email };
    await bruteForce.check(attempt);
    const ticket = await mfaTokens.openForAttempt(mfaToken, 'login');
    const isRight =
      code === undefined
        ? await this.#hasSigned(assertion, ticket, request)
        : await store.transaction('kernel', (tx) => this.#withCode(tx, code, ticket, request));
    if (!isRight) {
      const userId = account.user_id;
      const details = { method: code === undefined ? 'passkey' : 'recovery_code' };
      await this.#use.audit.record({ type: 'mfa_failed', risk: 'medium', userId, request, details });
      await bruteForce.failed(attempt);
      throw mfaFailed();
    }
    await bruteForce.succeeded(attempt);
    return signIn.open(ticket.account, 'Login successful', request);
  }

  /** Returns the second-factor status of the user. */
  async status(userId: string): Promise<MfaStatus> {
    return this.#use.store.transaction(
      'kernel',
      async (tx) => ({
        passkey_count: await countPasskeys(tx, userId),
        recovery_codes_remaining: await countRecoveryCodes(tx, userId),
        enforcement_applies: isMfaEnforced(this.#use.settings, (await accountById(tx, userId))?.org_role ?? null),
      }),
      { readOnly: true },
    );
  }

  /** Replaces the recovery codes after a fresh proof; invalidates the earlier set (platform M-18). */
  async regenerate(
    caller: Caller,
    proof: { readonly password?: string | null | undefined; readonly assertion?: unknown },
    request: RequestFacts,
  ): Promise<readonly string[]> {
    const { store, clock, settings, audit, mails, reauthentication } = this.#use;
    const { userId } = caller;
    const requirePasskeys = async (tx: Transaction): Promise<void> => {
      if ((await countPasskeys(tx, userId)) === 0) throw noPasskeys();
    };
    await store.transaction('kernel', requirePasskeys, { readOnly: true });
    await reauthentication.prove(userId, proof, request);
    return store.transaction('kernel', async (tx) => {
      await lockUser(tx, userId);
      await requirePasskeys(tx);
      const account = await accountById(tx, userId);
      if (account === undefined) throw badToken();
      const codes = await replaceRecoveryCodes(tx, userId, clock.now());
      await audit.append(tx, { type: 'mfa_recovery_regenerated', risk: 'medium', caller, request });
      await mails.queue(tx, recoveryCodesReplacedMail({ to: account.email, publicUrl: settings.publicUrl }));
      return codes;
    });
  }

  async #hasSigned(assertion: unknown, ticket: MfaTicket, request: RequestFacts): Promise<boolean> {
    const { assertions, store } = this.#use;
    const purpose = { flow: 'mfa', userId: ticket.account.user_id, jti: ticket.jti } as const;
    if ((await assertions.check(assertion, purpose, request)) === undefined) return false;
    await store.transaction('kernel', (tx) => this.#complete(tx, 'password+passkey', ticket, request));
    return true;
  }

  /** Spends code and token in one transaction, so that a spent token does not consume a code. */
  async #withCode(tx: Transaction, code: string, ticket: MfaTicket, request: RequestFacts): Promise<boolean> {
    const { clock, settings, audit, mails } = this.#use;
    const { user_id: userId, email } = ticket.account;
    if (!(await takeRecoveryCode(tx, userId, code, clock.now()))) return false;
    await this.#complete(tx, 'password+recovery_code', ticket, request);
    const left = await countRecoveryCodes(tx, userId);
    const details = { codes_left: left };
    await audit.append(tx, { type: 'mfa_recovery_used', risk: 'medium', userId, request, details });
    await mails.queue(tx, recoveryCodeUsedMail({ to: email, publicUrl: settings.publicUrl, left }));
    return true;
  }

  async #complete(tx: Transaction, method: Method, ticket: MfaTicket, request: RequestFacts): Promise<void> {
    const { mfaTokens, audit } = this.#use;
    if (!(await mfaTokens.redeem(tx, ticket))) throw badMfaToken();
    const { user_id: userId } = ticket.account;
    const details = { method };
    await audit.append(tx, { type: 'mfa_verified', risk: 'low', userId, request, details });
    await audit.append(tx, { type: 'auth_success', risk: 'low', userId, request, details });
  }
}

export const secondFactor: Token<SecondFactor> = createToken('kernel.second-factor');
