import { sql } from 'kysely';
import type { BackgroundWrites, RequestFacts, SecurityAudit } from '../../audit/security-audit.ts';
import type { AppGrant, AppGrants, NewAppGrant } from '../../auth/app-grants.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { KernelOauthGrant } from '../../rows.gen.ts';
import type { Clock, Ids } from '../../services/kernel-tokens.ts';
import { columnsOf, type RowOf } from '../../store/columns.ts';
import type { Store, Transaction } from '../../store/store.ts';
import { callerOf, type PrincipalRow, principalColumns } from '../sessions/principal-reads.ts';

const maxGrantsPerUser = 200;
const minUseSeconds = 60;

interface AppGrantServices {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly audit: SecurityAudit;
  readonly background: BackgroundWrites;
}

const grantColumns = columnsOf<KernelOauthGrant>('a')('id', 'client_id', 'graph_id', 'resource', 'last_used_at');
type GrantRow = RowOf<typeof grantColumns> & PrincipalRow;

/** The grants of the accounts of this deployment, in the table that users see as connected apps. */
export class AccountAppGrants implements AppGrants {
  readonly isOn = true;
  readonly #use: AppGrantServices;

  constructor(use: AppGrantServices) {
    this.#use = use;
  }

  async record(tx: Transaction, grant: NewAppGrant, request: RequestFacts): Promise<string> {
    const { clock, ids, audit } = this.#use;
    const { caller, graphId, clientId, resource } = grant;
    const now = clock.now();
    // Consents of one user wait for each other, so that no two grants with the same four values remain.
    await tx.query(sql`SELECT 1 FROM kernel_user WHERE id = ${caller.userId} FOR NO KEY UPDATE`);
    await tx.query(sql`
      UPDATE kernel_oauth_grant SET revoked_at = ${now} WHERE user_id = ${caller.userId} AND client_id = ${clientId}
        AND graph_id = ${graphId} AND resource = ${resource} AND revoked_at IS NULL`);
    const [active] = await tx.query(sql<{ count: number }>`
      SELECT count(*) AS count FROM kernel_oauth_grant WHERE user_id = ${caller.userId} AND revoked_at IS NULL`);
    if ((active?.count ?? 0) >= maxGrantsPerUser) throw tooManyGrants();
    const id = ids.make('oag');
    await tx.query(sql`
      INSERT INTO kernel_oauth_grant (id, user_id, graph_id, client_id, client_name, client_uri, client_is_trusted,
        resource, scope, created_at)
      VALUES (${id}, ${caller.userId}, ${graphId}, ${clientId}, ${grant.clientName}, ${grant.clientUri},
        ${grant.isTrusted}, ${resource}, ${grant.scope}, ${now})`);
    const details = { grant_id: id, client_id: clientId, resource };
    await audit.append(tx, { type: 'oauth_grant_created', risk: 'medium', caller, graphId, request, details });
    return id;
  }

  async find(tx: Transaction, grantId: string): Promise<AppGrant | undefined> {
    const [row] = await tx.query<GrantRow>(sql`
      SELECT ${grantColumns}, ${principalColumns}
      FROM kernel_oauth_grant a
      JOIN kernel_user u ON u.id = a.user_id
      LEFT JOIN kernel_org_user m ON m.user_id = u.id
      WHERE a.id = ${grantId} AND a.revoked_at IS NULL AND u.is_active`);
    if (row === undefined) return undefined;
    return {
      id: row.id,
      clientId: row.client_id,
      graphId: row.graph_id,
      resource: row.resource,
      caller: { ...callerOf(row), credential: 'oauth', grantId: row.id, scopeGraphId: row.graph_id },
      lastUsedAt: row.last_used_at,
    };
  }

  noteUse({ id, lastUsedAt }: AppGrant): void {
    const now = this.#use.clock.now();
    const before = new Date(now.getTime() - minUseSeconds * 1000);
    if (lastUsedAt !== null && lastUsedAt >= before) return;
    this.#use.background.start('oauth-grant-use', async () => {
      await this.#use.store.transaction('kernel', (tx) =>
        tx.query(sql`
          UPDATE kernel_oauth_grant SET last_used_at = ${now}
          WHERE id = ${id} AND (last_used_at IS NULL OR last_used_at < ${before})`),
      );
    });
  }
}

function tooManyGrants(): ServiceError {
  const message = `At most ${maxGrantsPerUser} apps can be connected. Disconnect one that is not used.`;
  return new ServiceError('conflict', 'TOO_MANY_GRANTS', message);
}
