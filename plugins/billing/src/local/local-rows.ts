import { sql, type Transaction } from '@pacioli/core';

/** The behavior of a test card: it always pays, never pays, or pays only the first charge (platform B-32). */
export type TestCard = 'ok' | 'decline' | 'expire';

export const testCards: readonly TestCard[] = ['ok', 'decline', 'expire'];

export interface LocalCustomer {
  readonly id: string;
  readonly org_id: string;
  readonly email: string;
  readonly name: string;
  readonly card: TestCard | null;
}

export interface LocalPrice {
  readonly id: string;
  readonly label: string;
  readonly amount_cents: number;
  readonly currency: string;
}

export interface LocalSession {
  readonly id: string;
  readonly customer: string;
  readonly price: string;
  readonly success_url: string;
  readonly cancel_url: string;
  readonly state: 'open' | 'complete' | 'expired';
  readonly expires_at: Date;
}

export interface LocalSubscription {
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
