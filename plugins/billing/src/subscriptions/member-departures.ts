import { type MemberDeparture, sql } from '@pacioli/core';
import type { Cancellations } from './cancellations.ts';
import { isLiveRow, type Subscription } from './subscription-rows.ts';

/** When a member leaves an organization, the subscriptions that it pays for them end immediately (platform U-7). */
export class Departures implements Omit<MemberDeparture, 'key'> {
  readonly counts = 'repository_subscriptions';
  readonly #cancellations: Cancellations;

  constructor(cancellations: Cancellations) {
    this.#cancellations = cancellations;
  }

  readonly depart: MemberDeparture['depart'] = async ({ tx, orgId, userId }) => {
    const rows = await tx.query(sql<Subscription>`
      SELECT * FROM billing_subscription
      WHERE org_id = ${orgId} AND user_id = ${userId} AND resource_type = 'repository'
        AND ${isLiveRow}`);
    for (const row of rows) {
      await this.#cancellations.atProvider(row, 'immediate', tx);
      const request = { immediate: true, confirm: row.resource_id };
      await this.#cancellations.end(tx, row.id, { type: 'immediate', actor: { type: 'system' }, request });
    }
    return rows.length;
  };
}
