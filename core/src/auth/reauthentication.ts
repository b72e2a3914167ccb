import type { RequestFacts } from '../audit/security-audit.ts';
import { type Collection, type CollectionEntry, createCollection, createToken, type Token } from '../services/token.ts';
import type { Store } from '../store/store.ts';
import { accountById } from './account-reads.ts';
import type { BruteForce } from './brute-force.ts';
import { isPassword } from './password-hash.ts';
import { notProven } from './refusals.ts';

/** A fresh proof that the person at the keyboard is the one who signed in: exactly one of the two. */
export interface Proof {
  readonly password?: string | null | undefined;
  /** A passkey's answer to a challenge of the `mgmt` flow. */
  readonly assertion?: unknown;
}

/** Proof by something other than a password; the passkeys contribute theirs. */
export interface AssertionProof extends CollectionEntry {
  /** Whether the assertion is a good one of this user; it uses up its challenge. It counts no failures itself. */
  isProof(userId: string, assertion: unknown, request: RequestFacts): Promise<boolean>;
}

export const assertionProofs: Collection<AssertionProof> = createCollection('kernel.assertion-proofs');

/** Asks for a fresh proof before a sensitive change; nothing is remembered between calls (platform M-14). */
export interface Reauthentication {
  /**
   * Throws 401 "Re-authentication failed" without exactly one good proof, and 429 after too many bad ones. Failures
   * count although the change does not happen, so call it before a transaction is opened, never in one.
   */
  prove(userId: string, proof: Proof, request: RequestFacts): Promise<void>;
}

export const reauthentication: Token<Reauthentication> = createToken('kernel.reauthentication');

interface ReauthenticationServices {
  readonly store: Store;
  readonly bruteForce: BruteForce;
  readonly assertions: readonly AssertionProof[];
}

/** Compares passwords itself and leaves assertions to those who know them. */
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
