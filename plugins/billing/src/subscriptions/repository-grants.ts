import type { Credits, Transaction } from '@pacioli/core';
import type { Plans } from './plans.ts';
import { grantAccess, revokeAccess } from './repository-access.ts';
import type { Subscription } from './subscription-rows.ts';

interface GrantParts {
  readonly plans: Plans;
  readonly credits: Credits;
  readonly now: () => Date;
}

/** Grants a repository subscriber access and a pool of credits, always both or neither. */
export class RepositoryGrants {
  readonly #parts: GrantParts;

  constructor(parts: GrantParts) {
    this.#parts = parts;
  }

  /** Opens the repository to the user of an active subscription; repeatable, and also correct after a plan change. */
  async admit(tx: Transaction, row: Subscription): Promise<void> {
    if (row.resource_type !== 'repository' || row.user_id === null || row.resource_id === null) return;
    const { plans, credits, now } = this.#parts;
    const grant = { userId: row.user_id, repository: row.resource_id, orgId: row.org_id, plan: row.plan_name };
    await grantAccess(tx, grant, now());
    const { creditsMonthly } = plans.requireOfRepository(row.resource_id, row.plan_name);
    const owner = { graphId: row.resource_id, subscriberId: row.user_id };
    await credits.open(tx, owner, row.plan_name, creditsMonthly);
    // An existing pool changes by the difference between the plans (platform B-14).
    await credits.changeAllocation(tx, owner, row.plan_name, creditsMonthly);
  }

  /** Ends a user’s access and their credit pool immediately (platform B-15). */
  async revoke(tx: Transaction, grant: { userId: string; repository: string }, reason: string): Promise<void> {
    await revokeAccess(tx, grant, reason, this.#parts.now());
    await this.#parts.credits.close(tx, { graphId: grant.repository, subscriberId: grant.userId });
  }
}
