import { sql, type Transaction } from '@pacioli/core';
import type { CloseWarning, CloseWarnings } from '../book-tokens.ts';
import type { LedgerEvent } from '../rows.gen.ts';
import { boundsOf } from '../values/index.ts';

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
        AND NOT EXISTS (SELECT FROM ledger_entry AS e WHERE e.graph_id = v.graph_id AND e.event_id = v.id)
      ORDER BY v.occurred_at, v.id LIMIT ${maxSample}`);
    const count = rows[0]?.total ?? 0;
    return count === 0 ? [] : [{ code: 'unposted_events', count, sample: rows.map(({ id }) => id) }];
  }
}
