import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { RequestFacts, SecurityAudit } from '../audit/security-audit.ts';
import type { Caller } from '../define/context.ts';
import { sha256 } from '../schema/canonical.ts';
import type { Clock } from '../services/kernel-tokens.ts';
import { createToken, type Token } from '../services/token.ts';
import type { KernelSettings } from '../settings/kernel-settings.ts';
import { putShortLived, takeShortLived } from '../store/short-lived.ts';
import type { Store, Transaction } from '../store/store.ts';
import { type AccountRow, accountById } from './account-reads.ts';
import { type BridgeApp, bridgeApps, isAllowedReturn } from './bridge-apps.ts';
import { badToken, refused } from './refusals.ts';
import type { SessionTokens } from './session-token.ts';
import type { SignedIn, SignIn } from './sign-in.ts';

const tokenSeconds = 300;
const sessionSeconds = 30;

/** A session that waits for the app it is handed to. */
export interface HandedOver {
  readonly userId: string;
  readonly sessionVersion: number;
  readonly returnUrl?: string | null;
  /** Only for a session that an identity provider vouches for, with the address (platform F-7). */
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

/** Hands a session over from one app of a deployment to another one, without a second login (platform F-5 to F-7). */
export class Bridge {
  readonly #use: BridgeServices;
  readonly #apps: ReadonlyMap<string, BridgeApp>;

  constructor(use: BridgeServices) {
    this.#use = use;
    this.#apps = bridgeApps(use.settings.bridge.apps);
  }

  /** A token that another app can exchange once, within five minutes. */
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

  /** Takes the token and opens a handover. Throws 400 for an unknown app or return address, 401 for a dead token. */
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

  /** Opens a handover in the caller's kernel transaction; `complete` takes it within 30 seconds. */
  async openHandover(tx: Transaction, handover: HandedOver): Promise<{ session_id: string; expires_at: string }> {
    const sessionId = randomUUID();
    const until = new Date(this.#use.clock.now().getTime() + sessionSeconds * 1000);
    await putShortLived(tx, keyOf('bridge-session', sessionId), handover, until);
    return { session_id: sessionId, expires_at: until.toISOString() };
  }

  /** Turns a handover into a session, once. Throws 401 when it is over or the user's sessions were ended since. */
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

  /** The account, unless it was switched off or its sessions were ended since the token was made (platform A-7). */
  async #current(tx: Transaction, of: { userId: string; sessionVersion: number }): Promise<AccountRow> {
    const row = await accountById(tx, of.userId);
    if (row?.is_active === true && row.session_version === of.sessionVersion) return row;
    throw badToken('Session expired or invalid');
  }
}

export const bridge: Token<Bridge> = createToken('kernel.bridge');

/** What is stored is found by a digest, so that the table gives nobody a session. */
function keyOf(kind: string, id: string): { readonly kind: string; readonly key: string } {
  return { kind, key: sha256(id) };
}
