import { type Ids, notFound, type Transaction } from '@pacioli/core';
import type { PaymentPort } from '../payments/index.ts';
import type { Actor } from './billing-audit.ts';
import { atProvider, checkCancellation } from './refusals.ts';
import { expireAccess } from './repository-access.ts';
import type { RepositoryGrants } from './repository-grants.ts';
import { lockSubscription, type Subscription } from './subscription-rows.ts';
import type { SubscriptionWorkflow } from './subscription-workflow.ts';

export interface CancelRequest {
  readonly immediate?: boolean;
  readonly confirm?: string | null;
}

/** Ends subscriptions. Calls the provider first, so that a refusal there changes nothing here (platform B-12). */
export class Cancellations {
  readonly #workflow: SubscriptionWorkflow;
  readonly #port: PaymentPort;
  readonly #ids: Ids;
  readonly #grants: RepositoryGrants;

  constructor(parts: { workflow: SubscriptionWorkflow; port: PaymentPort; ids: Ids; grants: RepositoryGrants }) {
    this.#grants = parts.grants;
    this.#workflow = parts.workflow;
    this.#port = parts.port;
    this.#ids = parts.ids;
  }

  /** Cancels for an authorized actor. 400 if the subscription cannot be canceled, 502 if the provider fails. */
  async cancel(row: Subscription, request: CancelRequest, actor: Actor): Promise<Subscription> {
    const type = checkCancellation(row, request);
    await this.atProvider(row, type);
    return this.#workflow.transaction((tx) => this.end(tx, row.id, { type, actor, request }));
  }

  /** Tells the provider to stop charging; a no-op for subscriptions not billed there. Each attempt has its own key. */
  async atProvider(row: Subscription, type: 'immediate' | 'period_end', within?: Transaction): Promise<void> {
    const subscription = row.provider_subscription;
    if (subscription === null) return;
    await atProvider(() =>
      this.#port.cancel({ subscription, atPeriodEnd: type === 'period_end' }, this.#ids.make('cancel'), within),
    );
  }

  /** Records a cancellation. Throws if the subscription can no longer be canceled. */
  async end(
    tx: Transaction,
    id: string,
    { type, actor, request }: { type: 'immediate' | 'period_end'; actor: Actor; request: CancelRequest },
  ): Promise<Subscription> {
    const row = await lockSubscription(tx, id);
    if (row === undefined) throw notFound('Subscription not found.');
    checkCancellation(row, request);
    const now = this.#workflow.now();
    const endsAt = type === 'immediate' ? now : (row.current_period_end ?? now);
    const moved = await this.#workflow.move(tx, row, 'canceled', actor, {
      canceled_at: now,
      ends_at: endsAt,
      cancellation_type: type,
      closed_at: type === 'immediate' ? now : null,
    });
    if (row.resource_type === 'repository' && row.user_id !== null && row.resource_id !== null) {
      const grant = { userId: row.user_id, repository: row.resource_id };
      if (type === 'immediate') await this.#grants.revoke(tx, grant, 'canceled');
      else await expireAccess(tx, grant, endsAt, now);
    }
    return moved ?? row;
  }
}
