/** @module-tag sessions */
import blocks from '@pacioli/blocks';
import { type Store, sql } from '@pacioli/core';
import { migrationSets } from '@pacioli/core/assembly';
import ledger, { bookVerifier } from '@pacioli/ledger';
import { storeDrivers } from '@pacioli/store-postgres/testing';
import taxonomy from '@pacioli/taxonomy';
import { startTestService } from '@pacioli/testing';
import { describe, expect, it } from 'vitest';
import { migrateToEarlier } from './earlier-migrations.ts';
import { fillOldBooks, type OldEvent, scope } from './old-books.ts';

/** Three months with an invoice each, of which the payment of one is in the month after it. */
const old: readonly OldEvent[] = [
  { name: 'jan', type: 'invoice_issued', amount: 100, account: 'receivable', debit: 100, date: '2026-01-31' },
  { name: 'feb', type: 'invoice_issued', amount: 20, account: 'receivable', debit: 20, date: '2026-02-01' },
  {
    name: 'paid',
    type: 'payment_received',
    amount: 100,
    settles: 'jan',
    account: 'receivable',
    debit: -100,
    date: '2026-02-28',
  },
  { name: 'mar', type: 'sales_receipt_recorded', amount: 3, account: 'receivable', debit: 3, date: '2026-03-01' },
];

const totalsOf = (store: Store) =>
  store.transaction(scope, (tx) =>
    tx.query(sql<{ line: string }>`
      SELECT concat_ws(' ', period, element_id, debit_total, credit_total, line_count) AS line FROM ledger_month_total ORDER BY 1`),
  );

describe('months that earlier versions closed', () => {
  it('pass the verifier after the upgrade, with their totals and open amounts (ledger L-100c, L-218)', {
    timeout: 300_000,
  }, async () => {
    const driver = storeDrivers().at(-1);
    if (driver === undefined) throw new Error('There is no store driver to test with.');
    const { store, dispose } = await driver.create();
    try {
      await store.migrate(migrationSets([taxonomy]));
      await migrateToEarlier(store, ledger, { before: '0013', without: [] });
      await fillOldBooks(store, old);
      await store.transaction(scope, (tx) =>
        tx.query(sql`INSERT INTO ledger_fiscal_period (graph_id, name, status)
          VALUES ('kg1', '2026-01', 'closed'), ('kg1', '2026-02', 'closed'), ('kg1', '2026-03', 'open')`),
      );
      const { service, close } = await startTestService({ plugins: [taxonomy, blocks, ledger], store, worker: false });
      const found = await store.transaction(scope, async (tx) => ({
        open: await tx.query(sql`SELECT event_id, amount FROM ledger_open_item ORDER BY event_id`),
        broken: await service.services.resolve(bookVerifier).verify(tx),
      }));
      await close();
      expect(found).toEqual({
        open: [
          { event_id: 'evt_feb', amount: 20 },
          { event_id: 'evt_mar', amount: 3 },
        ],
        broken: [],
      });
      expect((await totalsOf(store)).map(({ line }) => line)).toEqual([
        '2026-01 cash 0 100 1',
        '2026-01 receivable 100 0 1',
        '2026-02 cash 100 120 3',
        '2026-02 receivable 120 100 3',
      ]);
    } finally {
      await dispose();
      await driver.stop();
    }
  });

  it('get the totals of all lines posted up to their end, in every graph (ledger L-218)', async () => {
    const driver = storeDrivers().at(-1);
    if (driver === undefined) throw new Error('There is no store driver to test with.');
    const { store, dispose } = await driver.create();
    try {
      await migrateToEarlier(store, ledger, { before: '0014', without: [] });
      for (const graphId of ['kg1', 'kg2'])
        await store.transaction({ graphId }, async (tx) => {
          await tx.query(sql`INSERT INTO ledger_fiscal_period (graph_id, name, status)
            VALUES (${graphId}, '2026-01', 'closed'), (${graphId}, '2026-02', 'closed'), (${graphId}, '2026-03', 'open')`);
          await tx.query(sql`
            WITH entries AS (
              INSERT INTO ledger_entry (graph_id, id, type, status, posting_date, currency, provenance, posted_at, created_at, updated_at)
              SELECT ${graphId}, id, 'standard', status, date::date, 'USD', 'manual_entry', now(), now(), now()
              FROM (VALUES ('je_1', 'posted', '2026-01-31'), ('je_2', 'posted', '2026-02-01'), ('je_3', 'posted', '2026-03-01'),
                ('je_4', 'draft', '2026-03-01')) AS e (id, status, date)
              RETURNING id, status, posting_date
            )
            INSERT INTO ledger_line_item (graph_id, entry_id, line_order, id, element_id, posting_date, currency, is_landed, debit_amount, credit_amount)
            SELECT ${graphId}, e.id, l.line_order, e.id || l.line_order, l.element_id, e.posting_date, 'USD', e.status = 'posted', l.debit, l.credit
            FROM entries AS e, (VALUES (1, 'cash', 100, 0), (2, 'sales', 0, 100)) AS l (line_order, element_id, debit, credit)`);
        });
      await store.migrate(migrationSets([ledger]));
      for (const graphId of ['kg1', 'kg2']) {
        const kept = await store.transaction({ graphId }, (tx) =>
          tx.query(sql`SELECT period, element_id, debit_total, credit_total, line_count FROM ledger_month_total
            ORDER BY period, element_id`),
        );
        expect(kept).toEqual([
          { period: '2026-01', element_id: 'cash', debit_total: '100', credit_total: '0', line_count: 1 },
          { period: '2026-01', element_id: 'sales', debit_total: '0', credit_total: '100', line_count: 1 },
          { period: '2026-02', element_id: 'cash', debit_total: '200', credit_total: '0', line_count: 2 },
          { period: '2026-02', element_id: 'sales', debit_total: '0', credit_total: '200', line_count: 2 },
        ]);
      }
    } finally {
      await dispose();
      await driver.stop();
    }
  });
});
