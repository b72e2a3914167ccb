import type { RequestFacts, SecurityAudit } from '../../audit/security-audit.ts';
import { badToken } from '../../auth/refusals.ts';
import { createToken, type Token } from '../../container/token.ts';
import type { Caller } from '../../define/context.ts';
import { notFound } from '../../errors/service-error.ts';
import type { KernelSettings } from '../../settings/kernel-settings.ts';
import type { Store, Transaction } from '../../store/store.ts';
import { type AccountRow, accountById } from '../accounts/account-rows.ts';
import type { BruteForce } from '../accounts/brute-force.ts';
import type { Proof, Reauthentication } from '../accounts/reauthentication.ts';
import type { MailQueue } from '../mails/mail-queue.ts';
import { passkeyRemovedMail } from '../mails/passkey-mails.ts';
import type { SignedIn, SignIn } from '../sessions/sign-in.ts';
import type { Assertions } from './assertions.ts';
import type { CeremonyOptions } from './ceremonies.ts';
import { isMfaEnforced } from './enforcement.ts';
import { deletePasskey, lockUser, type Passkey, passkeysOf } from './passkey-rows.ts';
import { dropRecoveryCodes } from './recovery-codes.ts';
import { lastPasskey, noPasskeys, passkeyLoginFailed } from './refusals.ts';

interface PasskeysServices {
  readonly store: Store;
  readonly settings: KernelSettings;
  readonly audit: SecurityAudit;
  readonly mails: MailQueue;
  readonly signIn: SignIn;
  readonly assertions: Assertions;
  readonly bruteForce: BruteForce;
  readonly reauthentication: Reauthentication;
}

/** A passkey that may be removed, with the facts for its removal. */
interface Removable {
  readonly account: AccountRow;
  readonly passkey: Passkey;
  readonly isLast: boolean;
}

/** Manages a user's passkeys: list, remove, passwordless sign-in, and proof before a change. */
export class Passkeys {
  readonly #use: PasskeysServices;

  constructor(use: PasskeysServices) {
    this.#use = use;
  }

  /** Lists the passkeys of a user, oldest first. */
  async list(userId: string): Promise<readonly Passkey[]> {
    return this.#use.store.transaction('kernel', (tx) => passkeysOf(tx, userId), { readOnly: true });
  }

  /** Returns the options for the proof before a change (platform M-14). Throws 400 for a user without passkeys. */
  async reauthOptions(userId: string): Promise<CeremonyOptions> {
    const options = await this.#use.assertions.options({ flow: 'mgmt', userId });
    if (options === undefined) throw noPasskeys();
    return options;
  }

  /**
   * Removes a passkey after a fresh proof, and with the last one the recovery codes (platform M-17). Throws 404 for a
   * passkey of another user, 409 for the last one of a user who is required to have one.
   */
  async remove(caller: Caller, passkeyId: string, proof: Proof, request: RequestFacts): Promise<void> {
    const { store, settings, audit, mails, reauthentication } = this.#use;
    const { userId } = caller;
    // Checked before the proof is consumed, and again under the lock.
    await store.transaction('kernel', (tx) => this.#removable(tx, userId, passkeyId), { readOnly: true });
    await reauthentication.prove(userId, proof, request);
    await store.transaction('kernel', async (tx) => {
      await lockUser(tx, userId);
      const { account, passkey, isLast } = await this.#removable(tx, userId, passkeyId);
      await deletePasskey(tx, passkey.id);
      if (isLast) await dropRecoveryCodes(tx, userId);
      const details = { passkey_id: passkey.id, last: isLast };
      await audit.append(tx, { type: 'passkey_removed', risk: 'medium', caller, request, details });
      const { publicUrl } = settings;
      await mails.queue(tx, passkeyRemovedMail({ to: account.email, publicUrl, name: passkey.name }));
    });
  }

  /** Returns the options for signing in with any passkey that the user chooses (platform M-16). */
  async signInOptions(): Promise<CeremonyOptions> {
    const options = await this.#use.assertions.options({ flow: 'pwl' });
    if (options === undefined) throw passkeyLoginFailed();
    return options;
  }

  /** Opens a session with a passkey alone: with user verification it counts as two factors (platform M-16). */
  async signIn(assertion: unknown, request: RequestFacts): Promise<SignedIn> {
    const { store, audit, assertions, bruteForce, signIn } = this.#use;
    const named = await assertions.namedOwner(assertion);
    const owner = named === undefined ? undefined : await this.#account(named);
    const attempt = { ip: request.ip, email: owner?.email };
    await bruteForce.check(attempt);
    const passkey = await assertions.check(assertion, { flow: 'pwl' }, request);
    const account = passkey === undefined ? undefined : await this.#account(passkey.user_id);
    const details = { method: 'passkey' };
    if (account?.is_active !== true) {
      const who = owner === undefined ? {} : { userId: owner.user_id };
      await audit.record({ type: 'auth_failure', risk: 'medium', ...who, request, details });
      await bruteForce.failed(attempt);
      throw passkeyLoginFailed();
    }
    await bruteForce.succeeded(attempt);
    const userId = account.user_id;
    await store.transaction('kernel', async (tx) => {
      await audit.append(tx, { type: 'mfa_verified', risk: 'low', userId, request, details });
      await audit.append(tx, { type: 'auth_success', risk: 'low', userId, request, details });
    });
    return signIn.open(account, 'Login successful', request);
  }

  async #account(userId: string): Promise<AccountRow | undefined> {
    return this.#use.store.transaction('kernel', (tx) => accountById(tx, userId), { readOnly: true });
  }

  async #removable(tx: Transaction, userId: string, passkeyId: string): Promise<Removable> {
    const account = await accountById(tx, userId);
    if (account === undefined) throw badToken();
    const all = await passkeysOf(tx, userId);
    const passkey = all.find(({ id }) => id === passkeyId);
    if (passkey === undefined) throw notFound('No such passkey');
    const isLast = all.length === 1;
    if (isLast && isMfaEnforced(this.#use.settings, account.org_role)) throw lastPasskey();
    return { account, passkey, isLast };
  }
}

export const passkeys: Token<Passkeys> = createToken('kernel.passkeys');

/** The wire form of a passkey, without its key material. */
export function toPasskeyInfo(passkey: Passkey) {
  const { id, name, created_at, backup_eligible, backup_state, last_used_at } = passkey;
  return {
    id,
    name,
    created_at: created_at.toISOString(),
    backup_eligible,
    backup_state,
    last_used_at: last_used_at?.toISOString() ?? null,
  };
}
