import type { RequestFacts, SecurityAudit } from '../../audit/security-audit.ts';
import { createToken, type Token } from '../../container/token.ts';
import type { Log } from '../../define/context.ts';
import type { Clock } from '../../services/kernel-tokens.ts';
import type { Store, Transaction } from '../../store/store.ts';
import type { Ceremonies, CeremonyOptions } from './ceremonies.ts';
import { field, issueChallenge, type Purpose, takeChallenge } from './challenges.ts';
import { type Passkey, passkeyByCredential, passkeysOf, touchPasskey } from './passkey-rows.ts';

interface AssertionServices {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly audit: SecurityAudit;
  readonly ceremonies: Ceremonies;
}

/** Issues passkey challenges and verifies the assertions, for every flow (platform M-10, M-15). */
export class Assertions {
  readonly #use: AssertionServices;

  constructor(use: AssertionServices) {
    this.#use = use;
  }

  /** Returns the options for the browser; undefined for a user without passkeys. */
  async options(purpose: Purpose): Promise<CeremonyOptions | undefined> {
    const { store, clock, ceremonies } = this.#use;
    const { userId } = purpose;
    return store.transaction('kernel', async (tx) => {
      const allowed = userId === undefined ? undefined : await passkeysOf(tx, userId);
      if (allowed?.length === 0) return undefined;
      return ceremonies.assertionOptions(await issueChallenge(tx, purpose, clock.now()), allowed);
    });
  }

  /** Returns the owner of the passkey that an assertion names, without verifying it. */
  async namedOwner(assertion: unknown): Promise<string | undefined> {
    const { store } = this.#use;
    return store.transaction('kernel', async (tx) => (await named(tx, assertion))?.user_id, { readOnly: true });
  }

  /**
   * Returns the passkey if the assertion is valid for a challenge of that purpose, else undefined. The challenge is
   * consumed in every case. Opens its own transactions.
   */
  async check(assertion: unknown, purpose: Purpose, request: RequestFacts): Promise<Passkey | undefined> {
    const { store, clock, ceremonies } = this.#use;
    const begun = await store.transaction('kernel', async (tx) => {
      const challenge = await takeChallenge(tx, assertion, { purpose, now: clock.now() });
      return { challenge, passkey: challenge === undefined ? undefined : await named(tx, assertion) };
    });
    const { challenge, passkey } = begun;
    if (challenge === undefined || passkey === undefined) return undefined;
    if (purpose.userId !== undefined && passkey.user_id !== purpose.userId) return undefined;
    const signed = await ceremonies.signed(assertion, challenge, passkey);
    if (signed === undefined) return undefined;
    const isRegistered = await store.transaction('kernel', async (tx) => {
      if (signed.sign_count < passkey.sign_count) await this.#noteRegression(tx, passkey, signed.sign_count, request);
      return touchPasskey(tx, passkey.id, { ...signed, now: clock.now() });
    });
    return isRegistered ? passkey : undefined;
  }

  /** Audits a decreased sign count, which copied but also some synced authenticators cause (platform M-15). */
  async #noteRegression(tx: Transaction, passkey: Passkey, count: number, request: RequestFacts): Promise<void> {
    const reason = 'passkey_sign_count_regressed';
    const details = { reason, passkey_id: passkey.id, stored: passkey.sign_count, received: count };
    this.#use.log.warn(reason, details);
    const { user_id: userId } = passkey;
    await this.#use.audit.append(tx, { type: 'suspicious_activity', risk: 'medium', userId, request, details });
  }
}

export const assertions: Token<Assertions> = createToken('kernel.passkey-assertions');

async function named(tx: Transaction, assertion: unknown): Promise<Passkey | undefined> {
  const id = field(assertion, 'id');
  return typeof id === 'string' ? passkeyByCredential(tx, id) : undefined;
}
