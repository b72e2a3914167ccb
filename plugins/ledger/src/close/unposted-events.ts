import { sql, type Transaction } from '@pacioli/core';
import type { LedgerEvent } from '../rows.gen.ts';
import { boundsOf } from '../values/index.ts';

/** A finding to review before closing a month; it does not block the close. */
export interface CloseWarning {
  /** `unposted_events`: events of the month that are captured or classified, and have no entries. */
  readonly code: 'unposted_events';
  readonly count: number;
  /** The ids of the first ten, by time. */
  readonly sample: readonly string[];
}

/** Warnings about a month, computed only on request (ledger L-154). */
export interface CloseWarnings {
  /** Empty when there is nothing to review. */
  warnings(tx: Transaction, period: string): Promise<readonly CloseWarning[]>;
}

/** Limit of events that a warning names. */
const maxSample = 10;

/** Finds events of a month without entries; they do not block a close (ledger L-154). */
export class UnpostedEvents implements CloseWarnings {
  async warnings(tx: Transaction, period: string): Promise<readonly CloseWarning[]> {
    const { start, end } = boundsOf(period);
    const rows = await tx.query(sql<Pick<LedgerEvent, 'id'> & { readonly total: number }>`
      SELECT v.id, count(*) OVER () AS total FROM ledger_event AS v
      WHERE v.graph_id = ${tx.graphId} AND v.status IN ('captured', 'classified')
        AND v.occurred_at >= (${start} || 'T00:00:00Z')::timestamptz AND v.occurred_at < (${end} || 'T00:00:00Z')::timestamptz + interval '1 day'
        AND NOT EXISTS (SELECT FROM ledger_entry AS e WHERE e.graph_id = v.graph_id AND e.event_id = v.id OFFSET 0)
      ORDER BY v.occurred_at, v.id LIMIT ${maxSample}`);
    const count = rows[0]?.total ?? 0;
    return count === 0 ? [] : [{ code: 'unposted_events', count, sample: rows.map(({ id }) => id) }];
  }
}
