import { type Store, sql } from '@pacioli/core';

/** The graph of the first company. */
export const scope = { graphId: 'kg1' };

/** An event with one entry, as earlier versions stored it. */
export interface OldEvent {
  readonly name: string;
  readonly type: string;
  readonly amount: number | null;
  readonly currency?: string;
  readonly settles?: string;
  /** The counter account of cash, and its debit in cents; credits are negative. */
  readonly account: 'receivable' | 'payable' | 'sales';
  readonly debit: number;
  readonly status?: 'draft' | 'posted' | 'reversed';
  readonly reversalOf?: string;
  /** The source of the event; manual by default. */
  readonly source?: string;
  /** Captured, without an entry yet. */
  readonly isWaiting?: boolean;
  /** The posting date; 2026-03-05 by default. */
  readonly date?: string;
}

async function write(store: Store, event: OldEvent, index: number): Promise<void> {
  const {
    name,
    type,
    amount,
    currency = 'USD',
    settles = null,
    account,
    debit,
    status = 'posted',
    source = 'manual',
    date = '2026-03-05',
  } = event;
  const id = `evt_${name}`;
  const entry = `je_${name}`;
  const transaction =
    event.reversalOf === undefined
      ? `txn_${name}`
      : `txn_${event.reversalOf === 'unlinked' ? 'linked' : event.reversalOf}`;
  const at = new Date(Date.UTC(2026, 2, 1, 0, index));
  const eventStatus = event.isWaiting === true ? 'captured' : status === 'draft' ? 'classified' : 'fulfilled';
  await store.transaction(scope, async (tx) => {
    await tx.query(sql`
      INSERT INTO ledger_event (graph_id, id, event_type, event_class, event_category, status, occurred_at, source, amount, currency,
        metadata, discharges_event_id, created_at, created_by)
      VALUES ('kg1', ${id}, ${type}, 'economic', 'other', ${eventStatus}, ${at}, ${source}, ${amount},
        ${currency}, '{}', ${settles === null ? null : `evt_${settles}`}, ${at}, 'user_1')`);
    if (event.isWaiting === true) return;
    if (event.reversalOf === undefined)
      await tx.query(sql`
        INSERT INTO ledger_transaction (graph_id, id, event_id, type, amount, currency, date, source, status, created_at, updated_at)
        VALUES ('kg1', ${transaction}, ${id}, ${type}, ${Math.abs(debit)}, ${currency}, ${date}, 'manual',
          ${status === 'draft' ? 'pending' : 'posted'}, ${at}, ${at})`);
    await tx.query(sql`
      INSERT INTO ledger_entry (graph_id, id, transaction_id, event_id, type, status, posting_date, currency, provenance, reversal_of,
        posted_at, created_at, updated_at)
      VALUES ('kg1', ${entry}, ${transaction}, ${id}, 'standard', ${status}, ${date}, ${currency}, 'manual_entry',
        ${event.reversalOf === undefined ? null : `je_${event.reversalOf}`}, ${status === 'draft' ? null : at}, ${at}, ${at})`);
    const [own, cash] = [Math.max(debit, 0), Math.max(-debit, 0)];
    await tx.query(sql`
      INSERT INTO ledger_line_item (graph_id, entry_id, line_order, id, element_id, posting_date, currency, is_landed, debit_amount, credit_amount)
      VALUES ('kg1', ${entry}, 1, ${`li_${name}_1`}, ${account}, ${date}, ${currency}, ${status !== 'draft'}, ${own}, ${cash}),
        ('kg1', ${entry}, 2, ${`li_${name}_2`}, 'cash', ${date}, ${currency}, ${status !== 'draft'}, ${cash}, ${own})`);
    if (settles !== null && amount !== null)
      await tx.query(sql`
        INSERT INTO ledger_event_settlement (graph_id, discharging_event_id, originating_event_id, amount)
        VALUES ('kg1', ${id}, ${`evt_${settles}`}, ${Math.abs(amount)})`);
  });
}

/** Writes two companies, the accounts of the first one, and its events. */
export async function fillOldBooks(store: Store, events: readonly OldEvent[]): Promise<void> {
  for (const [graph, currency] of [
    ['kg1', 'EUR'],
    ['kg2', 'GBP'],
  ] as const)
    await store.transaction({ graphId: graph }, (tx) =>
      tx.query(sql`
        INSERT INTO ledger_entity (graph_id, id, name, is_parent, functional_currency, created_at, updated_at)
        VALUES (${graph}, 'ent_1', 'Company', true, ${currency}, now(), now())`),
    );
  for (const [id, trait, sub] of [
    ['receivable', 'asset', 'receivable'],
    ['payable', 'liability', 'payable'],
    ['cash', 'asset', 'cash'],
    ['sales', 'revenue', 'sales'],
  ] as const)
    await store.transaction(scope, (tx) =>
      tx.query(sql`
        INSERT INTO taxonomy_element (graph_id, id, name, code, trait, sub_classification, period_type, element_type, is_abstract,
          is_monetary, source, created_by, created_at, updated_at)
        VALUES ('kg1', ${id}, ${id}, ${id}, ${trait}, ${sub}, 'instant', 'concept', false, true, 'native', 'user_1', now(), now())`),
    );
  for (const [index, event] of events.entries()) await write(store, event, index);
}
