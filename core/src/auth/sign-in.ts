import type { RequestFacts } from '../audit/security-audit.ts';
import { createToken, type Token } from '../services/token.ts';
import type { KernelSettings } from '../settings/kernel-settings.ts';
import type { AccountRow } from './account-reads.ts';
import { refresh_threshold_seconds, type SessionTokens, session_seconds } from './session-token.ts';

/** The body of every answer that opens a session (platform A-8). */
export interface SignedIn {
  readonly user: Readonly<Record<string, unknown>>;
  readonly org: Readonly<Record<string, unknown>> | null;
  readonly message: string;
  readonly status: 'authenticated';
  readonly mfa_token: null;
  readonly token: string;
  readonly expires_in: number;
  readonly refresh_threshold: number;
}

export type SignInAccount = Omit<AccountRow, 'password_hash'>;

/** The only place where sessions are opened; every way to sign in ends in one of its methods (platform M-4). */
export class SignIn {
  readonly #tokens: SessionTokens;
  readonly #isDeviceBound: boolean;

  constructor(use: { readonly tokens: SessionTokens; readonly settings: KernelSettings }) {
    this.#tokens = use.tokens;
    this.#isDeviceBound = use.settings.auth.deviceBinding;
  }

  /** Opens a session for somebody who has proven enough: a new account, a renewed session, a passkey, a bridge. */
  async open(account: SignInAccount, message: string, request: RequestFacts): Promise<SignedIn> {
    const device = this.#isDeviceBound ? request.deviceHash : undefined;
    return {
      user: personOf(account),
      org: account.org_id === null ? null : { id: account.org_id, name: account.org_name, type: account.org_type },
      message,
      status: 'authenticated',
      mfa_token: null,
      token: await this.#tokens.issue(account.user_id, account.session_version, device),
      expires_in: session_seconds,
      refresh_threshold: refresh_threshold_seconds,
    };
  }

  /** Goes on after one weak factor: a password, a reset link or a link in a mail (platform M-4). */
  async afterSingleFactor(account: SignInAccount, message: string, request: RequestFacts): Promise<SignedIn> {
    return this.open(account, message, request);
  }
}

function personOf(account: SignInAccount): SignedIn['user'] {
  return { id: account.user_id, name: account.name, email: account.email, email_verified: account.email_verified };
}

export const signIn: Token<SignIn> = createToken('kernel.sign-in');
