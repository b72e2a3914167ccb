import { type Caller, sql, type Transaction } from '@pacioli/core';
import type { BillingSubscription } from '../rows.gen.ts';

export type ResourceType = BillingSubscription['resource_type'];

/** The state to restore when a tier change fails (platform B-17). */
export interface BeforeChange {
  readonly plan_name: string;
  readonly base_price_cents: number;
  readonly tier: string;
}

/** A row of `billing_subscription`; the migration documents its columns. */
export interface Subscription extends BillingSubscription {
  readonly config: Readonly<Record<string, unknown>> | null;
  readonly requested_by: Caller | null;
  /** The id reserved by a checkout; it counts toward the graph limit until the graph is created (platform U-9). */
  readonly reserved_graph_id: BillingSubscription['reserved_graph_id'];
  /** True until the provider has refunded the payment (platform B-3). */
  readonly is_refund_due: BillingSubscription['is_refund_due'];
  readonly before_change: BeforeChange | null;
}

/** The columns that can change; `updated_at` is set automatically. */
export type SubscriptionPatch = Partial<Omit<Subscription, 'id' | 'org_id' | 'created_at' | 'updated_at'>>;

export type NewSubscription = Pick<
  Subscription,
  'id' | 'org_id' | 'resource_type' | 'plan_name' | 'base_price_cents' | 'status' | 'created_at'
> &
  SubscriptionPatch;

const maxRows = 500;

/** The condition of `isLive` in SQL, in the form of the partial indexes. */
export const isLiveRow = sql`status NOT IN ('canceled', 'failed')`;

/** Stores the caller and the order as JSON; null stays null. */
function json(value: unknown) {
  return value == null ? sql`NULL::jsonb` : sql`${JSON.stringify(value)}::text::jsonb`;
}

export async function insertSubscription(tx: Transaction, row: NewSubscription): Promise<Subscription> {
  const [stored] = await tx.query(sql<Subscription>`
    INSERT INTO billing_subscription (id, org_id, user_id, resource_type, resource_id, plan_name, base_price_cents,
      status, provider, config, requested_by, reserved_graph_id, current_period_start, current_period_end, started_at, created_at, updated_at)
    VALUES (${row.id}, ${row.org_id}, ${row.user_id ?? null}, ${row.resource_type}, ${row.resource_id ?? null},
      ${row.plan_name}, ${row.base_price_cents}, ${row.status}, ${row.provider ?? null}, ${json(row.config)},
      ${json(row.requested_by)}, ${row.reserved_graph_id ?? null}, ${row.current_period_start ?? null}, ${row.current_period_end ?? null},
      ${row.started_at ?? null}, ${row.created_at}, ${row.created_at})
    RETURNING *`);
  if (stored === undefined) throw new Error('A subscription was not stored.');
  return stored;
}

export async function updateSubscription(
  tx: Transaction,
  row: Subscription,
  patch: SubscriptionPatch,
  now: Date,
): Promise<Subscription> {
  const next = { ...row, ...patch };
  const [stored] = await tx.query(sql<Subscription>`
    UPDATE billing_subscription SET resource_id = ${next.resource_id}, plan_name = ${next.plan_name},
      base_price_cents = ${next.base_price_cents}, status = ${next.status}, provider = ${next.provider},
      provider_subscription = ${next.provider_subscription}, provider_at = ${next.provider_at},
      session_id = ${next.session_id}, session_url = ${next.session_url},
      session_expires_at = ${next.session_expires_at}, operation_id = ${next.operation_id}, error = ${next.error},
      is_refund_due = ${next.is_refund_due},
      before_change = ${json(next.before_change)}, current_period_start = ${next.current_period_start},
      current_period_end = ${next.current_period_end}, started_at = ${next.started_at},
      canceled_at = ${next.canceled_at}, ends_at = ${next.ends_at}, cancellation_type = ${next.cancellation_type},
      closed_at = ${next.closed_at}, deprovisioned_at = ${next.deprovisioned_at}, updated_at = ${now}
    WHERE id = ${row.id} RETURNING *`);
  if (stored === undefined) throw new Error(`The subscription ${row.id} no longer exists.`);
  return stored;
}

/** Serializes decisions about a graph’s subscription until the transaction ends. */
export async function lockGraphBilling(tx: Transaction, graphId: string): Promise<void> {
  await tx.query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`billing ${graphId}`}, 0))`);
}

/** Reads one subscription by id and locks its row until the transaction ends. */
export async function lockSubscription(tx: Transaction, id: string): Promise<Subscription | undefined> {
  const [row] = await tx.query(sql<Subscription>`SELECT * FROM billing_subscription WHERE id = ${id} FOR UPDATE`);
  return row;
}

/** The live subscription of a graph, or the latest one that was ever active. */
export async function subscriptionOfGraph(tx: Transaction, graphId: string): Promise<Subscription | undefined> {
  const [row] = await tx.query(sql<Subscription>`
    SELECT * FROM billing_subscription WHERE resource_type = 'graph' AND resource_id = ${graphId}
    ORDER BY (${isLiveRow}) DESC, created_at DESC, id DESC LIMIT 1`);
  return row;
}

/** The live subscription of a user to a repository, or the latest one. */
export async function subscriptionOfUser(
  tx: Transaction,
  userId: string,
  repository: string,
): Promise<Subscription | undefined> {
  const [row] = await tx.query(sql<Subscription>`
    SELECT * FROM billing_subscription
    WHERE resource_type = 'repository' AND resource_id = ${repository} AND user_id = ${userId}
    ORDER BY (${isLiveRow}) DESC, created_at DESC, id DESC LIMIT 1`);
  return row;
}

export async function subscriptionOfSession(
  tx: Transaction,
  provider: string,
  sessionId: string,
): Promise<Subscription | undefined> {
  const [row] = await tx.query(sql<Subscription>`
    SELECT * FROM billing_subscription WHERE provider = ${provider} AND session_id = ${sessionId} FOR UPDATE`);
  return row;
}

export async function subscriptionOfProvider(
  tx: Transaction,
  provider: string,
  providerSubscription: string,
): Promise<Subscription | undefined> {
  const [row] = await tx.query(sql<Subscription>`
    SELECT * FROM billing_subscription
    WHERE provider = ${provider} AND provider_subscription = ${providerSubscription} FOR UPDATE`);
  return row;
}

/** Newest first, without those that ended before they had a resource (platform B-11). */
export function subscriptionsOfOrg(tx: Transaction, orgId: string): Promise<readonly Subscription[]> {
  return tx.query(sql<Subscription>`
    SELECT * FROM billing_subscription
    WHERE org_id = ${orgId} AND (${isLiveRow} OR resource_id IS NOT NULL)
    ORDER BY created_at DESC, id DESC LIMIT ${maxRows}`);
}

/** A batch of subscriptions that match a condition, least recently changed first; does not lock their rows. */
export function subscriptionsWhere(
  tx: Transaction,
  condition: ReturnType<typeof sql>,
): Promise<readonly Subscription[]> {
  return tx.query(sql<Subscription>`
    SELECT * FROM billing_subscription WHERE ${condition} ORDER BY updated_at, id LIMIT ${maxRows}`);
}
