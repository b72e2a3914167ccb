/** @module-tag sessions */
import blocks from '@pacioli/blocks';
import { sql } from '@pacioli/core';
import { migrationSets } from '@pacioli/core/assembly';
import ledger, { bookVerifier } from '@pacioli/ledger';
import { storeDrivers } from '@pacioli/store-postgres/testing';
import taxonomy from '@pacioli/taxonomy';
import { startTestService } from '@pacioli/testing';
import { describe, expect, it } from 'vitest';
import { migrateToEarlier } from './earlier-migrations.ts';
import { fillOldBooks, type OldEvent, scope } from './old-books.ts';

const invoice = { type: 'invoice_issued', account: 'receivable' } as const;
const receipt = { type: 'sales_receipt_recorded' } as const;

const old: readonly OldEvent[] = [
  { ...invoice, name: 'open', amount: 100, debit: 100 },
  { ...invoice, name: 'euros', amount: 90, currency: 'EUR', debit: 90 },
  { ...invoice, name: 'paid', amount: 70, debit: 70 },
  { name: 'payment', type: 'payment_received', amount: 70, settles: 'paid', account: 'receivable', debit: -70 },
  { ...invoice, name: 'part', amount: 60, debit: 60 },
  { name: 'first', type: 'payment_received', amount: 25, settles: 'part', account: 'receivable', debit: -25 },
  { ...invoice, name: 'note', amount: -20, debit: -20 },
  { ...invoice, name: 'drafted', amount: 11, debit: 11, status: 'draft' },
  { ...invoice, name: 'waiting', amount: 12, debit: 12, isWaiting: true },
  { name: 'bill', type: 'bill_received', amount: 50, account: 'payable', debit: -50 },
  { ...receipt, name: 'on-account', amount: 40, account: 'receivable', debit: 40 },
  { ...receipt, name: 'at-once', amount: 45, account: 'sales', debit: -45 },
];

describe('open amounts of versions that summed them with each read', () => {
  it('are stored for what is open, sales receipts on account included (ledger L-100c, L-101)', {
    timeout: 300_000,
  }, async () => {
    const driver = storeDrivers().at(-1);
    if (driver === undefined) throw new Error('There is no store driver to test with.');
    const { store, dispose } = await driver.create();
    try {
      await store.migrate(migrationSets([taxonomy]));
      await migrateToEarlier(store, ledger, { before: '0013', without: [] });
      await fillOldBooks(store, old);
      const { service, close } = await startTestService({ plugins: [taxonomy, blocks, ledger], store, worker: false });
      const found = await store.transaction(scope, async (tx) => ({
        items: await tx.query(sql<{ line: string }>`
          SELECT concat_ws(' ', event_id, side, amount, currency) AS line FROM ledger_open_item ORDER BY 1`),
        broken: await service.services.resolve(bookVerifier).verify(tx),
      }));
      const waiting = await store.transaction('kernel', (tx) => tx.query(sql`SELECT FROM ledger_resettlement`));
      await close();
      expect(found.items.map(({ line }) => line)).toEqual([
        'evt_bill payable 50 USD',
        'evt_euros receivable 90 EUR',
        'evt_note receivable -20 USD',
        'evt_on-account receivable 40 USD',
        'evt_open receivable 100 USD',
        'evt_part receivable 35 USD',
      ]);
      expect([found.broken, waiting.length]).toEqual([[], 0]);
    } finally {
      await dispose();
      await driver.stop();
    }
  });
});
