import { type Page, sql, type Transaction } from '@pacioli/core';

export interface EventRow {
  readonly id: string;
  readonly event_type: string;
  readonly event_category: string;
  readonly event_class: string;
  readonly event_action: string | null;
  readonly status: string;
  readonly occurred_at: Date;
  readonly effective_at: Date | null;
  readonly source: string;
  readonly external_id: string | null;
  readonly external_url: string | null;
  readonly amount: number | null;
  readonly currency: string;
  readonly description: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly is_reconciling_item: boolean;
  readonly dimension_ids: readonly string[];
  readonly agent_id: string | null;
  readonly resource_type: string | null;
  readonly resource_element_id: string | null;
  readonly replaced_by_event_id: string | null;
  readonly replaces_event_id: string | null;
  readonly obligated_by_event_id: string | null;
  readonly discharges_event_id: string | null;
  readonly created_at: Date;
  readonly created_by: string;
}

export interface EventFilter {
  readonly eventType?: string | undefined;
  readonly eventCategory?: string | undefined;
  readonly status?: string | undefined;
  readonly agentId?: string | undefined;
  readonly source?: string | undefined;
  readonly isReconcilingItem?: boolean | undefined;
}

const columns = sql`id, event_type, event_category, event_class, event_action, status, occurred_at, effective_at, source, external_id, external_url, amount,
  currency, description, metadata, is_reconciling_item, dimension_ids, agent_id, resource_type, resource_element_id, replaced_by_event_id,
  replaces_event_id, obligated_by_event_id, discharges_event_id, created_at, created_by`;

/** Reads of events (ledger L-81). */
export class EventReads {
  async find(tx: Transaction, id: string): Promise<EventRow | undefined> {
    const [row] = await tx.query(
      sql<EventRow>`SELECT ${columns} FROM ledger_event WHERE graph_id = ${tx.graphId} AND id = ${id}`,
    );
    return row;
  }

  /** The given ids that are events of this graph. */
  async present(tx: Transaction, ids: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await tx.query(sql<{ id: string }>`
      SELECT id FROM ledger_event WHERE graph_id = ${tx.graphId} AND id = ANY (${[...ids]}::text[])`);
    return new Set(rows.map((row) => row.id));
  }

  async list(tx: Transaction, filter: EventFilter, page: Page): Promise<readonly EventRow[]> {
    const equal = (column: string, value: string | boolean | undefined) =>
      value === undefined ? sql`` : sql`AND ${sql.ref(column)} = ${value}`;
    return tx.query(sql<EventRow>`
      SELECT ${columns} FROM ledger_event WHERE graph_id = ${tx.graphId} ${equal('event_type', filter.eventType)}
        ${equal('event_category', filter.eventCategory)} ${equal('status', filter.status)} ${equal('agent_id', filter.agentId)}
        ${equal('source', filter.source)} ${equal('is_reconciling_item', filter.isReconcilingItem)}
      ORDER BY occurred_at DESC, id DESC LIMIT ${page.limit} OFFSET ${page.offset}`);
  }
}
