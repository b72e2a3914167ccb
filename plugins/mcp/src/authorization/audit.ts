import type { RequestFacts, SecurityAudit, Transaction } from '@pacioli/core';

/** Signs that a code or token is in the wrong hands. */
export type Suspicion =
  | 'oauth_code_of_another_client'
  | 'oauth_code_reused'
  | 'oauth_pkce_failed'
  | 'oauth_refresh_token_of_another_client'
  | 'oauth_refresh_token_reused';

/** Records a suspicion with high risk (O-33, O-34); `details` must not contain a secret. */
export async function noteSuspicion(
  audit: SecurityAudit,
  tx: Transaction,
  suspicion: {
    readonly reason: Suspicion;
    readonly userId: string;
    readonly clientId: string;
    readonly grantId: string;
    readonly request: RequestFacts;
  },
): Promise<void> {
  const { reason, userId, clientId, grantId, request } = suspicion;
  const details = { reason, client_id: clientId, grant_id: grantId };
  await audit.append(tx, { type: 'suspicious_activity', risk: 'high', userId, request, details });
}
