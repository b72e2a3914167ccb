/** @module-tag sessions */
import blocks from '@pacioli/blocks';
import { sql } from '@pacioli/core';
import { migrationSets } from '@pacioli/core/assembly';
import ledger, { aging, balances, bookVerifier } from '@pacioli/ledger';
import { storeDrivers } from '@pacioli/store-postgres/testing';
import taxonomy from '@pacioli/taxonomy';
import { startTestService } from '@pacioli/testing';
import { describe, expect, it } from 'vitest';
import { migrateToEarlier } from './earlier-migrations.ts';
import { fillOldBooks, type OldEvent, scope } from './old-books.ts';

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
      await fillOldBooks(store, old);
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
