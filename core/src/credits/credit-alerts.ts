import { sql } from 'kysely';
import { monthOf } from '../calendar.ts';
import creditsThreshold from '../events/credits-threshold.ts';
import type { EventPublisher } from '../services/events.ts';
import type { Transaction } from '../store/store.ts';
import { toCredits } from './amounts.ts';
import type { Pool } from './pool-rows.ts';

/** Shares of the allocation, in percent, at which an alert is sent; later levels are lower. */
const levels = [
  { name: 'low', percent: 20 },
  { name: 'critical', percent: 5 },
  { name: 'exhausted', percent: 0 },
] as const;

/** Counts the alert levels at or above a balance. */
export function alertLevel(balanceHundredths: number, allocationHundredths: number): number {
  return levels.filter(({ percent }) => balanceHundredths * 100 <= allocationHundredths * percent).length;
}

/** Emits an event for the lowest level that the pool reaches for the first time this month (platform C-15). */
export async function alertWhenLow(
  tx: Transaction,
  { events, pool, at }: { readonly events: EventPublisher; readonly pool: Pool; readonly at: Date },
): Promise<void> {
  const month = monthOf(at);
  const level = alertLevel(pool.balance_hundredths, pool.allocation_hundredths);
  const before = pool.alert_month === month ? pool.alert_level : 0;
  const reached = levels[level - 1];
  if (reached === undefined || level <= before) return;
  await tx.query(
    sql`UPDATE kernel_credit_pool SET alert_month = ${month}, alert_level = ${level} WHERE id = ${pool.id}`,
  );
  const payload = {
    graph_id: pool.graph_id,
    subscriber_id: pool.subscriber_id,
    level: reached.name,
    balance: toCredits(pool.balance_hundredths),
    allocation: toCredits(pool.allocation_hundredths),
  };
  await events.publish(tx, creditsThreshold, payload, pool.graph_id);
}
