/** @module-tag sessions */
import { sql } from '@pacioli/core';
import { migrationSets } from '@pacioli/core/assembly';
import ledger from '@pacioli/ledger';
import { storeDrivers } from '@pacioli/store-postgres/testing';
import { describe, expect, it } from 'vitest';
import { migrateToEarlier } from './earlier-migrations.ts';

describe('months that earlier versions closed', () => {
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
