// Written by `npm run gen` from the migrations: the rows of each table as the store returns them. Do not edit.

export interface BillingAudit {
  readonly id: string;
  readonly org_id: string | null;
  readonly subscription_id: string | null;
  readonly event_type: string;
  readonly actor_type: 'user' | 'system' | 'admin' | 'webhook';
  readonly actor_id: string | null;
  readonly details: unknown;
  readonly at: Date;
}

export interface BillingCustomer {
  readonly org_id: string;
  readonly provider: string;
  readonly provider_customer: string | null;
  readonly has_payment_method: boolean;
  readonly invoice_billing_enabled: boolean;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export interface BillingEvent {
  readonly provider: string;
  readonly event_id: string;
  readonly type: string | null;
  readonly data: unknown;
  readonly at: Date;
  readonly received_at: Date;
  readonly attempts: number;
  readonly state: 'stored' | 'done' | 'failed';
  readonly error: string | null;
}

export interface BillingInvoice {
  readonly id: string;
  readonly org_id: string;
  readonly subscription_id: string | null;
  readonly provider_subscription: string | null;
  readonly number: number;
  readonly status: 'draft' | 'open' | 'paid' | 'void' | 'uncollectible';
  readonly currency: string;
  readonly amount_due_cents: number;
  readonly amount_paid_cents: number;
  readonly description: string;
  readonly period_start: Date;
  readonly period_end: Date;
  readonly created_at: Date;
  readonly due_at: Date | null;
  readonly paid_at: Date | null;
}

export interface BillingLocalCall {
  readonly key: string;
  readonly answer: unknown;
  readonly at: Date;
}

export interface BillingLocalCustomer {
  readonly id: string;
  readonly org_id: string;
  readonly email: string;
  readonly name: string;
  readonly card: 'ok' | 'decline' | 'expire' | null;
  readonly created_at: Date;
}

export interface BillingLocalPortal {
  readonly digest: string;
  readonly customer: string;
  readonly expires_at: Date;
}

export interface BillingLocalPrice {
  readonly id: string;
  readonly facts: string;
  readonly label: string;
  readonly amount_cents: number;
  readonly currency: string;
}

export interface BillingLocalSession {
  readonly id: string;
  readonly customer: string;
  readonly price: string;
  readonly success_url: string;
  readonly cancel_url: string;
  readonly state: 'open' | 'complete' | 'expired';
  readonly expires_at: Date;
}

export interface BillingLocalSubscription {
  readonly id: string;
  readonly customer: string;
  readonly price: string;
  readonly status: 'active' | 'past_due' | 'unpaid' | 'canceled';
  readonly period_start: Date;
  readonly period_end: Date;
  readonly ends_with_period: boolean;
  readonly failed_charges: number;
  readonly retry_at: Date | null;
  readonly proration_cents: number;
}

export interface BillingRepositoryAccess {
  readonly user_id: string;
  readonly repository: string;
  readonly org_id: string;
  readonly level: 'read' | 'write' | 'admin';
  readonly plan: string;
  readonly is_active: boolean;
  readonly inactive_reason: string | null;
  readonly expires_at: Date | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export interface BillingSubscription {
  readonly id: string;
  readonly org_id: string;
  readonly user_id: string | null;
  readonly resource_type: 'graph' | 'repository';
  readonly resource_id: string | null;
  readonly plan_name: string;
  readonly base_price_cents: number;
  readonly billing_interval: 'monthly';
  readonly status: 'pending' | 'pending_payment' | 'provisioning' | 'active' | 'upgrading' | 'past_due' | 'unpaid' | 'paused' | 'canceled' | 'failed';
  readonly provider: string | null;
  readonly provider_subscription: string | null;
  readonly provider_at: Date | null;
  readonly session_id: string | null;
  readonly session_url: string | null;
  readonly session_expires_at: Date | null;
  readonly config: unknown;
  readonly requested_by: unknown;
  readonly operation_id: string | null;
  readonly error: string | null;
  readonly is_refund_due: boolean;
  readonly before_change: unknown;
  readonly current_period_start: Date | null;
  readonly current_period_end: Date | null;
  readonly started_at: Date | null;
  readonly canceled_at: Date | null;
  readonly ends_at: Date | null;
  readonly cancellation_type: 'immediate' | 'period_end' | null;
  readonly closed_at: Date | null;
  readonly deprovisioned_at: Date | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly reserved_graph_id: string | null;
}

/** For `tx.tables<BillingTables>()`. */
export interface BillingTables {
  readonly billing_audit: BillingAudit;
  readonly billing_customer: BillingCustomer;
  readonly billing_event: BillingEvent;
  readonly billing_invoice: BillingInvoice;
  readonly billing_local_call: BillingLocalCall;
  readonly billing_local_customer: BillingLocalCustomer;
  readonly billing_local_portal: BillingLocalPortal;
  readonly billing_local_price: BillingLocalPrice;
  readonly billing_local_session: BillingLocalSession;
  readonly billing_local_subscription: BillingLocalSubscription;
  readonly billing_repository_access: BillingRepositoryAccess;
  readonly billing_subscription: BillingSubscription;
}
