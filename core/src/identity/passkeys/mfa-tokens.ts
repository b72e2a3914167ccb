import { createToken, type Token } from '../../container/token.ts';
import type { Clock } from '../../services/kernel-tokens.ts';
import { claimShortLived, countShortLived, readShortLived, type ShortLivedKey } from '../../store/short-lived.ts';
import { type Store, StoreError, type Transaction } from '../../store/store.ts';
import type { AccountRow } from '../accounts/account-rows.ts';
import { accountById } from '../accounts/account-rows.ts';
import type { SessionTokens } from '../sessions/session-token.ts';
import { badMfaToken } from './refusals.ts';

/** The step that the holder of an mfa token must complete: use the second factor, or enroll one (platform M-1). */
export type MfaPurpose = 'login' | 'enroll';

/** A valid mfa token with its account. */
export interface MfaTicket {
  readonly jti: string;
  readonly account: AccountRow;
}

const mfaSeconds = 300;
const maxAttempts = 5;

/** Tokens between the two factors: short-lived, single-use, five attempts, never a session (platform M-3). */
export class MfaTokens {
  readonly #use: { readonly store: Store; readonly clock: Clock; readonly tokens: SessionTokens };

  constructor(use: { readonly store: Store; readonly clock: Clock; readonly tokens: SessionTokens }) {
    this.#use = use;
  }

  /** Issues a token after a successful first factor. */
  async issue(account: { user_id: string; session_version: number }, purpose: MfaPurpose): Promise<string> {
    const { user_id, session_version } = account;
    return (await this.#use.tokens.issueSpecial({ user_id, type: 'mfa', purpose, session_version }, mfaSeconds)).token;
  }

  /**
   * Returns the account of a valid, unspent token. Any other token is the same 401, as is every token while the store
   * is unavailable.
   */
  async open(token: string, purpose: MfaPurpose): Promise<MfaTicket> {
    return this.#open(token, purpose, async (tx, jti) => {
      const now = this.#use.clock.now();
      if ((await readShortLived(tx, redeemed(jti), now)) !== undefined) return false;
      return ((await readShortLived<number>(tx, attempts(jti), now)) ?? 0) < maxAttempts;
    });
  }

  /**
   * Counts one attempt of a token before it is checked, and refuses attempts beyond the limit. Only `redeem` decides
   * whether the token is still unspent.
   */
  async openForAttempt(token: string, purpose: MfaPurpose): Promise<MfaTicket> {
    return this.#open(token, purpose, async (tx, jti) => {
      const now = this.#use.clock.now();
      return (await countShortLived(tx, attempts(jti), 1, endOf(now), now)) <= maxAttempts;
    });
  }

  /**
   * Spends a token in the transaction that completes the sign-in; only one of two concurrent callers gets true. Throws
   * 401 if the account was deactivated or its sessions ended.
   */
  async redeem(tx: Transaction, { jti, account }: MfaTicket): Promise<boolean> {
    const row = await accountById(tx, account.user_id);
    if (row?.is_active !== true || row.session_version !== account.session_version) throw badMfaToken();
    const now = this.#use.clock.now();
    return claimShortLived(tx, redeemed(jti), endOf(now), now);
  }

  async #open(
    token: string,
    purpose: MfaPurpose,
    admit: (tx: Transaction, jti: string) => Promise<boolean>,
  ): Promise<MfaTicket> {
    const claims = (await this.#use.tokens.readSpecial(token)) ?? {};
    const { user_id: userId, session_version: version, jti, type } = claims;
    if (type !== 'mfa' || claims['purpose'] !== purpose) throw badMfaToken();
    if (typeof userId !== 'string' || typeof jti !== 'string') throw badMfaToken();
    const account = await spentWhileAway(() =>
      this.#use.store.transaction('kernel', async (tx) => {
        const row = await accountById(tx, userId);
        if (row?.is_active !== true || row.session_version !== version) return undefined;
        return (await admit(tx, jti)) ? row : undefined;
      }),
    );
    if (account === undefined) throw badMfaToken();
    return { jti, account };
  }
}

export const mfaTokens: Token<MfaTokens> = createToken('kernel.mfa-tokens');

/** Treats a token as spent while the store is unavailable (platform M-3). */
async function spentWhileAway<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StoreError) return undefined;
    throw error;
  }
}

function redeemed(jti: string): ShortLivedKey {
  return { kind: 'mfa-redeemed', key: jti };
}

function attempts(jti: string): ShortLivedKey {
  return { kind: 'mfa-attempts', key: jti };
}

/** Returns the expiry of the rows about a token: no token lasts longer from now. */
function endOf(now: Date): Date {
  return new Date(now.getTime() + mfaSeconds * 1000);
}
