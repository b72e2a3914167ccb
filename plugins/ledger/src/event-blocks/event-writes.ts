import { sql, type Transaction } from '@pacioli/core';
import { maxEntriesOfEvent } from '../journal/index.ts';
import { lockEvents } from '../open-items/index.ts';
import type { LedgerEntry } from '../rows.gen.ts';
import { storedMetadata } from '../values/index.ts';
import type { EventRow } from './event-reads.ts';

/** The fields of an entry on which the life cycle of its event depends. */
export type EntryOfEvent = Pick<LedgerEntry, 'id' | 'status' | 'posting_date'> & {
  /** True when the transaction that the event created for it has posted. */
  readonly is_in_posted: boolean;
};

/** The columns of an event that a change may write. */
export type ChangedEvent = Pick<
  EventRow,
  | 'status'
  | 'description'
  | 'metadata'
  | 'event_action'
  | 'obligated_by_event_id'
  | 'discharges_event_id'
  | 'replaced_by_event_id'
> & { readonly effective_at: Date | string | null };

/** Changes of events that are recorded already. */
export class EventWrites {
  /**
   * Locks the events, and what they settle, in the order of their ids (ledger L-150). With `links`, serializes checks of
   * links as well.
   */
  async lock(tx: Transaction, ids: readonly string[], { links }: { readonly links: boolean }): Promise<void> {
    const graphId = tx.graphId;
    if (links)
      await tx.query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`pacioli.event-links.${graphId}`}, 0))`);
    await lockEvents(tx, `Event ${ids[0]}`, sql`${[...ids]}::text[]`);
  }

  async entriesOf(tx: Transaction, eventId: string): Promise<readonly EntryOfEvent[]> {
    const rows = await tx.query(sql<EntryOfEvent>`
      SELECT e.id, e.status, e.posting_date, coalesce(t.status = 'posted' AND t.event_id = e.event_id, false) AS is_in_posted
      FROM (SELECT * FROM ledger_entry WHERE graph_id = ${tx.graphId} AND event_id = ${eventId} OFFSET 0) AS e
      LEFT JOIN ledger_transaction AS t ON t.graph_id = e.graph_id AND t.id = e.transaction_id ORDER BY e.id LIMIT ${maxEntriesOfEvent + 1}`);
    if (rows.length > maxEntriesOfEvent) throw new Error(`An event has at most ${maxEntriesOfEvent} entries.`);
    return rows;
  }

  /** True when following the links of this kind from one event leads to another (ledger L-69). */
  async leadsTo(
    tx: Transaction,
    link: 'obligated_by_event_id' | 'discharges_event_id',
    from: string,
    to: string,
  ): Promise<boolean> {
    const [row] = await tx.query(sql<{ found: boolean }>`
      WITH RECURSIVE chain AS (
        SELECT ${from}::text AS id
        UNION
        SELECT e.link FROM chain CROSS JOIN LATERAL (
          SELECT v.${sql.ref(link)} AS link FROM ledger_event AS v WHERE v.graph_id = ${tx.graphId} AND v.id = chain.id OFFSET 0) AS e
        WHERE e.link IS NOT NULL
      )
      SELECT EXISTS (SELECT FROM chain WHERE id = ${to}) AS found`);
    return row?.found ?? false;
  }

  async update(tx: Transaction, id: string, event: ChangedEvent): Promise<void> {
    await tx.query(sql`
      UPDATE ledger_event SET status = ${event.status}, description = ${event.description}, effective_at = ${event.effective_at},
        metadata = ${JSON.stringify(storedMetadata(event.metadata))}::text::jsonb, event_action = ${event.event_action},
        obligated_by_event_id = ${event.obligated_by_event_id}, discharges_event_id = ${event.discharges_event_id},
        replaced_by_event_id = ${event.replaced_by_event_id}
      WHERE graph_id = ${tx.graphId} AND id = ${id}`);
  }

  /** Links the successor to the event that it replaces (ledger L-74). */
  async replaces(tx: Transaction, successorId: string, eventId: string): Promise<void> {
    await tx.query(sql`
      UPDATE ledger_event SET replaces_event_id = ${eventId} WHERE graph_id = ${tx.graphId} AND id = ${successorId}`);
  }
}
