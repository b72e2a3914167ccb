import type { RequestFacts, SecurityAudit } from '../../audit/security-audit.ts';
import type { Authenticator } from '../../auth/authenticator.ts';
import { authenticationRequired, badToken } from '../../auth/refusals.ts';
import { createToken, type Token } from '../../container/token.ts';
import type { Clock } from '../../services/kernel-tokens.ts';
import type { KernelSettings } from '../../settings/kernel-settings.ts';
import type { Store } from '../../store/store.ts';
import { type AccountRow, accountById } from '../accounts/account-rows.ts';
import { revocationOf, revokeSession } from './revocations.ts';
import { refreshGraceSeconds, type Session, type SessionTokens } from './session-token.ts';
import type { SignedIn, SignIn } from './sign-in.ts';

/** A renewed session stays usable this long, so that requests in flight do not fail (platform A-10). */
const renewedSecondsUsable = 5;

interface SessionServices {
  readonly store: Store;
  readonly clock: Clock;
  readonly settings: KernelSettings;
  readonly tokens: SessionTokens;
  readonly signIn: SignIn;
  readonly audit: SecurityAudit;
  readonly authenticator: Authenticator;
}

export const sessions: Token<Sessions> = createToken('kernel.sessions');

/** Renews and ends sessions, and reads the account of one. */
export class Sessions {
  readonly #use: SessionServices;

  constructor(use: SessionServices) {
    this.#use = use;
  }

  /** Exchanges a session that is valid, or expired at most five minutes ago, for a new one (platform A-10). */
  async renew(token: string | undefined, request: RequestFacts): Promise<SignedIn> {
    if (token === undefined || token === '') throw authenticationRequired();
    const check = await this.#use.tokens.read(token, refreshGraceSeconds);
    if (!check.ok && check.reason === 'expired') throw badToken('Token expired beyond grace period', 'TOKEN_EXPIRED');
    if (!check.ok) throw badToken();
    const { session } = check;
    this.#requireDevice(session, request);
    const { store, clock, audit } = this.#use;
    const row = await store.transaction('kernel', async (tx) => {
      const account = await accountById(tx, session.userId);
      if (account === undefined || !account.is_active || account.session_version !== session.sessionVersion)
        throw badToken();
      const now = clock.now();
      const revocation = await revocationOf(tx, session.jti);
      if (revocation !== undefined && revocation.usable_until <= now) throw badToken('Token has been revoked');
      const usableUntil = new Date(now.getTime() + renewedSecondsUsable * 1000);
      await revokeSession(tx, {
        jti: session.jti,
        reason: 'session_refresh',
        usableUntil,
        expiresAt: forgottenAt(session),
      });
      await audit.append(tx, { type: 'token_refresh', risk: 'low', userId: session.userId, request });
      return account;
    });
    return this.#use.signIn.open(row, 'Session refreshed successfully', request);
  }

  /** Ends a session; does nothing without a valid one (platform A-11). */
  async end(token: string | undefined, request: RequestFacts): Promise<void> {
    const check = token === undefined ? undefined : await this.#use.tokens.read(token, refreshGraceSeconds);
    if (check?.ok !== true) return;
    const { session } = check;
    const { store, clock, audit, authenticator } = this.#use;
    await store.transaction('kernel', async (tx) => {
      if ((await accountById(tx, session.userId)) === undefined) return;
      const entry = {
        jti: session.jti,
        reason: 'user_logout',
        usableUntil: clock.now(),
        expiresAt: forgottenAt(session),
      };
      await revokeSession(tx, entry);
      await audit.append(tx, { type: 'logout', risk: 'low', userId: session.userId, request });
    });
    authenticator.forgetUser(session.userId);
  }

  /** Returns the account of a signed-in user, on the device they signed in on (platform ). */
  async accountOf(userId: string, token: string | undefined, request: RequestFacts): Promise<AccountRow> {
    const { settings, tokens } = this.#use;
    const check = settings.auth.deviceBinding && token !== undefined ? await tokens.read(token) : undefined;
    if (check?.ok === true) this.#requireDevice(check.session, request);
    return this.#find(userId);
  }

  #requireDevice(session: Session, request: RequestFacts): void {
    if (!this.#use.settings.auth.deviceBinding || session.deviceHash === undefined) return;
    if (session.deviceHash === request.deviceHash) return;
    throw badToken('Device changes detected. Please re-authenticate.');
  }

  async #find(userId: string): Promise<AccountRow> {
    const row = await this.#use.store.transaction('kernel', (tx) => accountById(tx, userId), { readOnly: true });
    if (row === undefined) throw badToken();
    return row;
  }
}

/** An expired session can be renewed within the grace period, so its entry must outlive that period. */
function forgottenAt(session: Session): Date {
  return new Date(session.expiresAt.getTime() + refreshGraceSeconds * 1000);
}
