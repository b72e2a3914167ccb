import type { EventRow } from '../store/event-reads.ts';

/** An event as the wire shows it: instants in UTC, dimensions sorted (ledger L-80). */
export function eventView(row: EventRow) {
  return {
    ...row,
    occurred_at: row.occurred_at.toISOString(),
    effective_at: row.effective_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    dimension_ids: [...row.dimension_ids].sort(),
  };
}
