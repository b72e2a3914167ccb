import { type Ids, sql, type Transaction } from '@pacioli/core';

/** The billing events of an organization, kept permanently (platform B-18). */
export type BillingAuditType =
  | 'customer_created'
  | 'payment_method_added'
  | 'payment_method_removed'
  | 'payment_method_updated'
  | 'subscription_created'
  | 'subscription_activated'
  | 'subscription_paused'
  | 'subscription_resumed'
  | 'subscription_canceled'
  | 'subscription_expired'
  | 'plan_upgraded'
  | 'plan_downgraded'
  | 'invoice_generated'
  | 'invoice_paid'
  | 'invoice_overdue'
  | 'payment_succeeded'
  | 'payment_failed'
  | 'refund_processed'
  | 'invoice_billing_enabled'
  | 'invoice_billing_disabled'
  | 'webhook_received';

/** The origin of a change: a person, the deployment itself, or a provider’s message. */
export interface Actor {
  readonly type: 'user' | 'system' | 'admin' | 'webhook';
  readonly id?: string;
}

export const theProvider: Actor = { type: 'webhook' };
export const theSystem: Actor = { type: 'system' };

export interface BillingAuditEntry {
  readonly type: BillingAuditType;
  readonly actor: Actor;
  readonly orgId?: string;
  readonly subscriptionId?: string;
  /** Never holds card numbers or secrets. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** The append-only billing record, written in the transaction of the change. */
export class BillingAudit {
  readonly #ids: Ids;

  constructor(ids: Ids) {
    this.#ids = ids;
  }

  async append(tx: Transaction, entry: BillingAuditEntry, now: Date): Promise<void> {
    await tx.query(sql`
      INSERT INTO billing_audit (id, org_id, subscription_id, event_type, actor_type, actor_id, details, at)
      VALUES (${this.#ids.make('bau')}, ${entry.orgId ?? null}, ${entry.subscriptionId ?? null}, ${entry.type},
        ${entry.actor.type}, ${entry.actor.id ?? null}, ${JSON.stringify(entry.details ?? {})}::text::jsonb, ${now})`);
  }
}
