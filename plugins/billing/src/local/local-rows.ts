import { sql, type Transaction } from '@pacioli/core';
import type {
  BillingLocalCustomer,
  BillingLocalPrice,
  BillingLocalSession,
  BillingLocalSubscription,
} from '../rows.gen.ts';

/** The behavior of a test card: it always pays, never pays, or pays only the first charge (platform B-32). */
export type TestCard = 'ok' | 'decline' | 'expire';

export const testCards: readonly TestCard[] = ['ok', 'decline', 'expire'];

export type LocalCustomer = Pick<BillingLocalCustomer, 'id' | 'org_id' | 'email' | 'name' | 'card'>;

export type LocalPrice = Pick<BillingLocalPrice, 'id' | 'label' | 'amount_cents' | 'currency'>;

export type LocalSession = Pick<
  BillingLocalSession,
  'id' | 'customer' | 'price' | 'success_url' | 'cancel_url' | 'state' | 'expires_at'
>;

export type LocalSubscription = Pick<
  BillingLocalSubscription,
  | 'id'
  | 'customer'
  | 'price'
  | 'status'
  | 'period_start'
  | 'period_end'
  | 'ends_with_period'
  | 'failed_charges'
  | 'retry_at'
  | 'proration_cents'
>;

export async function customerOf(tx: Transaction, id: string): Promise<LocalCustomer> {
  const [row] = await tx.query(sql<LocalCustomer>`SELECT * FROM billing_local_customer WHERE id = ${id} FOR UPDATE`);
  if (row === undefined) throw new Error(`No such customer: ${id}`);
  return row;
}

export async function priceOf(tx: Transaction, id: string): Promise<LocalPrice> {
  const [row] = await tx.query(sql<LocalPrice>`
    SELECT id, label, amount_cents, currency FROM billing_local_price WHERE id = ${id}`);
  if (row === undefined) throw new Error(`No such price: ${id}`);
  return row;
}

export async function sessionOf(tx: Transaction, id: string): Promise<LocalSession | undefined> {
  const [row] = await tx.query(sql<LocalSession>`SELECT * FROM billing_local_session WHERE id = ${id} FOR UPDATE`);
  return row;
}

export async function localSubscription(tx: Transaction, id: string): Promise<LocalSubscription | undefined> {
  const [row] = await tx.query(sql<LocalSubscription>`
    SELECT * FROM billing_local_subscription WHERE id = ${id} FOR UPDATE`);
  return row;
}

/** Runs the work once per key; later calls return the first result. */
export async function once<T>(tx: Transaction, key: string, now: Date, work: () => Promise<T>): Promise<T> {
  await tx.query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`billing-local ${key}`}, 0))`);
  const [earlier] = await tx.query(sql<{ answer: T }>`SELECT answer FROM billing_local_call WHERE key = ${key}`);
  if (earlier !== undefined) return earlier.answer;
  const answer = await work();
  await tx.query(sql`
    INSERT INTO billing_local_call (key, answer, at) VALUES (${key}, ${JSON.stringify(answer)}::text::jsonb, ${now})`);
  return answer;
}
