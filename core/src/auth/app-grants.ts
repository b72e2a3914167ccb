import type { RequestFacts } from '../audit/security-audit.ts';
import { createToken, type Token } from '../container/token.ts';
import type { Caller } from '../define/context.ts';
import type { Transaction } from '../store/store.ts';

/** The consent of a user that a client acts for them on one graph. */
export interface NewAppGrant {
  readonly caller: Caller;
  readonly graphId: string;
  readonly clientId: string;
  readonly clientName: string;
  readonly clientUri: string | null;
  readonly isTrusted: boolean;
  readonly resource: string;
  readonly scope: string;
}

/** An active grant, and the caller that its tokens stand for. */
export interface AppGrant {
  readonly id: string;
  readonly clientId: string;
  readonly graphId: string;
  readonly resource: string;
  /** Limited to the graph of the grant, with the credential `oauth`. */
  readonly caller: Caller;
  readonly lastUsedAt: Date | null;
}

/** The grants of connected apps, for the plugin that issues tokens to them (platform K-8). */
export interface AppGrants {
  /** False where users sign in to the host: then there are no grants, and no tokens may be issued. */
  readonly isOn: boolean;
  /**
   * Records a consent in a kernel transaction and returns its id. Replaces an earlier grant of the same user, client,
   * graph and resource (ai-surface O-44). Throws 409 `TOO_MANY_GRANTS` at 200 active grants of a user.
   */
  record(tx: Transaction, grant: NewAppGrant, request: RequestFacts): Promise<string>;
  /** Returns a grant that is not revoked and whose user is active, in a kernel transaction. */
  find(tx: Transaction, grantId: string): Promise<AppGrant | undefined>;
  /** Records in the background that a grant was used, at most once a minute (ai-surface O-38). */
  noteUse(grant: AppGrant): void;
}

export const appGrants: Token<AppGrants> = createToken('kernel.app-grants');

/** The grants of a deployment without accounts. */
export const noAppGrants: AppGrants = {
  isOn: false,
  record: async () => {
    throw new Error('This deployment has no accounts that could grant access to an app.');
  },
  find: async () => undefined,
  noteUse: () => undefined,
};
