import { sql, type Transaction } from '@pacioli/core';
import type {
  BillingLocalCustomer,
  BillingLocalPrice,
  BillingLocalSession,
  BillingLocalSubscription,
  BillingTables,
} from '../rows.gen.ts';
import type { Period } from '../subscriptions/index.ts';

/** The behavior of a test card: it always pays, never pays, or pays only the first charge (platform B-32). */
export type TestCard = 'ok' | 'decline' | 'expire';

export const testCards: readonly TestCard[] = ['ok', 'decline', 'expire'];

export type LocalPrice = Pick<BillingLocalPrice, 'id' | 'label' | 'amount_cents' | 'currency'>;

export async function customerOf(tx: Transaction, id: string): Promise<BillingLocalCustomer> {
  const customers = tx.tables<BillingTables>().selectFrom('billing_local_customer');
  const row = await customers.selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  if (row === undefined) throw new Error(`No such customer: ${id}`);
  return row;
}

export async function priceOf(tx: Transaction, id: string): Promise<LocalPrice> {
  const prices = tx.tables<BillingTables>().selectFrom('billing_local_price');
  const row = await prices.select(['id', 'label', 'amount_cents', 'currency']).where('id', '=', id).executeTakeFirst();
  if (row === undefined) throw new Error(`No such price: ${id}`);
  return row;
}

export async function sessionOf(tx: Transaction, id: string): Promise<BillingLocalSession | undefined> {
  const sessions = tx.tables<BillingTables>().selectFrom('billing_local_session');
  return sessions.selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

export async function localSubscription(tx: Transaction, id: string): Promise<BillingLocalSubscription | undefined> {
  const subscriptions = tx.tables<BillingTables>().selectFrom('billing_local_subscription');
  return subscriptions.selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

/** Stores a new subscription, whose first period is paid. */
export async function insertLocalSubscription(
  tx: Transaction,
  row: Pick<BillingLocalSubscription, 'id' | 'customer' | 'price'> & { readonly period: Period },
): Promise<void> {
  await tx.query(sql`
    INSERT INTO billing_local_subscription (id, customer, price, status, period_start, period_end)
    VALUES (${row.id}, ${row.customer}, ${row.price}, 'active', ${row.period.start}, ${row.period.end})`);
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
