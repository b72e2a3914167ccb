import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { RequestFacts, SecurityAudit } from '../../audit/security-audit.ts';
import { badToken } from '../../auth/refusals.ts';
import { createToken, type Token } from '../../container/token.ts';
import type { Caller } from '../../define/context.ts';
import { sha256 } from '../../schema/canonical.ts';
import type { Clock } from '../../services/kernel-tokens.ts';
import type { KernelSettings } from '../../settings/kernel-settings.ts';
import { putShortLived, takeShortLived } from '../../store/short-lived.ts';
import type { Store, Transaction } from '../../store/store.ts';
import { type AccountRow, accountById } from '../accounts/account-rows.ts';
import { refused } from '../accounts/refusals.ts';
import { type BridgeApp, bridgeApps, isAllowedReturn } from './bridge-apps.ts';
import type { SessionTokens } from './session-token.ts';
import type { SignedIn, SignIn } from './sign-in.ts';

const tokenSeconds = 300;
const sessionSeconds = 30;

/** A session that waits for the app that will complete it. */
export interface HandedOver {
  readonly userId: string;
  readonly sessionVersion: number;
  readonly returnUrl?: string | null;
  /** Set only for a session whose address an identity provider vouches for (platform F-7). */
  readonly verifiesEmail?: boolean;
}

interface BridgeServices {
  readonly store: Store;
  readonly clock: Clock;
  readonly settings: KernelSettings;
  readonly tokens: SessionTokens;
  readonly signIn: SignIn;
  readonly audit: SecurityAudit;
}

/** Hands a session over from one app of a deployment to another one, without a second sign-in (platform F-5 to F-7). */
export class Bridge {
  readonly #use: BridgeServices;
  readonly #apps: ReadonlyMap<string, BridgeApp>;

  constructor(use: BridgeServices) {
    this.#use = use;
    this.#apps = bridgeApps(use.settings.bridge.apps);
  }

  /** Issues a token that another app can exchange once, within five minutes. */
  async issue(caller: Caller): Promise<{ token: string; expires_at: string; apps: readonly string[] }> {
    const { store, clock, tokens } = this.#use;
    const tokenId = randomUUID();
    const row = await store.transaction('kernel', async (tx) => {
      const found = await accountById(tx, caller.userId);
      if (found === undefined) throw badToken();
      const until = new Date(clock.now().getTime() + tokenSeconds * 1000);
      await putShortLived(tx, keyOf('bridge-token', tokenId), { user_id: caller.userId }, until);
      return found;
    });
    const claims = { user_id: row.user_id, sso: true, token_id: tokenId, session_version: row.session_version };
    const { token, expiresAt } = await tokens.issueSpecial(claims, tokenSeconds);
    return { token, expires_at: expiresAt.toISOString(), apps: [...this.#apps.keys()] };
  }

  /** Consumes the token and opens a handover. Throws 400 for an unknown app or return URL, 401 for an invalid token. */
  async exchange(input: {
    readonly token: string;
    readonly target_app: string;
    readonly return_url?: string | null;
  }): Promise<{ session_id: string; redirect_url: string; expires_at: string }> {
    const app = this.#apps.get(input.target_app);
    if (app === undefined) throw refused('Invalid target application');
    const returnUrl = input.return_url ?? null;
    const origins = [this.#use.settings.publicUrl, ...[...this.#apps.values()].map(({ base }) => base)];
    if (returnUrl !== null && !isAllowedReturn(returnUrl, origins)) {
      throw refused('Invalid return URL: give a path, or an address of an app of this deployment');
    }
    const claims = await this.#use.tokens.readSpecial(input.token);
    const { token_id: tokenId, user_id: userId, session_version: sessionVersion } = claims ?? {};
    if (claims?.['sso'] !== true || typeof tokenId !== 'string') throw badToken();
    if (typeof userId !== 'string' || typeof sessionVersion !== 'number') throw badToken();
    return this.#use.store.transaction('kernel', async (tx) => {
      const taken = await takeShortLived(tx, keyOf('bridge-token', tokenId), this.#use.clock.now());
      if (taken === undefined) throw badToken();
      await this.#current(tx, { userId, sessionVersion });
      const opened = await this.openHandover(tx, { userId, sessionVersion, returnUrl });
      return { ...opened, redirect_url: `${app.base}/auth/sso-complete` };
    });
  }

  /** Opens a handover in the caller's kernel transaction; `complete` accepts it within 30 seconds. */
  async openHandover(tx: Transaction, handover: HandedOver): Promise<{ session_id: string; expires_at: string }> {
    const sessionId = randomUUID();
    const until = new Date(this.#use.clock.now().getTime() + sessionSeconds * 1000);
    await putShortLived(tx, keyOf('bridge-session', sessionId), handover, until);
    return { session_id: sessionId, expires_at: until.toISOString() };
  }

  /** Turns a handover into a session, once. Throws 401 if it expired or the user's sessions have ended since. */
  async complete(sessionId: string, request: RequestFacts): Promise<SignedIn> {
    const { store, clock, audit, signIn } = this.#use;
    const row = await store.transaction('kernel', async (tx) => {
      const now = clock.now();
      const handover = await takeShortLived<HandedOver>(tx, keyOf('bridge-session', sessionId), now);
      if (handover === undefined) return undefined;
      const found = await this.#current(tx, handover);
      const { user_id: userId } = found;
      const isNews = handover.verifiesEmail === true && !found.email_verified;
      if (isNews) await tx.query(sql`UPDATE kernel_user SET email_verified = true WHERE id = ${userId}`);
      await audit.append(tx, { type: 'auth_success', risk: 'low', userId, request, details: { method: 'bridge' } });
      return isNews ? { ...found, email_verified: true } : found;
    });
    if (row === undefined) throw badToken('Session expired or invalid');
    return signIn.open(row, 'Login successful', request);
  }

  /** Returns the account; throws if it is inactive or its sessions ended after the token was issued (platform A-7). */
  async #current(tx: Transaction, of: { userId: string; sessionVersion: number }): Promise<AccountRow> {
    const row = await accountById(tx, of.userId);
    if (row?.is_active === true && row.session_version === of.sessionVersion) return row;
    throw badToken('Session expired or invalid');
  }
}

export const bridge: Token<Bridge> = createToken('kernel.bridge');

/** Rows are keyed by a digest, so that reading the table does not yield a session. */
function keyOf(kind: string, id: string): { readonly kind: string; readonly key: string } {
  return { kind, key: sha256(id) };
}
