import { sql } from 'kysely';
import type { RequestFacts, SecurityAudit } from '../../audit/security-audit.ts';
import type { Authenticator } from '../../auth/authenticator.ts';
import { createToken, type Token } from '../../container/token.ts';
import type { Caller } from '../../define/context.ts';
import { notFound } from '../../errors/service-error.ts';
import type { KernelGraph, KernelOauthGrant } from '../../rows.gen.ts';
import type { Clock } from '../../services/kernel-tokens.ts';
import { columnsOf, type RowOf } from '../../store/columns.ts';
import type { Store } from '../../store/store.ts';
import { isUsable } from '../../tenancy/graph-rows.ts';

const maxGrants = 200;

/** An app that a user gave access to one graph; times are RFC 3339. */
export interface OAuthGrant {
  readonly id: string;
  readonly client_name: string;
  readonly client_uri: string | null;
  readonly client_is_trusted: boolean;
  readonly graph_id: string;
  /** Null if the graph was deleted. */
  readonly graph_name: string | null;
  readonly resource: string;
  readonly scope: string;
  readonly created_at: string;
  readonly last_used_at: string | null;
}

const grantColumns = columnsOf<KernelOauthGrant>('a')(
  'id',
  'client_name',
  'client_uri',
  'client_is_trusted',
  'graph_id',
  'resource',
  'scope',
  'created_at',
  'last_used_at',
);

type GrantRow = RowOf<typeof grantColumns> & { readonly graph_name: KernelGraph['name'] | null };

interface OAuthGrantServices {
  readonly store: Store;
  readonly clock: Clock;
  readonly audit: SecurityAudit;
  readonly authenticator: Authenticator;
}

export const oauthGrants: Token<OAuthGrants> = createToken('kernel.oauth-grants');

/** The apps that users connected (platform K-8). The plugin that issues tokens to them writes the rows. */
export class OAuthGrants {
  readonly #use: OAuthGrantServices;

  constructor(use: OAuthGrantServices) {
    this.#use = use;
  }

  /** Lists the caller's active grants, newest first. */
  async list(caller: Caller): Promise<OAuthGrant[]> {
    const rows = await this.#use.store.transaction(
      'kernel',
      (tx) =>
        tx.query<GrantRow>(sql`
          SELECT ${grantColumns}, g.name AS graph_name
          FROM kernel_oauth_grant a
          LEFT JOIN kernel_graph g ON g.graph_id = a.graph_id AND ${isUsable}
          WHERE a.user_id = ${caller.userId} AND a.revoked_at IS NULL
          ORDER BY a.created_at DESC, a.id DESC LIMIT ${maxGrants}`),
      { readOnly: true },
    );
    return rows.map((row) => ({
      ...row,
      created_at: row.created_at.toISOString(),
      last_used_at: row.last_used_at?.toISOString() ?? null,
    }));
  }

  /** Revokes a grant with all its tokens. Revoking it again succeeds; another user's grant is 404. */
  async revoke(caller: Caller, grantId: string, request: RequestFacts): Promise<void> {
    await this.#use.store.transaction('kernel', async (tx) => {
      const [grant] = await tx.query(sql<Pick<KernelOauthGrant, 'graph_id' | 'client_id' | 'revoked_at'>>`
        SELECT graph_id, client_id, revoked_at FROM kernel_oauth_grant
        WHERE id = ${grantId} AND user_id = ${caller.userId} FOR UPDATE`);
      if (grant === undefined) throw notFound('Connected app not found');
      if (grant.revoked_at !== null) return;
      await tx.query(sql`UPDATE kernel_oauth_grant SET revoked_at = ${this.#use.clock.now()} WHERE id = ${grantId}`);
      await this.#use.audit.append(tx, {
        type: 'oauth_grant_revoked',
        risk: 'medium',
        caller,
        graphId: grant.graph_id,
        request,
        details: { grant_id: grantId, client_id: grant.client_id },
      });
    });
    this.#use.authenticator.forgetUser(caller.userId);
  }
}
