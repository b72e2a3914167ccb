import type { RequestFacts, SecurityAudit } from '../../audit/security-audit.ts';
import { createToken, type Token } from '../../container/token.ts';
import type { KernelSettings } from '../../settings/kernel-settings.ts';
import type { Store } from '../../store/store.ts';
import type { AccountRow } from '../accounts/account-rows.ts';
import { isMfaEnforced } from '../passkeys/enforcement.ts';
import type { MfaTokens } from '../passkeys/mfa-tokens.ts';
import { countPasskeys } from '../passkeys/passkey-rows.ts';
import { refreshThresholdSeconds, type SessionTokens, sessionSeconds } from './session-token.ts';

/** The response body of every sign-in; only `authenticated` opens a session (platform M-1, A-8). */
export interface SignedIn {
  readonly user: Readonly<Record<string, unknown>>;
  readonly org: Readonly<Record<string, unknown>> | null;
  readonly message: string;
  readonly status: 'authenticated' | 'mfa_required' | 'mfa_enrollment_required';
  readonly mfa_token: string | null;
  readonly token: string | null;
  readonly expires_in: number | null;
  readonly refresh_threshold: number | null;
}

export type SignInAccount = Omit<AccountRow, 'password_hash'>;

interface SignInServices {
  readonly store: Store;
  readonly tokens: SessionTokens;
  readonly mfaTokens: MfaTokens;
  readonly audit: SecurityAudit;
  readonly settings: KernelSettings;
}

const pending = {
  mfa_required: { purpose: 'login', message: 'Confirm with a passkey or a recovery code to finish signing in.' },
  mfa_enrollment_required: {
    purpose: 'enroll',
    message: 'Your role requires a passkey. Enroll one to finish signing in.',
  },
} as const;

/** The only place that opens sessions; every sign-in method ends here (platform M-4). */
export class SignIn {
  readonly #use: SignInServices;

  constructor(use: SignInServices) {
    this.#use = use;
  }

  /** Opens a session without a further factor: for a new account, a renewed session, a passkey or a bridge. */
  async open(account: SignInAccount, message: string, request: RequestFacts): Promise<SignedIn> {
    const { tokens, settings } = this.#use;
    const device = settings.auth.deviceBinding ? request.deviceHash : undefined;
    return {
      user: personOf(account),
      org: account.org_id === null ? null : { id: account.org_id, name: account.org_name, type: account.org_type },
      message,
      status: 'authenticated',
      mfa_token: null,
      token: await tokens.issue(account.user_id, account.session_version, device),
      expires_in: sessionSeconds,
      refresh_threshold: refreshThresholdSeconds,
    };
  }

  /**
   * Continues after one weak factor: a password, a reset link or a link in a mail (platform M-4). A user with a passkey
   * must use it, a user who is required to have one must enroll one, and others are signed in (platform M-2).
   */
  async afterSingleFactor(account: SignInAccount, message: string, request: RequestFacts): Promise<SignedIn> {
    const status = await this.#nextStep(account);
    if (status === 'authenticated') return this.open(account, message, request);
    const { purpose, message: next } = pending[status];
    const details = { purpose };
    const { user_id: userId } = account;
    await this.#use.audit.record({ type: 'mfa_challenge_issued', risk: 'low', userId, request, details });
    return {
      user: personOf(account),
      org: null,
      message: next,
      status,
      mfa_token: await this.#use.mfaTokens.issue(account, purpose),
      token: null,
      expires_in: null,
      refresh_threshold: null,
    };
  }

  async #nextStep(account: SignInAccount): Promise<SignedIn['status']> {
    const { store, settings } = this.#use;
    if (!settings.auth.passkeys) return 'authenticated';
    const { user_id: userId, org_role: role } = account;
    const passkeys = await store.transaction('kernel', (tx) => countPasskeys(tx, userId), { readOnly: true });
    if (passkeys > 0) return 'mfa_required';
    return isMfaEnforced(settings, role) ? 'mfa_enrollment_required' : 'authenticated';
  }
}

function personOf(account: SignInAccount): SignedIn['user'] {
  return { id: account.user_id, name: account.name, email: account.email, email_verified: account.email_verified };
}

export const signIn: Token<SignIn> = createToken('kernel.sign-in');
