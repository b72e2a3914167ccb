import { columnsOf, type Page, type RowOf, sql, type Transaction } from '@pacioli/core';
import type { LedgerEvent } from '../rows.gen.ts';
import { equal, inOrderOf, metadataOfStored, onPage } from '../values/index.ts';

export interface EventFilter {
  readonly eventType?: string | undefined;
  readonly eventCategory?: string | undefined;
  readonly status?: string | undefined;
  readonly agentId?: string | undefined;
  readonly source?: string | undefined;
  readonly isReconcilingItem?: boolean | undefined;
}

const columns = columnsOf<LedgerEvent>()(
  'id',
  'event_type',
  'event_category',
  'event_class',
  'event_action',
  'status',
  'occurred_at',
  'effective_at',
  'source',
  'external_id',
  'external_url',
  'amount',
  'currency',
  'description',
  'metadata',
  'is_reconciling_item',
  'dimension_ids',
  'agent_id',
  'resource_type',
  'resource_element_id',
  'replaced_by_event_id',
  'replaces_event_id',
  'obligated_by_event_id',
  'discharges_event_id',
  'created_at',
  'created_by',
);

export type EventRow = RowOf<typeof columns> & { readonly metadata: Readonly<Record<string, unknown>> };

/** Reads of events (ledger L-81). */
export class EventReads {
  async find(tx: Transaction, id: string): Promise<EventRow | undefined> {
    const [row] = await tx.query(
      sql<EventRow>`SELECT ${columns} FROM ledger_event WHERE graph_id = ${tx.graphId} AND id = ${id}`,
    );
    return row && eventOf(row);
  }

  /**
   * An event as the transaction that recorded it left it, from the log: whatever has happened to it since. Rows of the log
   * of one transaction have one time.
   */
  async findRecorded(tx: Transaction, id: string): Promise<EventRow | undefined> {
    const ofEvent = sql`l.graph_id = ${tx.graphId} AND l.subject_id = ${id}`;
    const [row] = await tx.query(sql<EventRow>`
      SELECT ${columns} FROM jsonb_populate_record(NULL::ledger_event, (
        SELECT ledger_log_assumed_event() || jsonb_object_agg(f.key, f.value ORDER BY l.id) || jsonb_build_object('id', ${id}::text)
        FROM ledger_log AS l CROSS JOIN LATERAL jsonb_each(ledger_log_unpacked(l.subject_id, l.payload)) AS f
        WHERE ${ofEvent} AND l.kind IN ('event_recorded', 'event_changed') AND l.recorded_at = (
          SELECT l.recorded_at FROM ledger_log AS l WHERE ${ofEvent} AND l.kind = 'event_recorded' ORDER BY l.id LIMIT 1)
      )) AS recorded WHERE recorded.id IS NOT NULL`);
    return row && eventOf(row);
  }

  /** The given ids that are events of this graph. */
  async present(tx: Transaction, ids: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await tx.query(sql<Pick<LedgerEvent, 'id'>>`
      SELECT id FROM ledger_event WHERE graph_id = ${tx.graphId} AND id = ANY (${[...ids]}::text[])`);
    return new Set(rows.map((row) => row.id));
  }

  async list(tx: Transaction, filter: EventFilter, page: Page): Promise<readonly EventRow[]> {
    const from = sql`ledger_event WHERE graph_id = ${tx.graphId} AND ${inOrderOf('occurred_at')} ${equal('event_type', filter.eventType)}
        ${equal('event_category', filter.eventCategory)} ${equal('status', filter.status)} ${equal('agent_id', filter.agentId)}
        ${equal('source', filter.source)} ${equal('is_reconciling_item', filter.isReconcilingItem)}`;
    const order = sql`ORDER BY occurred_at DESC, id DESC`;
    const rows = await tx.query(sql<EventRow>`
      SELECT ${columns} FROM ledger_event WHERE graph_id = ${tx.graphId} AND ${onPage({ from, order }, page)} ${order}`);
    return rows.map(eventOf);
  }
}

function eventOf(row: EventRow): EventRow {
  return { ...row, metadata: metadataOfStored(row.metadata) };
}
