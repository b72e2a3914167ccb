import type { RequestFacts } from '../../audit/security-audit.ts';
import {
  type Collection,
  type CollectionEntry,
  createCollection,
  createToken,
  type Token,
} from '../../container/token.ts';
import type { Store } from '../../store/store.ts';
import { accountById } from './account-rows.ts';
import type { BruteForce } from './brute-force.ts';
import { isPassword } from './password-hash.ts';
import { notProven } from './refusals.ts';

/** A fresh proof that the caller is still the user who signed in; exactly one field is set. */
export interface Proof {
  readonly password?: string | null | undefined;
  /** A passkey's answer to a challenge of the `mgmt` flow. */
  readonly assertion?: unknown;
}

/** A proof other than a password; the passkeys contribute one. */
export interface AssertionProof extends CollectionEntry {
  /** True if the assertion is valid for this user; consumes its challenge. Failures are counted by the caller. */
  isProof(userId: string, assertion: unknown, request: RequestFacts): Promise<boolean>;
}

export const assertionProofs: Collection<AssertionProof> = createCollection('kernel.assertion-proofs');

/** Requires a fresh proof before a sensitive change; proofs are not remembered between calls (platform M-14). */
export interface Reauthentication {
  /**
   * Throws 401 "Re-authentication failed" without exactly one valid proof, and 429 after too many failures. They
   * count even though the change does not happen, so call this before opening a transaction, never inside one.
   */
  prove(userId: string, proof: Proof, request: RequestFacts): Promise<void>;
}

export const reauthentication: Token<Reauthentication> = createToken('kernel.reauthentication');

interface ReauthenticationServices {
  readonly store: Store;
  readonly bruteForce: BruteForce;
  readonly assertions: readonly AssertionProof[];
}

/** Compares passwords itself and delegates assertions to the contributed proofs. */
export class StoredReauthentication implements Reauthentication {
  readonly #use: ReauthenticationServices;

  constructor(use: ReauthenticationServices) {
    this.#use = use;
  }

  async prove(userId: string, proof: Proof, request: RequestFacts): Promise<void> {
    const { store, bruteForce } = this.#use;
    const row = await store.transaction('kernel', (tx) => accountById(tx, userId), { readOnly: true });
    const attempt = { ip: request.ip, email: row?.email };
    await bruteForce.check(attempt);
    if (row?.is_active === true && (await this.#isGood(userId, row.password_hash, proof, request))) {
      await bruteForce.succeeded(attempt);
      return;
    }
    await bruteForce.failed(attempt);
    throw notProven();
  }

  async #isGood(userId: string, hash: string | null, proof: Proof, request: RequestFacts): Promise<boolean> {
    const password = proof.password ?? undefined;
    const assertion = proof.assertion ?? undefined;
    if ((password === undefined) === (assertion === undefined)) return false;
    if (password !== undefined) return isPassword(password, hash);
    for (const entry of this.#use.assertions) {
      if (await entry.isProof(userId, assertion, request)) return true;
    }
    return false;
  }
}
