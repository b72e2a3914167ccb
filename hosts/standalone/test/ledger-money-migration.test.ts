/** @module-tag sessions */
import blocks from '@pacioli/blocks';
import { type Store, sql } from '@pacioli/core';
import { migrationSets } from '@pacioli/core/assembly';
import ledger, { aging, balances, bookVerifier } from '@pacioli/ledger';
import { storeDrivers } from '@pacioli/store-postgres/testing';
import taxonomy from '@pacioli/taxonomy';
import { startTestService } from '@pacioli/testing';
import { describe, expect, it } from 'vitest';
import { migrateToEarlier } from './earlier-migrations.ts';

const scope = { graphId: 'kg1' };

/** An event with one entry, as earlier versions stored it. */
interface OldEvent {
  readonly name: string;
  readonly type: string;
  readonly amount: number | null;
  readonly currency?: string;
  readonly settles?: string;
  /** The counter account of cash, and its debit in cents; credits are negative. */
  readonly account: 'receivable' | 'payable';
  readonly debit: number;
  readonly status?: 'draft' | 'posted' | 'reversed';
  readonly reversalOf?: string;
  /** The source of the event; manual by default. */
  readonly source?: string;
  /** Captured, without an entry yet. */
  readonly isWaiting?: boolean;
}

const old: readonly OldEvent[] = [
  {
    name: 'draft',
    type: 'journal_entry_recorded',
    amount: null,
    currency: 'EUR',
    account: 'receivable',
    debit: 7,
    status: 'draft',
  },
  { name: 'invoice', type: 'invoice_issued', amount: 100, account: 'receivable', debit: 100 },
  {
    name: 'euros',
    type: 'payment_received',
    amount: 70,
    currency: 'EUR',
    settles: 'invoice',
    account: 'receivable',
    debit: -70,
  },
  { name: 'bill', type: 'bill_received', amount: -50, account: 'payable', debit: -50 },
  { name: 'other-side', type: 'payment_received', amount: 50, settles: 'bill', account: 'receivable', debit: -50 },
  { name: 'note', type: 'invoice_issued', amount: -20, account: 'receivable', debit: -20 },
  { name: 'canceled', type: 'invoice_issued', amount: 200, account: 'receivable', debit: 200, status: 'reversed' },
  {
    name: 'canceling',
    type: 'journal_entry_reversed',
    amount: null,
    account: 'receivable',
    debit: -200,
    reversalOf: 'canceled',
  },
  { name: 'sold', type: 'invoice_issued', amount: 300, account: 'receivable', debit: 300 },
  {
    name: 'check',
    type: 'payment_received',
    amount: 300,
    settles: 'sold',
    account: 'receivable',
    debit: -300,
    status: 'reversed',
  },
  {
    name: 'bounced',
    type: 'journal_entry_reversed',
    amount: null,
    account: 'receivable',
    debit: 300,
    reversalOf: 'check',
  },
  { name: 'linked', type: 'invoice_issued', amount: 400, account: 'receivable', debit: 400, status: 'reversed' },
  {
    name: 'unlinked',
    type: 'journal_entry_reversed',
    amount: 400,
    settles: 'linked',
    account: 'receivable',
    debit: -400,
    status: 'reversed',
    reversalOf: 'linked',
  },
  // The reversal of an entry that settles nothing, linked to an invoice in another currency.
  { name: 'euro-invoice', type: 'invoice_issued', amount: 90, currency: 'EUR', account: 'receivable', debit: 90 },
  { name: 'moved', type: 'journal_entry_recorded', amount: null, account: 'receivable', debit: 30, status: 'reversed' },
  {
    name: 'astray',
    type: 'journal_entry_reversed',
    amount: 30,
    settles: 'euro-invoice',
    account: 'receivable',
    debit: -30,
    reversalOf: 'moved',
  },
  {
    name: 'waiting-bill',
    type: 'bill_received',
    amount: -60,
    account: 'payable',
    debit: -60,
    source: 'quickbooks',
    isWaiting: true,
  },
  {
    name: 'waiting-note',
    type: 'invoice_issued',
    amount: -15,
    account: 'receivable',
    debit: -15,
    isWaiting: true,
  },
  {
    name: 'restored',
    type: 'journal_entry_reversed',
    amount: null,
    account: 'receivable',
    debit: 400,
    reversalOf: 'unlinked',
  },
];

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
        VALUES ('kg1', ${transaction}, ${id}, ${type}, ${Math.abs(debit)}, ${currency}, '2026-03-05', 'manual',
          ${status === 'draft' ? 'pending' : 'posted'}, ${at}, ${at})`);
    await tx.query(sql`
      INSERT INTO ledger_entry (graph_id, id, transaction_id, event_id, type, status, posting_date, currency, provenance, reversal_of,
        posted_at, created_at, updated_at)
      VALUES ('kg1', ${entry}, ${transaction}, ${id}, 'standard', ${status}, '2026-03-05', ${currency}, 'manual_entry',
        ${event.reversalOf === undefined ? null : `je_${event.reversalOf}`}, ${status === 'draft' ? null : at}, ${at}, ${at})`);
    const [own, cash] = [Math.max(debit, 0), Math.max(-debit, 0)];
    await tx.query(sql`
      INSERT INTO ledger_line_item (graph_id, entry_id, line_order, id, element_id, posting_date, currency, is_landed, debit_amount, credit_amount)
      VALUES ('kg1', ${entry}, 1, ${`li_${name}_1`}, ${account}, '2026-03-05', ${currency}, ${status !== 'draft'}, ${own}, ${cash}),
        ('kg1', ${entry}, 2, ${`li_${name}_2`}, 'cash', '2026-03-05', ${currency}, ${status !== 'draft'}, ${cash}, ${own})`);
    if (settles !== null && amount !== null)
      await tx.query(sql`
        INSERT INTO ledger_event_settlement (graph_id, discharging_event_id, originating_event_id, amount)
        VALUES ('kg1', ${id}, ${`evt_${settles}`}, ${Math.abs(amount)})`);
  });
}

async function fill(store: Store): Promise<void> {
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
  ] as const)
    await store.transaction(scope, (tx) =>
      tx.query(sql`
        INSERT INTO taxonomy_element (graph_id, id, name, code, trait, sub_classification, period_type, element_type, is_abstract,
          is_monetary, source, created_by, created_at, updated_at)
        VALUES ('kg1', ${id}, ${id}, ${id}, ${trait}, ${sub}, 'instant', 'concept', false, true, 'native', 'user_1', now(), now())`),
    );
  for (const [index, event] of old.entries()) await write(store, event, index);
}

describe('settlements of versions without checks of currency and side', () => {
  it('are corrected so that open amounts and the functional currency are right (ledger L-5a, L-70, L-100, L-100a)', {
    timeout: 300_000,
  }, async () => {
    const driver = storeDrivers().at(-1);
    if (driver === undefined) throw new Error('There is no store driver to test with.');
    const { store, dispose } = await driver.create();
    try {
      await store.migrate(migrationSets([taxonomy]));
      await migrateToEarlier(store, ledger, {
        before: '0010',
        without: ['ledger_resettlement', 'ledger_log_chain_link'],
      });
      await fill(store);
      const { service, close } = await startTestService({ plugins: [taxonomy, blocks, ledger], store, worker: false });
      const use = {
        aging: service.services.resolve(aging),
        balances: service.services.resolve(balances),
        verifier: service.services.resolve(bookVerifier),
      };
      const found = await store.transaction(scope, async (tx) => ({
        currency: await use.balances.currency(tx),
        settlements: await tx.query(sql<{ line: string }>`
          SELECT discharging_event_id || ' ' || originating_event_id || ' ' || amount AS line FROM ledger_event_settlement ORDER BY 1`),
        links: await tx.query(sql<{ line: string }>`
          SELECT id || ' ' || discharges_event_id AS line FROM ledger_event WHERE discharges_event_id IS NOT NULL ORDER BY 1`),
        amounts: await tx.query(sql<{ amount: number }>`
          SELECT amount FROM ledger_event WHERE id IN ('evt_bill', 'evt_note', 'evt_waiting-bill', 'evt_waiting-note') ORDER BY id`),
        receivable: await use.aging.aging(tx, 'receivable', '2026-03-31'),
        payable: await use.aging.aging(tx, 'payable', '2026-03-31'),
        broken: await use.verifier.verify(tx),
      }));
      const other = await store.transaction({ graphId: 'kg2' }, (tx) => use.balances.currency(tx));
      await close();
      expect([found.currency, other]).toEqual(['USD', 'USD']);
      expect(found.settlements.map(({ line }) => line)).toEqual([
        'evt_bounced evt_sold -300',
        'evt_canceling evt_canceled 200',
        'evt_check evt_sold 300',
        'evt_restored evt_linked -400',
        'evt_unlinked evt_linked 400',
      ]);
      expect(found.links.map(({ line }) => line)).toEqual([
        'evt_bounced evt_sold',
        'evt_canceling evt_canceled',
        'evt_check evt_sold',
        'evt_restored evt_linked',
        'evt_unlinked evt_linked',
      ]);
      expect(found.amounts.map(({ amount }) => amount)).toEqual([50, -20, 60, -15]);
      const sum = (rows: typeof found.payable, currency: string) =>
        rows.filter((row) => row.currency === currency).reduce((total, { total: each }) => total + each, 0n);
      expect([sum(found.receivable, 'USD'), sum(found.payable, 'USD')]).toEqual([100n - 20n + 300n + 400n, 50n]);
      expect(sum(found.receivable, 'EUR')).toBe(90n);
      expect(found.broken).toEqual([]);
    } finally {
      await dispose();
      await driver.stop();
    }
  });
});
