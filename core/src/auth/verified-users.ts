import { createToken, type Token } from '../container/token.ts';
import type { Transaction } from '../store/store.ts';

/** Decides whether a user has proved their address, as creating graphs and subscribing require (platform A-15). */
export interface VerifiedUsers {
  /** Throws 403 `EMAIL_NOT_VERIFIED` for an unverified user, in the caller's kernel transaction. */
  requireVerified(tx: Transaction, userId: string): Promise<void>;
}

/** The identity of a deployment provides it. */
export const verifiedUsers: Token<VerifiedUsers> = createToken('kernel.verified-users');
