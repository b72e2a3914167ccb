/** @module-tag sessions */
import blocks from '@pacioli/blocks';
import { sql } from '@pacioli/core';
import { kernelPlugin } from '@pacioli/core/assembly';
import ledger, { bookVerifier, ledgerLog } from '@pacioli/ledger';
import { storeDrivers } from '@pacioli/store-postgres/testing';
import taxonomy from '@pacioli/taxonomy';
import { startTestService, tamper } from '@pacioli/testing';
import { describe, expect, it } from 'vitest';
import { migrateToEarlier } from './earlier-migrations.ts';

const scope = { graphId: 'kg1' };

/** An event with a transaction and an entry of its lines, in one statement and with ids that follow one another. */
const simple = (time: string) => {
  const id = (last: string) => `01M86PKE37PT5R9E1P35J${time}${last}`;
  const lines = [1, 2].map((place) => ({
    element_id: `elem_${place}`,
    debit_amount: place === 1 ? 70 : 0,
    credit_amount: place === 1 ? 0 : 70,
  }));
  const metadata = { memo: 'Simple', status: 'posted', posting_date: '2026-03-05', line_items: lines };
  return sql`
    WITH event AS (
      INSERT INTO ledger_event (graph_id, id, event_type, event_class, event_category, status, occurred_at, source, currency, metadata, created_at, created_by)
      VALUES ('kg1', ${`evt_${id('A')}`}, 'journal_entry_recorded', 'economic', 'sales', 'fulfilled', now(), 'manual', 'USD',
        ${JSON.stringify(metadata)}::text::jsonb, now(), 'user_1')
      RETURNING id
    ), transaction AS (
      INSERT INTO ledger_transaction (graph_id, id, event_id, type, category, amount, currency, date, description, source, status, posted_at, created_at, updated_at)
      SELECT 'kg1', ${`txn_${id('B')}`}, id, 'journal_entry_recorded', 'sales', 70, 'USD', '2026-03-05', 'Simple', 'manual', 'posted', now(), now(), now() FROM event
    ), entry AS (
      INSERT INTO ledger_entry (graph_id, id, transaction_id, event_id, type, status, posting_date, currency, memo, provenance, posted_at, created_at, updated_at)
      SELECT 'kg1', ${`je_${id('C')}`}, ${`txn_${id('B')}`}, id, 'standard', 'posted', '2026-03-05', 'USD', 'Simple', 'manual_entry', now(), now(), now() FROM event
    )
    INSERT INTO ledger_line_item (graph_id, entry_id, line_order, id, element_id, posting_date, currency, is_landed, debit_amount, credit_amount)
    SELECT 'kg1', ${`je_${id('C')}`}, n, CASE n WHEN 1 THEN ${`li_${id('D')}`} ELSE ${`li_${id('E')}`} END, 'elem_' || n, '2026-03-05',
      'USD', true, 70 * (2 - n), 70 * (n - 1) FROM event, generate_series(1, 2) AS n`;
};

describe('books whose log names what follows from the row itself', () => {
  it('keep its rows and seals, and continue it with short rows (ledger L-214b)', { timeout: 300_000 }, async () => {
    const driver = storeDrivers().at(-1);
    if (driver === undefined) throw new Error('There is no store driver to test with.');
    const { store, dispose } = await driver.create();
    const recorded = sql<{ keys: string }>`
      SELECT (SELECT string_agg(k, ' ' ORDER BY k) FROM jsonb_object_keys(payload) AS k) AS keys FROM ledger_log
      WHERE kind = 'event_recorded' AND subject_id LIKE 'evt_01M%' ORDER BY id`;
    const sealed = sql`SELECT last_seq, encode(hash, 'hex') AS hash FROM kernel_chain_batch WHERE chain LIKE '%ledger%'`;
    const long = 'created_at created_by currency event_category event_type journal metadata occurred_at source status';
    try {
      await migrateToEarlier(store, kernelPlugin, { before: '9999', without: [] });
      await migrateToEarlier(store, ledger, { before: '0020', without: [] });
      const before = await store.transaction(scope, async (tx) => {
        await tx.query(simple('0000'));
        await tx.query(sql`SELECT kernel_seal_chain('ledger_log', 'kg1', 1000)`);
        await tx.query(simple('1111'));
        return tx.query(sealed);
      });
      const { service, close } = await startTestService({ plugins: [taxonomy, blocks, ledger], store, worker: false });
      const verify = () =>
        store.transaction(scope, async (tx) => {
          await service.services.resolve(ledgerLog).seal(tx);
          const broken = await service.services.resolve(bookVerifier).verify(tx);
          return broken.flatMap(({ offenders }) => offenders);
        });
      expect(await store.transaction(scope, (tx) => tx.query(sealed))).toEqual(before);
      expect(await verify()).toEqual([]);
      await store.transaction(scope, (tx) => tx.query(simple('2222')));
      const forms = await store.transaction(scope, (tx) => tx.query(recorded));
      expect(forms.map(({ keys }) => keys)).toEqual([long, long, 'fields metadata']);
      expect(await verify()).toEqual([]);
      for (const time of ['0000', '1111', '2222']) {
        const line = `UPDATE ledger_transaction SET amount = $1 WHERE id = 'txn_01M86PKE37PT5R9E1P35J${time}B'`;
        await tamper(store, line.replace('$1', '71'));
        expect(await verify()).toContain(`txn_01M86PKE37PT5R9E1P35J${time}B`);
        await tamper(store, line.replace('$1', '70'));
      }
      expect(await verify()).toEqual([]);
      await close();
    } finally {
      await dispose();
      await driver.stop();
    }
  });
});
