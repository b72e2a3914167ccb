import { sql } from 'kysely';
import { monthOf, startOfMonth } from '../calendar.ts';
import type { KernelCreditPool } from '../rows.gen.ts';
import type { Store } from '../store/store.ts';
import { type CreditParts, turnPeriod } from './pool-changes.ts';
import { lockPool, type Pool } from './pool-rows.ts';

/** The most pools that one run of the job processes; the next run continues. */
const maxPoolsPerTurn = 2_000;
const subscriberPeriodDays = 30;
const dayMs = 86_400_000;

/** Returns the current period of a pool, and whether it started after its last allocation (platform C-4). */
export function currentPeriod(
  pool: Pick<Pool, 'subscriber_id' | 'period_started_at'>,
  now: Date,
): { readonly startsAt: Date; readonly period: string; readonly isNew: boolean } {
  const since = pool.period_started_at.getTime();
  if (pool.subscriber_id === null) {
    const month = monthOf(now);
    const startsAt = startOfMonth(month);
    return { startsAt, period: month, isNew: since < startsAt.getTime() };
  }
  // Counts whole periods from the start, so that a late job does not shift the next period.
  const periods = Math.floor((now.getTime() - since) / (subscriberPeriodDays * dayMs));
  const startsAt = new Date(since + periods * subscriberPeriodDays * dayMs);
  return { startsAt, period: startsAt.toISOString(), isNew: periods > 0 };
}

/**
 * Starts the new period of every pool that is due, each in its own transaction; a period starts once even if several
 * processes try. Returns the number of pools.
 */
export async function turnDuePeriods(
  parts: CreditParts & { readonly store: Store },
  signal: AbortSignal,
): Promise<number> {
  const now = parts.clock.now();
  const month = startOfMonth(monthOf(now));
  const before = new Date(now.getTime() - subscriberPeriodDays * dayMs);
  const due = await parts.store.transaction('kernel', (tx) =>
    tx.query<Pick<KernelCreditPool, 'id'>>(sql`
      SELECT id FROM kernel_credit_pool p WHERE is_active
        AND NOT EXISTS (SELECT 1 FROM kernel_graph g WHERE g.graph_id = p.graph_id
          AND g.status IN ('deprovisioned', 'deleted'))
        AND ((subscriber_id IS NULL AND period_started_at < ${month})
          OR (subscriber_id IS NOT NULL AND period_started_at <= ${before}))
      ORDER BY period_started_at LIMIT ${maxPoolsPerTurn}`),
  );
  let turned = 0;
  for (const { id } of due) {
    if (signal.aborted) break;
    await parts.store.transaction('kernel', async (tx) => {
      const pool = await lockPool(tx, id);
      if (pool === undefined || !pool.is_active) return;
      const { isNew, ...period } = currentPeriod(pool, parts.clock.now());
      if (!isNew) return;
      await turnPeriod(parts, tx, pool, period);
      turned += 1;
    });
  }
  return turned;
}
